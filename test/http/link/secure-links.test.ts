import { decodeQR } from "qr/decode.js"
import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { instant, uuid } from "../../support/Formats.ts"
import { revokeRelease, sign, signed, upload } from "../release/Releases.ts"
import { createLink, expire, listLinks, mailsOf, recipientEmail, revokeLink, step, verified, view } from "./Links.ts"

const hour = 3_600_000

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

let veteran: SignedIn

let documentId: string

beforeEach(async () => {
  veteran = await signInVeteran(service)
  documentId = await newRelease()
})

const newRelease = async (changes: Record<string, unknown> = {}, by = veteran): Promise<string> =>
  (await signed(service, by, changes)).document.id

const path = "/api/veteran/me/secure-links"

const create = (changes: Record<string, unknown> = {}) =>
  call(service, "POST", path, {
    headers: veteran.headers,
    body: { documentId, recipientName: "Jane Gray", recipientEmail, ...changes }
  })

const list = (query = "", by = veteran) => call(service, "GET", `${path}${query}`, { headers: by.headers })

const onlyLink = async () => (await listLinks(service, veteran))[0]

describe("POST /api/veteran/{veteranId}/secure-links", () => {
  test("answers with the link, its URL and a QR code of the URL; no cache keeps the answer", async () => {
    const answer = await create()
    assert.strictEqual(answer.status, 201)
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    assert.deepStrictEqual(Object.keys(answer.json).sort(), ["link", "qrSvg", "url", "warnings"])
    const { link, url } = answer.json
    assert.match(url, /^http:\/\/localhost:8081\/link#[\w-]{45}$/)
    assert.match(link.id, uuid)
    assert.match(link.createdAt, instant)
    assert.deepStrictEqual(link, {
      id: link.id,
      documentId,
      recipientName: "Jane Gray",
      recipientEmail,
      status: "active",
      createdAt: link.createdAt,
      expiresAt: link.expiresAt,
      disabledAt: null,
      notifiedAt: null,
      openedAt: null,
      codeSentAt: null,
      viewedAt: null,
      smartHealthLink: false,
      viewedVia: null,
      claimedRecipient: null
    })
    const listed = await list()
    assert.deepStrictEqual(listed.json, { items: [link], nextCursor: null })
    assert.notInclude(listed.text, url.split("#")[1])
  })

  test("warns of an address that the release does not name, and makes the link and mails it nevertheless", async () => {
    const named = async (address: string) => {
      const answer = await create({ recipientEmail: address })
      assert.strictEqual(answer.status, 201)
      return answer.json.warnings
    }
    assert.deepStrictEqual(await named("ada.gray@clinic.example"), [])
    assert.deepStrictEqual(await named("Ada.Gray@Clinic.example"), [])
    const differs = [{
      code: "recipient_differs",
      message: "The release names another recipient address than this link. Check to whom the link goes."
    }]
    assert.deepStrictEqual(await named("frontdesk@valley-clinic.example"), differs)
    const email = "records@valley-clinic.example"
    const { link, warnings } = (await create({ recipientEmail: email, notifyRecipient: true })).json
    assert.deepStrictEqual(warnings, differs)
    assert.match(link.notifiedAt, instant)
    assert.lengthOf((await mailsOf(service)).filter(({ headers }) => headers.get("to") === email), 1)
  })

  test("makes a link that lasts as long as expiresInHours says, but never longer than its release", async () => {
    for (const [expiresInHours, hours] of [[undefined, 72], [1, 1], [720, 720]] as const) {
      const { link } = (await create({ expiresInHours })).json
      assert.strictEqual(Date.parse(link.expiresAt) - Date.parse(link.createdAt), hours * hour)
    }
    const date = new Date(Date.now() + 24 * hour).toISOString().slice(0, 10)
    const { document } = (await sign(service, veteran, { expiration: { date } })).json
    const { link } = (await create({ documentId: document.id, expiresInHours: 720 })).json
    assert.strictEqual(link.expiresAt, document.release.endsAt)
  })

  test("accepts every text at its maximum length", async () => {
    const longest = {
      recipientName: "W".repeat(200),
      recipientEmail: `${"a".repeat(64)}@${["b", "c", "d"].map((letter) => letter.repeat(61)).join(".")}.eee`
    }
    const { json, status } = await create(longest)
    assert.deepStrictEqual([status, { ...json.link, ...longest }], [201, json.link])
    assert.strictEqual(longest.recipientEmail.length, 254)
  })

  const refused: ReadonlyArray<readonly [what: string, changes: Record<string, unknown>, member: string]> = [
    ["0 hours", { expiresInHours: 0 }, "expiresInHours"],
    ["721 hours", { expiresInHours: 721 }, "expiresInHours"],
    ["hours that are not a whole number", { expiresInHours: 1.5 }, "expiresInHours"],
    ["hours as text", { expiresInHours: "72" }, "expiresInHours"],
    ["no name", { recipientName: undefined }, "recipientName"],
    ["a blank name", { recipientName: " \t\u00a0" }, "recipientName"],
    ["a name that is too long", { recipientName: "W".repeat(201) }, "recipientName"],
    ["a name with NUL", { recipientName: "Jane\0Gray" }, "recipientName"],
    ["a name with a lone surrogate", { recipientName: "Jane \ud800" }, "recipientName"],
    ["no e-mail", { recipientEmail: undefined }, "recipientEmail"],
    ["two e-mails", { recipientEmail: "jane@clinic.example,eve@clinic.example" }, "recipientEmail"],
    ["an e-mail with a line break", { recipientEmail: "j@clinic.example\r\nBcc: e@x.example" }, "recipientEmail"],
    ["an e-mail that is too long", { recipientEmail: `${"a".repeat(64)}@${"b.".repeat(95)}b` }, "recipientEmail"],
    ["no document", { documentId: undefined }, "documentId"],
    ["a malformed document id", { documentId: "first" }, "documentId"],
    ["a flag that is text", { notifyRecipient: "true" }, "notifyRecipient"],
    ["a token that the caller chose", { token: "x".repeat(43) }, "token"]
  ]
  test("refuses what is malformed or missing, and makes no link", async () => {
    for (const [what, changes, member] of refused) {
      const answer = await create(changes)
      assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"], what)
      assert.deepStrictEqual(answer.json.issues.map(({ path }: { path: unknown }) => path), [[member]], what)
    }
    assert.deepStrictEqual(await listLinks(service, veteran), [])
  })

  const others: Record<string, () => Promise<unknown>> = {
    "an upload": async () => documentId = (await upload(service, veteran, "text")).json.id,
    "a release that was revoked": () => revokeRelease(service, veteran, documentId),
    "a release that was replaced": () => newRelease({ supersedes: documentId }),
    "a release that has expired": () => expire(superuser, "documents.ends_at", documentId)
  }
  test.each(Object.entries(others))("answers 409 for %s", async (_what, make) => {
    await make()
    const answer = await create()
    assert.deepStrictEqual([answer.status, answer.json.error], [409, "conflict"])
    assert.deepStrictEqual(await listLinks(service, veteran), [])
  })

  test("mails the link's URL to the recipient if requested, without naming veteran or record", async () => {
    const email = "asked@clinic.example"
    const { link, url } = (await create({ recipientEmail: email, notifyRecipient: true })).json
    assert.match(link.notifiedAt, instant)
    assert.deepStrictEqual(await onlyLink(), link)
    const [mail, ...more] = (await mailsOf(service)).filter(({ headers }) => headers.get("to") === email)
    assert.deepStrictEqual(more, [])
    assert.strictEqual(mail!.headers.get("subject"), "A document was shared with you")
    for (const part of [mail!.text, mail!.html]) {
      assert.include(part, url)
      assert.notMatch(part, /Eagle|O.Hara|Sean|Condition|Medication|health/i)
    }
    assert.notInclude(mail!.headers.get("subject"), url.split("#")[1])
  })

  test("sends no mail when notifyRecipient is missing or false", async () => {
    for (const notifyRecipient of [undefined, false]) {
      const email = `unasked-${notifyRecipient}@clinic.example`
      assert.strictEqual((await create({ recipientEmail: email, notifyRecipient })).json.link.notifiedAt, null)
      const mails = (await mailsOf(service)).filter(({ raw }) => raw.includes(email))
      assert.deepStrictEqual(mails, [])
    }
  })

  test("makes 20 different tokens", async () => {
    const links = await Promise.all(Array.from({ length: 20 }, () => createLink(service, veteran, { documentId })))
    assert.strictEqual(new Set(links.map(({ token }) => /^[\w-]{45}$/.exec(token)![0])).size, 20)
  })
})

/** The SVG contains its own white background, so a page's background does not show through. */
const svgForm =
  /^<svg viewBox="0 0 (\d+) \1" xmlns="[^"]+"><rect width="100%" height="100%" fill="#fff"\/><path d="(.+)"\/><\/svg>$/

/**
 * Returns the rows of modules of a QR code's SVG, including its margin. Each dark module is a separate path around a
 * unit square.
 */
const modulesOf = (svg: string) => {
  const [, size, outline] = svgForm.exec(svg)!
  const rows = Array.from({ length: Number(size) }, () => new Uint8Array(Number(size)))
  const squares = [...outline!.matchAll(/(M|m)(-?\d+) ?(-?\d+)h1v1(?:H\d+|h-1)Z/g)]
  assert.strictEqual(squares.map(([square]) => square).join(""), outline)
  let [x, y] = [0, 0]
  for (const [, command, across, down] of squares) {
    ;[x, y] = [Number(across) + (command === "m" ? x : 0), Number(down) + (command === "m" ? y : 0)]
    rows[y]![x] = 1
  }
  return rows
}

describe("The QR code", () => {
  test("encodes the link's URL with error correction level M, in a quiet zone of 4 modules", async () => {
    const { qrSvg, url } = (await create()).json
    const rows = modulesOf(qrSvg)
    const [scale, size] = [4, rows.length * 4]
    const data = new Uint8Array(size * size * 4)
    for (let at = 0; at < size * size; at++) {
      const dark = rows[Math.floor(at / size / scale)]![Math.floor((at % size) / scale)] === 1
      data.fill(dark ? 0 : 255, at * 4, at * 4 + 3).fill(255, at * 4 + 3, at * 4 + 4)
    }
    assert.strictEqual(decodeQR({ width: size, height: size, data }, { timeLimit: 10_000 }), url)
    // ISO/IEC 18004, 7.9.1: row 8 begins with the two bits of the level. The level M is 00; the mask makes it 10.
    const margin = rows.findIndex((row) => row.includes(1))
    assert.deepStrictEqual([...rows[margin + 8]!.subarray(margin, margin + 2)], [1, 0])
    // ISO/IEC 18004, 9.1, requires the quiet zone.
    assert.isAtLeast(margin, 4)
  })
})

describe("GET /api/veteran/{veteranId}/secure-links", () => {
  test("lists a veteran's own links, newest first, page by page", async () => {
    const made: Array<string> = []
    for (let n = 0; n < 5; n++) made.unshift((await createLink(service, veteran, { documentId })).id)
    const other = await signInVeteran(service)
    const foreign = await createLink(service, other)
    assert.deepStrictEqual((await listLinks(service, other)).map(({ id }: { id: string }) => id), [foreign.id])
    const pages: Array<Array<string>> = []
    for (let query = "?limit=2"; query !== "";) {
      const { items, nextCursor } = (await list(query)).json
      pages.push(items.map(({ id }: { id: string }) => id))
      query = nextCursor === null ? "" : `?limit=2&cursor=${nextCursor}`
    }
    assert.deepStrictEqual(pages, [made.slice(0, 2), made.slice(2, 4), made.slice(4)])
    const { nextCursor } = (await list("?limit=1")).json
    for (const query of ["?limit=0", "?limit=201", "?cursor=x"]) assert.strictEqual((await list(query)).status, 400)
    assert.strictEqual((await list(`?cursor=${nextCursor}`, other)).status, 400)
  })

  test("shows the state of a link after each step", async () => {
    const link = await createLink(service, veteran, { documentId })
    const told = async () => {
      const { codeSentAt, openedAt, status, viewedAt } = await onlyLink()
      return [status, ...[openedAt, codeSentAt, viewedAt].map((at) => at === null ? at : instant.test(at))]
    }
    assert.deepStrictEqual(await told(), ["active", null, null, null])
    await step(service, "open", { token: link.token })
    assert.deepStrictEqual(await told(), ["active", true, null, null])
    const session = await verified(service, link)
    assert.deepStrictEqual(await told(), ["active", true, true, null])
    assert.strictEqual((await view(service, session)).status, 200)
    assert.deepStrictEqual(await told(), ["active", true, true, true])
    const { openedAt, viewedAt } = await onlyLink()
    await step(service, "open", { token: link.token })
    await revokeLink(service, veteran, link)
    assert.deepStrictEqual(await told(), ["disabled", true, true, true])
    const ended = await onlyLink()
    assert.deepStrictEqual([ended.openedAt, ended.viewedAt], [openedAt, viewedAt])
  })
})

describe("POST /api/veteran/{veteranId}/secure-links/{linkId}/revoke", () => {
  test("disables a link immediately and permanently; a repeated revoke changes nothing", async () => {
    const { link } = (await create()).json
    const first = await revokeLink(service, veteran, link)
    assert.strictEqual(first.status, 200)
    assert.match(first.json.disabledAt, instant)
    assert.deepStrictEqual(first.json, { ...link, status: "disabled", disabledAt: first.json.disabledAt })
    const again = await Promise.all(Array.from({ length: 8 }, () => revokeLink(service, veteran, link)))
    for (const { json, status } of again) assert.deepStrictEqual([status, json], [200, first.json])
    await expire(superuser, "secure_links.expires_at", link.id)
    assert.deepStrictEqual((await onlyLink()).status, "disabled")
  })

  test("leaves an expired link expired, and so does a later revoke of its release", async () => {
    const { link } = (await create()).json
    await expire(superuser, "secure_links.expires_at", link.id)
    const answer = await revokeLink(service, veteran, link)
    assert.deepStrictEqual([answer.status, answer.json.status, answer.json.disabledAt], [200, "expired", null])
    await revokeRelease(service, veteran, documentId)
    assert.deepStrictEqual(await onlyLink(), answer.json)
  })

  test.each(["revoked", "superseded"])("is unnecessary if the release was %s: its link is disabled", async (how) => {
    const { link } = (await create()).json
    if (how === "revoked") await revokeRelease(service, veteran, documentId)
    else await newRelease({ supersedes: documentId })
    const { disabledAt, ...ended } = await onlyLink()
    assert.match(disabledAt, instant)
    assert.deepStrictEqual({ ...ended, disabledAt: null }, { ...link, status: "disabled" })
  })
})
