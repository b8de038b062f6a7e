import { connect } from "node:net"
import { join } from "node:path"
import { assert, beforeEach, describe, test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import { type Answer, call, randomAddress, signInVeteran } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { recipientCopy } from "../document/Copies.ts"
import { revokeRelease, sign } from "../release/Releases.ts"
import {
  challenge,
  createLink,
  laterChallenge,
  type Link,
  listLinks,
  mailsOf,
  noMailWaits,
  revokeLink,
  step,
  verified,
  view,
  wrong
} from "./Links.ts"
import { onPage, raceRevokes } from "./RevokeRaces.ts"

const { database, service } = await openApp()

const services = [
  service,
  await openService(database, { UPLOAD_DIR: join(service.directory, ".data/uploads") })
] as const

const superuser = await database.connect("superuser")

const veteran = await signInVeteran(service)

const documentId = (await sign(service, veteran)).json.document.id

let link: Link

beforeEach(async () => {
  link = await createLink(service, veteran, { documentId })
})

/** Sends all requests at once, alternating between the two processes. */
const parallel = <A>(count: number, make: (at: Service, index: number) => Promise<A>): Promise<ReadonlyArray<A>> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(services[index % 2]!, index)))

const tally = (answers: ReadonlyArray<Pick<Answer, "status" | "json">>) => {
  const counts: Record<string, number> = {}
  for (const { json, status } of answers) {
    const what = [status, json.error, json.attemptsLeft].filter((part) => part !== undefined).join(" ")
    counts[what] = (counts[what] ?? 0) + 1
  }
  return counts
}

type Attempt = Awaited<ReturnType<typeof challenge>>

const verify = (at: Service, attempt: Attempt, by = 0) =>
  step(at, "otp/verify", { token: link.token, ...wrong(attempt, by) })

const wrongCodes = async () =>
  (await superuser.query("select wrong_codes from secure_links where id = $1", [link.id])).rows[0].wrong_codes

const codes = async () =>
  (await superuser.query("select tries, ended_at from secure_link_otps where link_id = $1 order by created_at", [
    link.id
  ]))
    .rows

const sessions = async () =>
  (await superuser.query("select consumed_at from secure_link_view_sessions where link_id = $1", [link.id])).rows

/** Returns the mails of both processes once none is waiting. */
const allMails = async () => {
  await noMailWaits(superuser)
  return (await Promise.all(services.map(mailsOf))).flat()
}

const notices = async (subject: string) =>
  (await allMails()).filter(({ headers }) => headers.get("subject") === subject).length

describe("60 parallel wrong codes over two processes", () => {
  test("are compared five times for one code and fifteen times for one link", async () => {
    const told = await notices("A link of yours was locked")
    for (const round of [1, 2]) {
      const attempt = await laterChallenge(service, superuser, link)
      assert.deepStrictEqual(tally(await parallel(60, (at, index) => verify(at, attempt, index + 1))), {
        "401 otp_invalid 4": 1,
        "401 otp_invalid 3": 1,
        "401 otp_invalid 2": 1,
        "401 otp_invalid 1": 1,
        "401 otp_invalid 0": 56
      })
      assert.deepStrictEqual((await codes()).map(({ tries }) => tries), Array(round).fill(5))
      assert.strictEqual(await wrongCodes(), 5 * round)
      assert.strictEqual((await verify(service, attempt)).json.error, "otp_invalid")
    }
    const last = await laterChallenge(service, superuser, link)
    assert.deepStrictEqual(tally(await parallel(60, (at, index) => verify(at, last, index + 1))), {
      "401 otp_invalid 4": 1,
      "401 otp_invalid 3": 1,
      "401 otp_invalid 2": 1,
      "401 otp_invalid 1": 1,
      "401 otp_invalid 0": 1,
      "410 link_disabled": 55
    })
    assert.strictEqual(await wrongCodes(), 15)
    assert.strictEqual((await verify(service, last)).json.error, "link_disabled")
    assert.deepStrictEqual(await sessions(), [])
    assert.strictEqual(await notices("A link of yours was locked"), told + 1)
  })

  test("let a right code among them succeed only if it is one of the five that are compared", async () => {
    const attempt = await challenge(service, link)
    const answers = await parallel(60, (at, index) => verify(at, attempt, index - 30))
    const right = answers[30]!
    const [{ ended_at, tries }] = await codes()
    const compared = await wrongCodes()
    assert.strictEqual(answers.filter(({ status }) => status === 200).length, right.status === 200 ? 1 : 0)
    assert.strictEqual(ended_at !== null, right.status === 200)
    assert.strictEqual(tries, right.status === 200 ? compared + 1 : 5)
    assert.isAtMost(tries, 5)
    assert.strictEqual((await sessions()).length, right.status === 200 ? 1 : 0)
  })
})

test("A right code that is sent 32 times in parallel is accepted once", async () => {
  const attempt = await challenge(service, link)
  const answers = await parallel(32, (at) => verify(at, attempt))
  assert.deepStrictEqual(tally(answers), { "200": 1, "401 otp_invalid 0": 31 })
  assert.strictEqual((await sessions()).length, 1)
  assert.strictEqual((await view(service, answers.find(({ status }) => status === 200)!.json.viewSession)).status, 200)
})

test("Only one of 32 parallel views with one session receives the document, and receives it whole", async () => {
  const copy = await recipientCopy(service, superuser, documentId)
  const seen = await notices("Your document was viewed")
  for (let round = 0; round < 3; round++) {
    const session = round === 0
      ? await verified(service, link)
      : (await verify(service, await laterChallenge(service, superuser, link))).json.viewSession
    const answers = await parallel(32, (at) => view(at, session))
    const [winner, ...more] = answers.filter(({ status }) => status === 200)
    assert.deepStrictEqual(more, [])
    assert.isTrue(winner!.bytes.equals(copy))
    const refused = answers.filter(({ status }) => status !== 200).map(({ error, status }) => `${status} ${error}`)
    assert.deepStrictEqual(refused, Array(31).fill("410 view_session_used"))
  }
  assert.strictEqual(await notices("Your document was viewed"), seen + 1)
})

const bothWait = () =>
  until("both processes wait for the link", async () => {
    const waiting = "select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'"
    return (await superuser.query(waiting, [database.name])).rows.length >= 2
  })

/** Locks the link, and releases it once both processes wait for it and `started` has returned. */
const heldUp = async (started: () => Promise<unknown>) => {
  const holder = await database.connect("superuser")
  await holder.query("begin")
  await holder.query("select from secure_links where id = $1 for update", [link.id])
  await started()
  await bothWait()
  await holder.query("commit")
}

/** Sends `count` requests while the link is locked, so that they compete once the lock is released. */
const together = async (count: number, name: "open" | "otp") => {
  let answers: Promise<ReadonlyArray<Answer>> = Promise.resolve([])
  await heldUp(async () => {
    answers = parallel(count, (at) => step(at, name, { token: link.token }))
  })
  return answers
}

test("32 parallel requests for a code send one code", async () => {
  const before = (await allMails()).length
  const answers = await together(32, "otp")
  assert.deepStrictEqual(tally(answers), { "202": 1, "429 rate_limited": 31 })
  assert.strictEqual((await codes()).length, 1)
  assert.strictEqual((await allMails()).length, before + 1)
})

test("The veteran gets one notice of a link that is opened 32 times in parallel", async () => {
  const before = await notices("A link of yours was opened")
  const answers = await together(32, "open")
  assert.deepStrictEqual(tally(answers), { "200": 32 })
  assert.strictEqual(await notices("A link of yours was opened"), before + 1)
})

test("In 400 races of a view and a revoke, no view sends its first byte after the revoke has answered", () =>
  raceRevokes({ home: service, one: service, other: services[1], superuser }, 400, onPage))

describe("A revoke", () => {
  const states = async () => (await superuser.query("select l::text from secure_links l where id = $1", [link.id])).rows

  test("ends all access before it answers, even if an open, otp or otp/verify runs in parallel", async () => {
    for (let round = 0; round < 6; round++) {
      link = await createLink(service, veteran, { documentId })
      const attempt = await challenge(service, link)
      const racers = (["open", "otp", "otp/verify", "open"] as const).map((name, index) => (wait: number) =>
        pause(wait).then(() =>
          step(services[index % 2]!, name, { token: link.token, ...(name === "otp/verify" ? attempt : {}) })
        )
      )
      const answers = Promise.all(racers.flatMap((racer) => [0, 2, 4, 6].map(racer)))
      await pause(round)
      assert.strictEqual((await revokeLink(services[round % 2]!, veteran, link)).status, 200)
      const [stored, opened] = [await states(), await step(service, "open", { token: link.token })]
      assert.deepStrictEqual([opened.status, opened.json.error], [410, "link_disabled"])
      const won: Array<string> = []
      for (const { json, status } of await answers) {
        assert.include(
          ["200", "429 rate_limited", "401 otp_invalid", "410 link_disabled"],
          [status, json.error].filter((part) => part !== undefined).join(" ")
        )
        if (json.viewSession !== undefined) won.push(json.viewSession)
      }
      assert.isAtMost(won.length, 1)
      for (const session of won) assert.strictEqual((await view(service, session)).error, "link_disabled")
      assert.deepStrictEqual(await states(), stored)
    }
  })

  test("refuses a parallel view unless its transfer began before the revoke", async () => {
    for (let round = 0; round < 6; round++) {
      link = await createLink(service, veteran, { documentId })
      const session = await verified(service, link)
      // The revoke may cut this answer. Then its connection breaks, and `view` rejects.
      const first = pause(round).then(() => view(services[0], session)).catch(() => undefined)
      const revoked = await revokeLink(services[1], veteran, link)
      assert.strictEqual(revoked.status, 200)
      const late = await view(services[0], session)
      assert.deepStrictEqual([late.status, late.error], [410, "link_disabled"])
      const early = await first
      if (early !== undefined && early.status !== 200) assert.strictEqual(early.error, "link_disabled")
    }
  })

  test("of a release leaves no link active, even if the link is created in parallel", async () => {
    for (let round = 0; round < 4; round++) {
      const twin = await signInVeteran(service)
      const { document } = (await sign(service, twin)).json
      const made = Promise.allSettled(
        [0, 2, 4, 6, 8, 10].map((wait) =>
          pause(wait).then(() => createLink(services[wait % 4 / 2]!, twin, { documentId: document.id }))
        )
      )
      await pause(round * 2)
      assert.strictEqual((await revokeRelease(service, twin, document.id)).status, 200)
      for (const one of await made) {
        if (one.status === "rejected") assert.include(String(one.reason), "\"conflict\"")
        else assert.strictEqual((await step(service, "open", { token: one.value.token })).json.error, "link_disabled")
      }
      const statuses = (await listLinks(service, twin)).map(({ status }: { status: string }) => status)
      assert.notInclude(statuses, "active")
    }
  })
})

const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds))

describe("Clients that hang up while their step waits for the link", () => {
  /** Sends a body to each process and closes both connections. */
  const hangUp = (path: string, body: object) =>
    heldUp(async () => {
      const text = JSON.stringify(body)
      const sockets = await Promise.all(services.map(async ({ url }) => {
        const socket = connect(Number(new URL(url).port), "localhost")
        const request = `POST ${path} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${randomAddress()}\r\n` +
          `content-length: ${text.length}\r\n\r\n${text}`
        await new Promise((written) => socket.write(request, written))
        return socket
      }))
      await bothWait()
      for (const socket of sockets) socket.destroy()
      // By the time of this answer, the services have seen the connections close.
      for (const one of services) await call(one, "GET", "/health")
    })

  test("each still use up one attempt if they sent a wrong code", async () => {
    const attempt = await challenge(service, link)
    const { challengeId } = attempt
    await hangUp("/api/secure-links/otp/verify", { token: link.token, challengeId, code: "no code" })
    await until("both tries are counted", async () => (await codes())[0].tries === 2)
    assert.strictEqual((await verify(service, attempt, 1)).json.attemptsLeft, 2)
    assert.strictEqual(await wrongCodes(), 3)
  })

  test("still get their code, which is mailed once", async () => {
    const before = (await allMails()).length
    await hangUp("/api/secure-links/otp", { token: link.token })
    await until("a code was mailed", async () => (await listLinks(service, veteran))[0].codeSentAt !== null)
    assert.strictEqual((await allMails()).length, before + 1)
    assert.strictEqual((await codes()).length, 1)
  })
})
