import { randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { assert, beforeAll, beforeEach, describe, test } from "vitest"
import { type SignedIn, signInVeteran } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { beginView, giveSessions, recipientCopy } from "../document/Copies.ts"
import { signed, upload } from "../release/Releases.ts"
import { createLink, type Link, revokeLink, view } from "./Links.ts"
import { openTwoProcesses } from "./TwoProcesses.ts"

const { home, one, other, superuser } = await openTwoProcesses()

const MiB = 1024 * 1024

/** Random bytes, like a scan, cannot be deflated. */
const scan = (size: number) => Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(size)])

let veteran: SignedIn

let documentId: string

let whole: Buffer

beforeAll(async () => {
  veteran = await signInVeteran(one)
  const documentIds = []
  for (const name of ["one.pdf", "two.pdf"]) {
    documentIds.push((await upload(one, veteran, scan(20 * MiB), name)).json.id)
  }
  const information = { resourceTypes: ["Condition"], documentIds }
  documentId = (await signed(one, veteran, { information })).document.id
  whole = await recipientCopy(home, superuser, documentId)
})

let link: Link

let session: string

beforeEach(async () => {
  link = await createLink(one, veteran, { documentId })
  session = (await giveSessions(home, superuser, [link]))[0]!
})

const refusal = async (service: Service, offset?: number) => {
  const { error, status } = await view(service, session, offset)
  return [status, error]
}

const used = [410, "view_session_used"]

const transfer = async () => {
  const { rows: [row] } = await superuser.query(
    "select transfer_id as running, sent_bytes::int4 as sent from secure_link_view_sessions where link_id = $1",
    [link.id]
  )
  return row as { readonly running: string | null; readonly sent: number }
}

const noted = () => until("its end is noted", async () => (await transfer()).running === null)

/** Cuts the transfer by a database notification, as another process does when it resumes the view. */
const cut = async () => {
  await superuser.query("select pg_notify('transfers_ended', $1)", [(await transfer()).running])
}

const residentOf = async ({ process: { pid } }: Service) => {
  const status = await readFile(`/proc/${pid}/status`, "utf8")
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024
}

describe("The view of a release of 40 MB", () => {
  test("sends the whole document, and refuses a second view", async () => {
    assert.isAbove(whole.length, 40 * MiB)
    const { bytes, headers, status } = await view(one, session)
    assert.deepStrictEqual([status, headers.get("content-length")], [200, `${whole.length}`])
    assert.isTrue(bytes.equals(whole))
    for (const service of [one, other]) {
      assert.deepStrictEqual(await refusal(service), used)
      assert.deepStrictEqual(await refusal(service, 0), used)
    }
  })

  test("arrives whole despite many breaks if the client resumes at each break, in either process", async () => {
    const pieces: Array<Buffer> = []
    let at = 0
    for (let turn = 0; at < whole.length; turn++) {
      assert.isBelow(turn, 20)
      const begun = await beginView([one, other][turn % 2]!, session, turn === 0 ? undefined : at)
      assert.strictEqual(begun.status, turn === 0 ? 200 : 206)
      await begun.receive(Math.min(6 * MiB, whole.length - at))
      await cut()
      const { bytes } = await begun.rest()
      await noted()
      assert.isAtMost((await transfer()).sent - at - bytes.length, 4 * MiB)
      pieces.push(bytes)
      at += bytes.length
    }
    assert.isAbove(pieces.length, 2)
    assert.isTrue(Buffer.concat(pieces).equals(whole))
  })

  test("may be resumed at most 4 MiB before the last byte that the service handed to the socket", async () => {
    const begun = await beginView(one, session)
    await begun.receive(15 * MiB)
    await begun.hangUp()
    await noted()
    const { sent } = await transfer()
    assert.isAtLeast(sent, 15 * MiB)
    assert.isBelow(sent, whole.length)
    for (const service of [one, other]) assert.deepStrictEqual(await refusal(service, sent - 4 * MiB - 1), used)
    const rest = await view(other, session, sent - 4 * MiB)
    assert.strictEqual(rest.headers.get("content-range"), `bytes ${sent - 4 * MiB}-${whole.length - 1}/${whole.length}`)
    assert.isTrue(rest.bytes.equals(whole.subarray(sent - 4 * MiB)))
  })

  test.each<readonly [string, () => Service]>([
    ["the same process", () => one],
    ["another process", () => other]
  ])("is cut after its first byte or midway when the veteran revokes its link through %s", async (_, service) => {
    for (const received of [1, 20 * MiB]) {
      link = await createLink(one, veteran, { documentId })
      session = (await giveSessions(home, superuser, [link]))[0]!
      const begun = await beginView(one, session)
      await begun.receive(received)
      assert.strictEqual((await revokeLink(service(), veteran, link)).status, 200)
      const { bytes, complete } = await begun.rest()
      assert.isFalse(complete)
      assert.isBelow(bytes.length, whole.length)
      assert.isTrue(bytes.equals(whole.subarray(0, bytes.length)))
      assert.deepStrictEqual(await refusal(one, bytes.length), [410, "link_disabled"])
    }
  })

  test("needs less than 100 MiB of memory for 12 clients that read slowly or not at all", async () => {
    const links = await Promise.all(Array.from({ length: 12 }, () => createLink(one, veteran, { documentId })))
    const sessions = await giveSessions(home, superuser, links)
    await view(one, session)
    const before = await residentOf(one)
    const views = await Promise.all(sessions.map((session) => beginView(one, session)))
    await Promise.all(views.map((begun, n) => begun.receive(n * MiB + 1)))
    const during = await residentOf(one)
    // The service would need 480 MB to hold all 12 answers in memory.
    assert.isBelow(during - before, 100 * MiB)
    await Promise.all(views.map((begun) => begun.hangUp()))
  })
})
