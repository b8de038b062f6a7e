import { assert, beforeEach, describe, test } from "vitest"
import { ask, unbroken } from "../../services/pdf/PdfTools.ts"
import { openApp } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { beginView, giveSessions, recipientCopy } from "../document/Copies.ts"
import { drain } from "../ledger/Drained.ts"
import { download, signed } from "../release/Releases.ts"
import {
  createLink,
  type Link,
  listLinks,
  mailsOf,
  noMailWaits,
  step,
  verified,
  view,
  waitForNextCode
} from "./Links.ts"
import { takeView } from "./TakenView.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const veteran = await signInVeteran(service)

const documentId: string = (await signed(service, veteran)).document.id

let link: Link

beforeEach(async () => {
  link = await createLink(service, veteran, { documentId })
})

const copy = () => recipientCopy(service, superuser, link.documentId)

const given = async () => (await giveSessions(service, superuser, [link]))[0]!

const refusal = async (session: string, offset?: unknown) => {
  const { error, status } = await view(service, session, offset as number | undefined)
  return [status, error]
}

/**
 * Moves `column` of the link's view sessions into the past. First waits until the column is written, because the
 * service records the end of a transfer with a short delay.
 */
const move = (column: "created_at" | "broke_at", by: string) =>
  until(`${column} is written`, async () => {
    const { rowCount } = await superuser.query(
      `update secure_link_view_sessions set ${column} = ${column} - $2::interval
         where link_id = $1 and ${column} is not null`,
      [link.id, by]
    )
    return rowCount! > 0
  })

const viewedAt = async () => (await listLinks(service, veteran))[0].viewedAt

const used = [410, "view_session_used"]

const expired = [410, "view_session_expired"]

const invalid = [400, "invalid_request"]

describe("POST /api/secure-links/view", () => {
  test("answers with the recipient's copy, which is sealed and not the veteran's", async () => {
    const answer = await view(service, await verified(service, link))
    assert.strictEqual(answer.status, 200)
    assert.isTrue(answer.bytes.equals(await copy()))
    const veterans = await download(service, veteran, `/api/veteran/me/documents/${link.documentId}/content`)
    assert.isFalse(answer.bytes.equals(veterans.bytes))
    assert.include(await ask(answer.bytes, "pdfsig"), "Signature is Valid.")
    const texts = await Promise.all([answer.bytes, veterans.bytes].map((pdf) => ask(pdf, "pdftotext")))
    assert.deepStrictEqual(texts.map((text) => unbroken(text).includes("Veteran’s copy")), [false, true])
    assert.include(unbroken(texts[0]!), "Sean O'Hara")
  })

  test("answers once for each code, and the veteran gets one mail about the first view", async () => {
    const notices = async () => {
      await noMailWaits(superuser)
      const mails = (await mailsOf(service)).filter(({ headers }) =>
        headers.get("subject") === "Your document was viewed"
      )
      return mails.map(({ headers }) => headers.get("to"))
    }
    const earlier = await notices()
    assert.isNull(await viewedAt())
    const first = await verified(service, link)
    assert.deepStrictEqual([await viewedAt(), await notices()], [null, earlier])
    assert.deepStrictEqual(await refusal(first), [200, undefined])
    const seen = await viewedAt()
    assert.match(seen, /^\d{4}-\d\d-\d\dT/)
    assert.deepStrictEqual(await notices(), [...earlier, "eagle@example.org"])
    assert.deepStrictEqual(await refusal(first), used)
    await waitForNextCode(superuser, link)
    const second = await view(service, await verified(service, link))
    assert.isTrue(second.bytes.equals(await copy()))
    assert.deepStrictEqual(await refusal(first), used)
    assert.deepStrictEqual([await viewedAt(), await notices()], [seen, [...earlier, "eagle@example.org"]])
  })

  test("answers exactly one of 20 parallel requests with the same session", async () => {
    const session = await given()
    const answers = await Promise.all(Array.from({ length: 20 }, () => view(service, session)))
    assert.deepStrictEqual(answers.map(({ error }) => error ?? "sent").sort(), [
      "sent",
      ...Array.from({ length: 19 }, () => "view_session_used")
    ])
  })

  test("refuses a session after 5 minutes by the database's clock", async () => {
    const [early, late] = [await given(), await given()]
    await move("created_at", "4 minutes 50 seconds")
    assert.deepStrictEqual(await refusal(early), [200, undefined])
    await move("created_at", "10 seconds")
    assert.deepStrictEqual(await refusal(late), expired)
    assert.deepStrictEqual(await refusal(late, 0), expired)
  })
})

describe("POST /api/secure-links/status", () => {
  const ask = (viewSession: string) => step(service, "status", { viewSession })

  test("tells whether a document that was viewed may still be shown; no cache keeps the answer", async () => {
    const session = await verified(service, link)
    await view(service, session)
    const account = async () => [
      await listLinks(service, veteran),
      (await call(service, "GET", "/api/veteran/me/disclosures", { headers: veteran.headers })).json
    ]
    // Otherwise the service would do so within a minute, and the account tells it.
    await drain(service)
    const before = await account()
    const { headers, json, status } = await ask(session)
    assert.deepStrictEqual([status, json, headers.get("cache-control")], [200, { status: "active" }, "no-store"])
    assert.deepStrictEqual(await account(), before)
  })

  test("does not spend the view: the document can still be viewed once", async () => {
    const session = await given()
    assert.strictEqual((await ask(session)).status, 200)
    assert.deepStrictEqual([await refusal(session), await refusal(session)], [[200, undefined], used])
  })
})

/** Receives the whole document, or the rest of it, on a connection that breaks afterwards. */
const takeAndBreak = async (session: string, offset?: number) => {
  const taken = await takeView(service, session, offset)
  await taken.reset()
  return taken
}

describe("POST /api/secure-links/view with an offset", () => {
  test("answers with the rest of the document, and states which part of the whole it is", async () => {
    const session = await given()
    const { bytes: { length: size }, headers } = await takeAndBreak(session)
    const whole = await copy()
    for (const offset of [0, 1, size - 1]) {
      const answer = await takeAndBreak(session, offset)
      assert.deepStrictEqual([answer.status, answer.headers.get("content-range")], [
        206,
        `bytes ${offset}-${size - 1}/${size}`
      ])
      assert.isTrue(answer.bytes.equals(whole.subarray(offset)))
      const same = ["content-type", "content-disposition", "cache-control", "content-security-policy"]
      assert.deepStrictEqual(same.map((name) => answer.headers.get(name)), same.map((name) => headers.get(name)))
      assert.strictEqual(answer.headers.get("content-length"), `${size - offset}`)
    }
    for (const offset of [size, size + 1, Number.MAX_SAFE_INTEGER]) {
      assert.deepStrictEqual([offset, ...await refusal(session, offset)], [offset, ...invalid])
    }
    assert.deepStrictEqual(await refusal(session), used)
  })

  test("is refused after the client received everything and closed the connection; another session is answered", async () => {
    const [session, other] = [await given(), await given()]
    const taken = await takeView(service, session)
    await taken.close()
    for (const offset of [0, 1, taken.bytes.length - 1]) assert.deepStrictEqual(await refusal(session, offset), used)
    // The other session came from another code, so it has its own view.
    assert.deepStrictEqual(await refusal(other, 0), [206, undefined])
  })

  test("is refused after the client received everything on a connection that it had asked to close", async () => {
    const session = await given()
    const begun = await beginView(service, session)
    const { bytes: { length: size }, complete } = await begun.rest()
    assert.isTrue(complete)
    assert.deepStrictEqual(await refusal(session, size - 1), used)
  })

  test("is refused on the connection that received the whole document", async () => {
    const session = await given()
    const taken = await takeView(service, session)
    const again = await taken.again(0)
    assert.deepStrictEqual([again.status, again.error], used)
    await taken.reset()
    // A finished view stays finished, even if the connection breaks afterwards.
    assert.deepStrictEqual(await refusal(session, 0), used)
  })

  test("is answered on a second connection while the first is idle, because the first may be dead", async () => {
    const session = await given()
    const taken = await takeView(service, session)
    assert.strictEqual((await takeAndBreak(session, 0)).status, 206)
    // The service keeps the first connection open, because a proxy may already use it for another client.
    assert.deepStrictEqual((await taken.again()).error, "view_session_used")
  })

  test("refuses a malformed offset, and leaves the session unchanged", async () => {
    const session = await given()
    for (const offset of [-1, 0.5, "0", "", true, [0], 2 ** 53, -1e300]) {
      assert.deepStrictEqual([offset, ...await refusal(session, offset)], [offset, ...invalid])
    }
    assert.deepStrictEqual(await refusal(session), [200, undefined])
  })

  test("is still answered up to 60 seconds after the transfer broke off", async () => {
    const session = await given()
    await takeAndBreak(session)
    await move("broke_at", "50 seconds")
    assert.strictEqual((await takeAndBreak(session, 0)).status, 206)
    // A resume that makes no progress does not restart the 60 seconds.
    await move("broke_at", "11 seconds")
    assert.deepStrictEqual([await refusal(session, 0), await refusal(session)], [used, used])
  })

  test("is answered only for the session that began the view", async () => {
    const [begun, other] = [await given(), await given()]
    await view(service, begun)
    assert.deepStrictEqual(await refusal(other, 100), invalid)
    assert.deepStrictEqual(await refusal("A".repeat(43), 100), expired)
    const stranger = await createLink(service, veteran, { documentId })
    const [foreign] = await giveSessions(service, superuser, [stranger])
    assert.deepStrictEqual(await refusal(foreign!, 100), invalid)
  })

  test("begins a view if the offset is 0, and refuses a greater offset before the first view", async () => {
    const session = await given()
    assert.deepStrictEqual([await refusal(session, 1), await viewedAt()], [invalid, null])
    const answer = await view(service, session, 0)
    assert.strictEqual(answer.status, 206)
    assert.isTrue(answer.bytes.equals(await copy()))
    assert.isNotNull(await viewedAt())
    assert.deepStrictEqual(await refusal(session), used)
  })
})
