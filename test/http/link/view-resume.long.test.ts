import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { assert, beforeEach, describe, test } from "vitest"
import { signInVeteran } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { beginView, giveSessions, storeCopy } from "../document/Copies.ts"
import { signed } from "../release/Releases.ts"
import { createLink, type Link, view } from "./Links.ts"
import { takeView } from "./TakenView.ts"
import { openTwoProcesses } from "./TwoProcesses.ts"

const mebibyte = 1024 * 1024

/** The kernel cannot buffer this much, so the service must wait for its client in the middle of the document. */
const size = 24 * mebibyte

const reach = 4 * mebibyte

/**
 * A policy that lets a test hold back every transfer. Before it sends, a transfer locks its link's row `for share`. The
 * policy makes that statement wait while another session holds advisory lock 1.
 */
const gate = `
  create function app.gate() returns boolean language plpgsql as $$
  begin
    if current_query() ~ 'for share' then perform pg_advisory_xact_lock_shared(1); end if;
    return true;
  end $$;
  create policy gate on secure_links to vrss_runtime using (app.gate());
  alter table secure_links enable row level security`

/**
 * A resume takes a transfer over whose process has not ended it in two seconds. On a busy machine a living process may
 * need longer, so until `patience` is undone a resume waits as long as it takes.
 */
const patience = `
  alter function app.begin_transfer rename to begin_in_time;
  create function app.begin_transfer(s bytea, t uuid, at bigint, size bigint, gone boolean, e int, r int, b int)
    returns text language sql return app.begin_in_time(s, t, at, size, false, e, r, b);
  grant execute on function app.begin_transfer to vrss_runtime`

const patienceUndone = "drop function app.begin_transfer; alter function app.begin_in_time rename to begin_transfer"

const processes = await openTwoProcesses()

const { database, home, other, start, superuser } = processes

let { one } = processes

await superuser.query(`${gate}; ${patience}`)

const veteran = await signInVeteran(other)

const { document } = await signed(other, veteran)

const whole = await storeCopy(home, superuser, document.id, size)

/** Each test has its own link and session. All links show one document. */
let link: Link

let session: string

beforeEach(async () => {
  link = await createLink(other, veteran, { documentId: document.id })
  session = (await giveSessions(home, superuser, [link]))[0]!
})

const row = async () => {
  const { rows } = await superuser.query(
    "select sent_bytes::int4 as sent, transfer_id as running from secure_link_view_sessions where link_id = $1",
    [link.id]
  )
  return rows[0] as { readonly sent: number; readonly running: string | null }
}

/** Waits until no transfer runs, and returns the number of bytes sent in all. */
const noted = () =>
  until("the transfer's end is noted", async () => {
    const { running, sent } = await row()
    return running === null && sent > 0 && sent
  })

/** Cuts the transfer by a database notification, as another process does when it resumes the view. */
const cut = async () => {
  await superuser.query("select pg_notify('transfers_ended', $1)", [(await row()).running])
}

const refusal = async (service: Service, offset: number) => {
  const { error, status } = await view(service, session, offset)
  return [status, error]
}

const used = [410, "view_session_used"]

/** Reads some of the document and hangs up. Returns the number of bytes sent by then. */
const broken = async (service: Service) => {
  const begun = await beginView(service, session)
  const received = await begun.receive(9_000_000)
  assert.isTrue(received.equals(whole.subarray(0, received.length)))
  await begun.hangUp()
  return noted()
}

/** Resumes the view. The service accepts the request, but the client hangs up before the first byte is sent. */
const resumeInVain = async (service: Service, offset: number) => {
  const closed = await database.connect("superuser")
  await closed.query("select pg_advisory_lock(1)")
  const client = new AbortController()
  const asked = fetch(`${service.url}/api/secure-links/view`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ viewSession: session, offset }),
    signal: client.signal
  }).catch(() => "hung up")
  await until("it waits to send", async () => {
    const { rows } = await superuser.query(
      "select from pg_stat_activity where wait_event = 'advisory' and datname = $1",
      [
        database.name
      ]
    )
    return rows.length === 1
  })
  const { running } = await row()
  assert.isNotNull(running)
  client.abort()
  assert.strictEqual(await asked, "hung up")
  await until("its end is noted", async () => (await row()).running !== running)
  await closed.end()
}

describe("A broken transfer", () => {
  test("is resumed at most 4 MiB before the last byte sent, in either process, and continues to the end", async () => {
    const sent = await broken(one)
    assert.isAbove(sent, 9_000_000)
    assert.isBelow(sent, size)
    for (const service of [one, other]) {
      assert.deepStrictEqual(await refusal(service, sent - reach - 1), used)
      assert.deepStrictEqual(await refusal(service, 0), used)
    }
    const rest = await takeView(other, session, sent - reach)
    await rest.reset()
    assert.deepStrictEqual([rest.status, rest.headers.get("content-range")], [
      206,
      `bytes ${sent - reach}-${size - 1}/${size}`
    ])
    assert.isTrue(rest.bytes.equals(whole.subarray(sent - reach)))
    // The document was sent to its end, so only its last 4 MiB may be requested again.
    assert.strictEqual(await noted(), size)
    assert.deepStrictEqual(await refusal(one, size - reach - 1), used)
    assert.deepStrictEqual(await refusal(one, size - reach), [206, undefined])
  })

  test("that the service itself cut can still be completed by its client", async () => {
    const begun = await beginView(one, session)
    await begun.receive(1)
    await cut()
    const { bytes, complete } = await begun.rest()
    assert.deepStrictEqual([complete, bytes.equals(whole.subarray(0, bytes.length))], [false, true])
    assert.isAtMost(await noted() - bytes.length, reach)
    const rest = await view(other, session, bytes.length)
    assert.strictEqual(rest.status, 206)
    assert.isTrue(Buffer.concat([bytes, rest.bytes]).equals(whole))
  })

  test("arrives whole despite many breaks if the client resumes at each break, in either process", async () => {
    const pieces: Array<Buffer> = []
    let at = 0
    for (let turn = 0; at < size; turn++) {
      assert.isBelow(turn, 20)
      const begun = await beginView([one, other][turn % 2]!, session, turn === 0 ? undefined : at)
      assert.strictEqual(begun.status, turn === 0 ? 200 : 206)
      await begun.receive(Math.min(4 * mebibyte, size - at))
      await cut()
      const { bytes } = await begun.rest()
      assert.isAtMost(await noted() - at - bytes.length, reach)
      pieces.push(bytes)
      at += bytes.length
    }
    assert.isAbove(pieces.length, 2)
    assert.isTrue(Buffer.concat(pieces).equals(whole))
  })

  test("that breaks again is resumed at most 4 MiB before the furthest byte sent so far", async () => {
    const sent = await broken(one)
    for (const service of [one, other]) {
      await resumeInVain(service, sent - reach)
      assert.strictEqual(await noted(), sent)
      assert.deepStrictEqual(await refusal(one, sent - reach - 1), used)
    }
    const begun = await beginView(one, session, sent - reach)
    await begun.hangUp()
    const later = await noted()
    assert.isAtLeast(later, sent)
    assert.deepStrictEqual(await refusal(other, later - reach - 1), used)
    assert.deepStrictEqual(await refusal(other, later - reach), [206, undefined])
  })
})

describe("A resume while the transfer still runs on a possibly dead connection", () => {
  test.each<readonly [string, () => Service]>([
    ["the same process", () => one],
    ["another process", () => other]
  ])("through %s ends that transfer even if the resume is refused; a later one continues there", async (_, service) => {
    const begun = await beginView(one, session)
    await begun.receive(9_000_000)
    assert.isNotNull((await row()).running)
    assert.deepStrictEqual(await refusal(service(), 0), used)
    const { bytes, complete } = await begun.rest()
    assert.deepStrictEqual([complete, bytes.equals(whole.subarray(0, bytes.length))], [false, true])
    assert.isBelow(bytes.length, size - reach)
    const rest = await takeView(service(), session, bytes.length)
    await rest.close()
    assert.deepStrictEqual([rest.status, rest.bytes.equals(whole.subarray(bytes.length))], [206, true])
    assert.strictEqual(await noted(), size)
    // All bytes were delivered, so the session has ended in every process.
    for (const process of [one, other]) assert.deepStrictEqual(await refusal(process, size - 1), used)
  })

  test("waits until the sending process, stopped for a moment, reports how far its transfer came", async () => {
    const begun = await beginView(one, session)
    await begun.receive(5_000_000)
    one.process.kill("SIGSTOP")
    try {
      // The client reads what has arrived, and then nothing more.
      let received = (await begun.receive(1)).length
      for (let before = 0; before < received;) {
        before = received
        received = (await begun.receiveFor(200)).length
      }
      assert.isBelow(received, size - reach)
      const listener = await database.connect("superuser")
      await listener.query("listen transfers_ended")
      const asked = once(listener, "notification")
      const resumed = view(other, session, received)
      await asked
      one.process.kill("SIGCONT")
      const { bytes, status } = await resumed
      assert.deepStrictEqual([status, bytes.equals(whole.subarray(received))], [206, true])
    } finally {
      one.process.kill("SIGCONT")
    }
    assert.isFalse((await begun.rest()).complete)
  })

  test("does not end the transfer if the offset is invalid", async () => {
    const begun = await beginView(one, session)
    await begun.receive(1)
    for (const service of [one, other]) {
      assert.deepStrictEqual(await refusal(service, size), [400, "invalid_request"])
      assert.deepStrictEqual(await refusal(service, -1), [400, "invalid_request"])
    }
    const { bytes, complete } = await begun.rest()
    assert.deepStrictEqual([complete, bytes.equals(whole)], [true, true])
  })

  test("is accepted more than a minute after the first byte", async () => {
    const begun = await beginView(one, session)
    await begun.receive(9_000_000)
    const earlier = "update secure_link_view_sessions set consumed_at = consumed_at - interval '5 minutes'"
    await superuser.query(earlier)
    await cut()
    const { bytes } = await begun.rest()
    await noted()
    const rest = await view(other, session, bytes.length)
    assert.strictEqual(rest.status, 206)
    assert.isTrue(Buffer.concat([bytes, rest.bytes]).equals(whole))
  })
})

/** The memory of the process `one` in bytes. */
const resident = async () => {
  const status = await readFile(`/proc/${one.process.pid}/status`, "utf8")
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024
}

test("12 clients that read slowly or not at all need less than 100 MiB of memory", async () => {
  const links = await Promise.all(
    Array.from({ length: 12 }, () => createLink(one, veteran, { documentId: document.id }))
  )
  const sessions = await giveSessions(home, superuser, links)
  await view(one, session)
  const before = await resident()
  const views = await Promise.all(sessions.map((session) => beginView(one, session)))
  await Promise.all(views.map((begun, n) => begun.receive(n * mebibyte + 1)))
  const during = await resident()
  // The service would need 288 MiB to hold all 12 answers in memory.
  assert.isBelow(during - before, 100 * mebibyte)
  await Promise.all(views.map((begun) => begun.hangUp()))
})

test("After the sending process was killed, its client may resume in another one only within the last 4 MiB", async () => {
  const begun = await beginView(one, session)
  await begun.receive(1_000_000)
  one.process.kill("SIGKILL")
  const { bytes, complete } = await begun.rest()
  assert.deepStrictEqual([complete, bytes.equals(whole.subarray(0, bytes.length))], [false, true])
  await one.stop("SIGKILL")
  one = await start()
  await superuser.query(patienceUndone)
  const received = bytes.length
  assert.isBelow(received, size - reach)
  for (const offset of [0, received, size - reach - 1]) assert.deepStrictEqual(await refusal(other, offset), used)
  // A resume that sends nothing does not allow the client to resume further back.
  await resumeInVain(other, size - reach)
  assert.deepStrictEqual(await refusal(other, size - reach - 1), used)
  const rest = await view(other, session, size - reach)
  assert.strictEqual(rest.status, 206)
  assert.isTrue(rest.bytes.equals(whole.subarray(-reach)))
})
