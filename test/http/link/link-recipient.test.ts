import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, portalOrigin, signInVeteran } from "../../support/Client.ts"
import { nobody, uuid } from "../../support/Formats.ts"
import { send } from "../../support/Raw.ts"
import { until } from "../../support/Until.ts"
import { giveSessions, recipientCopy } from "../document/Copies.ts"
import { revokeRelease, sign } from "../release/Releases.ts"
import {
  challenge,
  createLink,
  expire,
  laterChallenge,
  type Link,
  listLinks,
  revokeLink,
  step,
  verified,
  view
} from "./Links.ts"
import { takeView } from "./TakenView.ts"

const steps = ["open", "otp", "otp/verify", "view", "status"] as const

type Step = typeof steps[number]

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const veteran = await signInVeteran(service)

const documentId = (await sign(service, veteran)).json.document.id

const newLink = (changes: Record<string, unknown> = {}) => createLink(service, veteran, { documentId, ...changes })

const ofSession = (name: Step) => name === "view" || name === "status"

const bodyOf = (name: Step, token: string, viewSession = token) =>
  ofSession(name)
    ? { viewSession }
    : name === "otp/verify"
    ? { token, challengeId: nobody, code: "12345678" }
    : { token }

/** Reads a link and all its dependent rows as text, each with the transaction that last wrote it. */
const storedOf = async ({ id }: Link) => {
  const { rows } = await superuser.query(
    `select l::text as row, xmin::text from secure_links l where id = $1
     union all select o::text, xmin::text from secure_link_otps o where link_id = $1
     union all select v::text, xmin::text from secure_link_view_sessions v where link_id = $1`,
    [id]
  )
  return rows
}

const withoutId = (json: object) => ({ ...json, requestId: "" })

test("A recipient opens a link, requests a code, enters it and reads the document", async () => {
  const link = await newLink()
  const opened = await step(service, "open", { token: link.token })
  const { expiresAt } = (await listLinks(service, veteran))[0]
  const recipientHint = "j•••@clinic.example"
  assert.deepStrictEqual([opened.status, opened.json], [200, { status: "active", recipientHint, expiresAt }])
  const sent = await step(service, "otp", { token: link.token })
  const { challengeId } = sent.json
  assert.match(challengeId, uuid)
  assert.deepStrictEqual([sent.status, sent.json], [202, { challengeId, expiresIn: 600, resendAfter: 30 }])
  const proven = await step(service, "otp/verify", {
    token: link.token,
    ...await laterChallenge(service, superuser, link)
  })
  const { viewSession } = proven.json
  assert.match(viewSession, /^[\w-]{45}$/)
  assert.deepStrictEqual([proven.status, proven.json], [200, { viewSession, expiresIn: 300 }])
  for (const { headers } of [opened, sent, proven]) assert.strictEqual(headers.get("cache-control"), "no-store")
  const { bytes, status } = await view(service, viewSession)
  assert.strictEqual(status, 200)
  assert.isTrue(bytes.equals(await recipientCopy(service, superuser, documentId)))
  for (const secret of [link.token, viewSession]) assert.notInclude(service.output(), secret)
})

test.each([
  ["j@clinic.example", "j•••@clinic.example"],
  ["jane.gray+records@mail.clinic.example", "j•••@mail.clinic.example"],
  ["Jane@clinic.example", "J•••@clinic.example"],
  [".jane@clinic.example", ".•••@clinic.example"]
])("Opening a link to %s shows the masked address %s", async (recipientEmail, hint) => {
  const { token } = await newLink({ recipientEmail })
  assert.strictEqual((await step(service, "open", { token })).json.recipientHint, hint)
})

describe("A token that was never issued", () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  const wrong: Record<string, (token: string) => string> = {
    "another token of the same form": () => "A".repeat(43),
    "the token cut short": (token) => token.slice(1),
    "the token with a letter added": (token) => `${token}A`,
    "the token with a space added": (token) => `${token} `,
    "the token with one letter in upper case": (token) => token.replace(/[a-z]/, (letter) => letter.toUpperCase()),
    // The token does not use the two lowest bits of the last letter.
    "another spelling of the same bits": (token) => token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1)!) ^ 1],
    "another alphabet": () => "+/=".repeat(14),
    "letters beyond ASCII": () => "é".repeat(43)
  }
  test.each(Object.entries(wrong))(
    "is refused by every step like any other unknown token: %s",
    async (_what, change) => {
      const token = change((await newLink()).token)
      const { json: unknown } = await step(service, "open", { token: "unknown" })
      for (const name of steps.slice(0, 3)) {
        const answer = await step(service, name, bodyOf(name, token))
        assert.deepStrictEqual([answer.status, answer.json.error], [404, "link_not_found"])
        assert.deepStrictEqual(withoutId(answer.json), withoutId(unknown))
      }
      for (const name of ["view", "status"] as const) {
        const answer = await step(service, name, { viewSession: token })
        assert.deepStrictEqual([answer.status, answer.json.error], [410, "view_session_expired"])
      }
    }
  )
})

describe("Each step", () => {
  const token = "A".repeat(43)
  const attempt = { token, challengeId: nobody, code: "1234 5678" }
  test.each<[Step, object, string]>([
    ...(["open", "otp"] as const).flatMap((name): Array<[Step, object, string]> => [
      [name, {}, "token"],
      [name, { token: "" }, "token"],
      [name, { token: "A".repeat(201) }, "token"],
      [name, { token: [token] }, "token"],
      [name, { token, email: "eve@clinic.example" }, "email"]
    ]),
    ["otp/verify", { ...attempt, token: " " }, "token"],
    ["otp/verify", { ...attempt, challengeId: "first" }, "challengeId"],
    ["otp/verify", { ...attempt, code: 12345678 }, "code"],
    ["otp/verify", { ...attempt, code: "" }, "code"],
    ["otp/verify", { ...attempt, code: "1".repeat(41) }, "code"],
    ["view", { viewSession: token, token }, "token"],
    ["status", { viewSession: token, token }, "token"]
  ])("refuses a malformed body: %s %j", async (name, body, member) => {
    const answer = await step(service, name, body)
    assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"])
    assert.deepStrictEqual(answer.json.issues.map(({ path }: { path: unknown }) => path), [[member]])
  })

  test.each(steps)("accepts a JSON body of at most 4 KiB: %s", async (name) => {
    const post = (body: string, type = "application/json") =>
      call(service, "POST", `/api/secure-links/${name}`, { headers: { "content-type": type }, body })
    const body = JSON.stringify(bodyOf(name, token))
    assert.strictEqual((await post(body.padEnd(4096))).status, ofSession(name) ? 410 : 404)
    const refused = [await post(body.padEnd(4097)), await post("{"), await post("")]
    for (const type of ["text/plain", "application/x-www-form-urlencoded"]) refused.push(await post(body, type))
    assert.deepStrictEqual(refused.map(({ json, status }) => `${status} ${json.error}`), ["413 payload_too_large",
      "400 invalid_json", "400 invalid_json", "415 unsupported_media_type", "415 unsupported_media_type"])
  })
})

describe("An ended link", () => {
  const ends: ReadonlyArray<readonly [how: string, error: string, end: (link: Link) => Promise<unknown>]> = [
    ["was revoked", "link_disabled", (link) => revokeLink(service, veteran, link)],
    ["has expired", "link_expired", ({ id }) => expire(superuser, "secure_links.expires_at", id)],
    ["lost its release, which was revoked", "link_disabled",
      ({ documentId }) => revokeRelease(service, veteran, documentId)],
    [
      "lost its release, which was replaced",
      "link_disabled",
      (link) => sign(service, veteran, { supersedes: link.documentId })
    ]
  ]
  test.each(ends)(
    "is refused at every step with the reason, and stays unchanged: it %s",
    async (_how, error, end) => {
      const link = await createLink(service, veteran)
      const [viewed, viewSession] = await giveSessions(service, superuser, [link, link])
      const taken = await takeView(service, viewed!)
      assert.strictEqual(taken.status, 200)
      await taken.reset()
      const ended =
        "select from secure_link_view_sessions where link_id = $1 and sent_bytes > 0 and transfer_id is null"
      await until("its end is noted", async () => (await superuser.query(ended, [link.id])).rowCount === 1)
      const next = await challenge(service, link)
      await end(link)
      const before = await storedOf(link)
      const answers = [
        await step(service, "open", { token: link.token }),
        await step(service, "otp", { token: link.token }),
        await step(service, "otp/verify", { token: link.token, ...next }),
        await step(service, "view", { viewSession }),
        await step(service, "view", { viewSession, offset: 1 }),
        await step(service, "view", { viewSession: viewed }),
        await step(service, "view", { viewSession: viewed, offset: 0 }),
        await step(service, "status", { viewSession }),
        await step(service, "status", { viewSession: viewed })
      ]
      assert.deepStrictEqual(
        answers.map(({ json, status }) => `${status} ${json.error}`),
        Array(9).fill(`410 ${error}`)
      )
      assert.deepStrictEqual(await storedOf(link), before)
    }
  )

  test("shows nothing if its release has expired by the database's clock, even if the link has not", async () => {
    const link = await createLink(service, veteran)
    const session = await verified(service, link)
    await expire(superuser, "documents.ends_at", link.documentId)
    const answer = await view(service, session)
    assert.deepStrictEqual([answer.status, answer.error], [410, "link_expired"])
  })
})

describe("A request to a step by a method other than POST", () => {
  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])("has no effect on any step: %s", async (method) => {
    const link = await newLink()
    const viewSession = await verified(service, link)
    const { challengeId } = await laterChallenge(service, superuser, link)
    const before = await storedOf(link)
    for (const name of steps) {
      const secret = ofSession(name) ? viewSession : link.token
      const body = JSON.stringify({ ...bodyOf(name, secret), ...(name === "otp/verify" ? { challengeId } : {}) })
      for (const query of ["", `?token=${link.token}&viewSession=${viewSession}`]) {
        const headers = { "content-type": "application/json", "content-length": `${body.length}`, origin: portalOrigin }
        const answer = await send(service, method, `/api/secure-links/${name}${query}`, { headers, body })
        assert.strictEqual(answer.status, method === "OPTIONS" ? 204 : 405)
        if (method !== "OPTIONS") assert.strictEqual(answer.headers.get("allow"), "POST")
      }
    }
    assert.deepStrictEqual(await storedOf(link), before)
    assert.strictEqual((await view(service, viewSession)).status, 200)
  })

  test("cannot pass a token in its path or query, and neither can a POST", async () => {
    const link = await newLink()
    const before = await storedOf(link)
    for (const place of [`open/${link.token}`, link.token, `${link.token}/open`]) {
      for (const method of ["GET", "POST"]) {
        assert.strictEqual((await call(service, method, `/api/secure-links/${place}`)).status, 404)
      }
    }
    for (const name of steps.slice(0, 2)) {
      const answer = await call(service, "POST", `/api/secure-links/${name}?token=${link.token}`, { body: {} })
      assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"])
    }
    assert.deepStrictEqual(await storedOf(link), before)
    const { paths } = (await call(service, "GET", "/api/openapi.json")).json
    const own = Object.entries<any>(paths).filter(([path]) => path.startsWith("/api/secure-links"))
    const names = steps.toSorted()
    assert.deepStrictEqual(own.map(([path]) => path).sort(), names.map((name) => `/api/secure-links/${name}`))
    for (const [, methods] of own) {
      assert.deepStrictEqual(Object.keys(methods), ["post"])
      assert.deepStrictEqual(methods.post.parameters ?? [], [])
    }
  })
})

test("A locked link does not delay requests for other links", async () => {
  const { id, token } = await newLink()
  const blocker = await database.connect("superuser")
  await blocker.query("begin")
  await blocker.query("select from secure_links where id = $1 for update", [id])
  let isWaiting = true
  const opened = Promise.all(Array.from({ length: 6 }, () => step(service, "open", { token })))
    .finally(() => isWaiting = false)
  const others = await Promise.all(
    Array.from({ length: 12 }, () => call(service, "GET", "/api/veteran/me", { headers: veteran.headers }))
  )
  assert.deepStrictEqual([isWaiting, others.map(({ status }) => status)], [true, others.map(() => 200)])
  await blocker.query("rollback")
  assert.isTrue((await opened).every(({ status }) => status === 200))
})
