import { createHash, randomBytes } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, test } from "vitest"
import { openApp } from "../support/App.ts"
import { asAdmin, bearer, call, giveGrant, type SignedIn, withExchangeSecret } from "../support/Client.ts"
import { atVa, newDevice, operatorCode, pair, proofOf, signInPath } from "../support/Device.ts"
import { openMailbox } from "../support/Mailbox.ts"
import { adminSecret, exchangeSecret } from "../support/Service.ts"
import { resource, sync } from "../support/Sync.ts"
import { until } from "../support/Until.ts"
import { openVaIssuer } from "../support/VaIssuer.ts"
import { askManifest, createAppLink, takeFile } from "./link/AppLinks.ts"
import { createLink, recipientCode, revokeLink, step, view, wrong } from "./link/Links.ts"
import { release, sign, upload } from "./release/Releases.ts"
import { readPatientRecord, writeNote } from "./Sharing.ts"

const appSecret = "app secret of the sweep, at least 32 bytes"

const mailbox = await openMailbox()

afterAll(mailbox.close)

const va = await openVaIssuer()

const { database, service } = await openApp({
  ...va.environment,
  SMTP_URL: mailbox.url,
  ADMIN_EMAIL: "chief@clinic.example",
  PROVIDER_PORTAL_URL: "https://portal.example",
  APP_SECRET: appSecret
})

const superuser = await database.connect("superuser")

/** Makes a word that occurs nowhere else. It has no digits, because a mail leaves out names that look like numbers. */
const word = (name: string) => name + Array.from(randomBytes(12), (byte) => "abcdefghijklmnop"[byte % 16]).join("")

const person = {
  vaPatientId: word("icn"),
  callSign: word("Nightjar"),
  email: `${word("veteran")}@home.example`,
  fullName: `Ignatius ${word("Quillfeather")}`,
  dateOfBirth: "1931-07-19"
}

const provider = {
  email: `${word("doctor")}@clinic.example`,
  password: `${word("password")} of theirs`,
  displayName: word("Doctor"),
  organization: word("Clinic")
}

const health = {
  resource: word("glioblastoma"),
  entry: word("tremor"),
  note: word("relapse"),
  file: word("metastasis"),
  fileName: `${word("biopsy")}.txt`
}

const roiRecipient = {
  name: `Xanthe ${word("Brambleworth")}`,
  organization: word("Practice"),
  email: `${word("xanthe")}@practice.example`
}

const linkRecipient = { name: `Yolanda ${word("Featherstone")}`, email: `${word("yolanda")}@clinic.example` }

const appRecipient = { name: `Zebulon ${word("Applegarth")}`, email: `${word("zebulon")}@clinic.example` }

const device = { subject: word("00u"), name: word("Phone") }

const signup = `${word("waiting")}@list.example`

const unknownToken = word("unknown")

const register = async (kind: "veterans" | "providers", body: unknown): Promise<string> => {
  const registered = await call(service, "POST", `/api/admin/${kind}`, { headers: asAdmin, body })
  assert.strictEqual(registered.status, 201, registered.text)
  return registered.json.id
}

const mailedCode = async (token: string) => {
  await superuser.query("update secure_link_otps set created_at = created_at - interval '1 minute'")
  const { json, status } = await step(service, "otp", { token })
  assert.strictEqual(status, 202)
  const code = mailbox.mails.flatMap(({ text }) => recipientCode(text) ?? []).at(-1)!.replace(" ", "")
  return { challengeId: json.challengeId as string, code }
}

/** Signs in by the veteran's app twice: first by the mailed code, and on another device by the operator's code. */
const signInByApp = async (veteranId: string) => {
  const begin = async (subject: string) => {
    const key = await newDevice()
    const signedIn = await atVa(service, va, key, { subject })
    const path = `${signInPath}/session`
    const { dpop } = await proofOf(service, key, path, signedIn.challenge)
    const answer = await call(service, "POST", path, {
      headers: { dpop },
      body: { ...signedIn, vaPatientId: person.vaPatientId, device: { name: device.name } }
    })
    assert.strictEqual(answer.json.error, "pairing_required")
    return { key, dpop, ...signedIn, pairingId: answer.json.pairingId as string }
  }
  const first = await begin(device.subject)
  const mail = await until(
    "the pairing's code",
    async () =>
      mailbox.mails.findLast(({ headers, recipients }) =>
        headers.get("subject") === "Your one-time code" && recipients.includes(person.email)
      )
  )
  const code = /\b(\d{4}) (\d{4})\b/.exec(mail.text)!.slice(1).join("")
  const paired = await pair(service, first.key, first.pairingId, code)
  assert.strictEqual(paired.status, 200, paired.text)
  const second = await begin(word("00u"))
  const byHand = await operatorCode(service, veteranId)
  const again = await pair(service, second.key, second.pairingId, byHand)
  assert.strictEqual(again.status, 200, again.text)
  return {
    code,
    byHand,
    idTokens: [first.idToken, second.idToken],
    proofs: [first.dpop, second.dpop],
    tokens: [paired.json.accessToken, again.json.accessToken] as ReadonlyArray<string>
  }
}

/** Chooses a new password by a mailed link, after one that is refused, and then changes it. */
const choosePasswords = async () => {
  const chosen = { set: word("set password "), changed: word("changed password ") }
  const { email } = provider
  await call(service, "POST", "/api/provider/password/forgot", { body: { email } })
  const { text } = await until(
    "the link is mailed",
    async () => mailbox.mails.findLast(({ headers }) => headers.get("subject") === "Choose a new password")
  )
  const token = /password#([\w-]{43})$/m.exec(text)![1]!
  const set = (token: string, password: string) =>
    call(service, "POST", "/api/provider/password/set", { body: { token, password } })
  assert.strictEqual((await set(token, email)).status, 400)
  assert.strictEqual((await set(token, chosen.set)).status, 204)
  const unknown = randomBytes(32).toString("base64url")
  assert.strictEqual((await set(unknown, chosen.set)).status, 410)
  const { json } = await call(service, "POST", "/api/provider/login", { body: { email, password: chosen.set } })
  const change = (password: string, newPassword: string) =>
    call(service, "POST", "/api/provider/password", {
      headers: bearer(json.accessToken),
      body: { password, newPassword }
    })
  const wrong = word("wrong present password ")
  assert.strictEqual((await change(wrong, chosen.changed)).status, 401)
  assert.strictEqual((await change(chosen.set, chosen.changed)).status, 204)
  return { token, unknown, passwords: [chosen.set, chosen.changed, wrong], session: json.accessToken as string }
}

/** Has an app open a link, after a wrong code. */
const openByApp = async (veteran: SignedIn, documentId: string) => {
  const link = await createAppLink(service, veteran, { documentId, recipientEmail: appRecipient.email })
  const { code } = await mailedCode(link.token)
  const ask = (passcode: string) =>
    askManifest(service, link, { passcode, recipient: appRecipient.name, embeddedLengthMax: 0 })
  const wrongCode = wrong({ code }).code
  assert.strictEqual((await ask(wrongCode)).status, 401)
  const { json } = await ask(code)
  const { pathname } = new URL(json.files[0].location)
  const file = await takeFile(`${service.url}${pathname}`)
  assert.strictEqual(file.status, 200)
  return {
    code,
    wrongCode,
    key: link.key,
    keyBytes: Buffer.from(link.key, "base64url").toString("latin1"),
    manifestId: link.manifestId,
    payload: link.url.split("shlink:/")[1]!,
    ticket: pathname.split("/").at(-1)!,
    token: link.token
  }
}

/**
 * Runs through the whole service once, from the first sync to the revoked link, and returns the secrets that it
 * created.
 */
const play = async () => {
  const { callSign, dateOfBirth, email, fullName, vaPatientId } = person
  const id = await register("veterans", { vaPatientId, callSign, email })
  const session = await call(service, "POST", "/api/auth/veteran/session", {
    headers: withExchangeSecret,
    body: { vaPatientId }
  })
  const veteran = { id, token: session.json.accessToken, headers: bearer(session.json.accessToken) }
  const condition = JSON.stringify({ ...JSON.parse(resource("Condition", "1")), text: health.resource })
  await sync(service, veteran, { Condition: "complete", MedicationRequest: "complete" }, { Condition: [condition] })
  await call(service, "POST", "/api/veteran/me/self-reported-entries", {
    headers: veteran.headers,
    body: { category: "symptom", text: health.entry }
  })
  const uploaded = await upload(service, veteran, `It is a ${health.file}.\n`, health.fileName)
  assert.strictEqual(uploaded.status, 201, uploaded.text)

  const providerId = await register("providers", provider)
  const login = await call(service, "POST", "/api/provider/login", {
    body: { email: provider.email, password: provider.password }
  })
  const doctor = { id: providerId, token: login.json.accessToken, headers: bearer(login.json.accessToken) }
  const wrongPassword = word("wrong password ")
  await call(service, "POST", "/api/provider/login", { body: { email: provider.email, password: wrongPassword } })
  await giveGrant(service, veteran, doctor)
  const record = await readPatientRecord(service, doctor, veteran)
  assert.include(record.text, health.resource)
  assert.strictEqual((await writeNote(service, doctor, veteran, { text: health.note })).status, 201)

  const signed = await sign(service, veteran, {
    veteran: { fullName, dateOfBirth },
    information: { resourceTypes: ["Condition"], documentIds: [uploaded.json.id] },
    recipient: roiRecipient,
    signature: { ...release().signature, typedName: fullName }
  })
  assert.strictEqual(signed.status, 201, signed.text)
  const link = await createLink(service, veteran, {
    documentId: signed.json.document.id,
    notifyRecipient: true,
    recipientName: linkRecipient.name,
    recipientEmail: linkRecipient.email
  })
  const { token } = link
  assert.strictEqual((await step(service, "open", { token })).status, 200)
  assert.strictEqual((await step(service, "open", { token: unknownToken })).status, 404)
  const first = await mailedCode(token)
  assert.strictEqual((await step(service, "otp/verify", { token, ...wrong(first) })).status, 401)
  const second = await mailedCode(token)
  const verified = await step(service, "otp/verify", { token, ...second })
  const { viewSession } = verified.json
  const viewed = await view(service, viewSession)
  assert.strictEqual(viewed.bytes.toString("latin1", 0, 5), "%PDF-")
  const inApp = await openByApp(veteran, signed.json.document.id)
  assert.strictEqual((await revokeLink(service, veteran, link)).status, 200)
  assert.strictEqual((await step(service, "open", { token })).status, 410)
  assert.strictEqual((await call(service, "POST", "/api/waitlist", { body: { email: signup } })).status, 202)
  const byApp = await signInByApp(id)
  const byLink = await choosePasswords()
  await until("every mail is sent", async () => (await superuser.query("select from outbox")).rowCount === 0)
  return {
    token,
    viewSession,
    codes: [first.code, second.code],
    wrongCode: wrong(first).code,
    wrongPassword,
    linkId: link.id,
    byApp,
    byLink,
    inApp,
    accessTokens: [veteran.token, doctor.token, byLink.session, ...byApp.tokens]
  }
}

/** Returns a row's text, followed by its `bytea` values read as Latin-1 and as UTF-8. */
const readable = (row: string) => {
  const bytes = row.matchAll(/\\x([0-9a-f]+)/g).map(([, hex = ""]) => Buffer.from(hex, "hex"))
  return [row, ...bytes.flatMap((one) => [one.toString("latin1"), one.toString("utf8")])].join("\n")
}

/** Reads every place into which a secret may have leaked. */
const places = async (): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  const tables = await superuser.query(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname !~ '^(pg_|information_schema)'"
  )
  for (const { name } of tables.rows) {
    const { rows } = await superuser.query(`select t::text as row from ${name} t`)
    found.set(`table ${name.replace("public.", "")}`, rows.map(({ row }) => readable(row)).join("\n"))
  }
  for (const { headers, html, raw, recipients, text } of mailbox.mails) {
    const place = `${headers.get("subject")} to ${recipients.join()}`
    const [head = "", ...parts] = raw.split(/\r?\n\r?\n/)
    found.set(`head of ${place}`, `${found.get(`head of ${place}`) ?? ""}\n${head}`)
    found.set(`body of ${place}`, [found.get(`body of ${place}`), text, html, ...parts].join("\n"))
  }
  const metrics = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
  found.set("metrics", metrics.text)
  const folder = join(service.directory, ".data")
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const contents = await Promise.all(
    files.map(async ({ name, parentPath }) => `${name}\n${await readFile(join(parentPath, name), "latin1")}`)
  )
  found.set("files", contents.join("\n"))
  await service.stop()
  found.set("log", service.output())
  return found
}

/** Returns a text in clear, in other encodings, and hashed without a key. */
const writings = (text: string): ReadonlyArray<string> => {
  const bytes = Buffer.from(text)
  const hash = createHash("sha256").update(text).digest()
  return [text, encodeURIComponent(text), bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url"),
    bytes.toString("hex"), hash.toString("hex"), hash.toString("base64url"), hash.toString("latin1")].map((one) =>
      one.toLowerCase()
    )
}

test("Secrets and health data are found only in the places that the contract gives them", async () => {
  const made = await play()
  const swept = await places()
  const inLowerCase = [...swept].map(([place, content]) => [place, content.toLowerCase()] as const)
  const whereIs = (secret: string, writtenAs = writings(secret)) =>
    inLowerCase.filter(([, content]) => writtenAs.some((text) => content.includes(text)))
      .map(([place]) => place).sort()
  const toRecipient = (part: string, subject: string) => `${part} of ${subject} to ${linkRecipient.email}`
  const toVeteran = ["A link of yours was opened", "Your document was viewed", "Your one-time code",
    "A new device signed in"].map((subject) => `head of ${subject} to ${person.email}`)
  const invitation = "A document was shared with you"
  const code = "Your one-time code"

  const expected: ReadonlyArray<readonly [what: string, secret: string, places: ReadonlyArray<string>]> = [
    ["the link's token", made.token, [toRecipient("body", invitation)]],
    ["the view session", made.viewSession, []],
    ["an unknown token", unknownToken, []],
    ["the key of a SMART Health Link", made.inApp.key, []],
    ["its bytes", made.inApp.keyBytes, []],
    ["its payload", made.inApp.payload, []],
    ["its page's token", made.inApp.token, []],
    ["its manifest's id", made.inApp.manifestId, []],
    ["its file's ticket", made.inApp.ticket, []],
    ["whom the app names", appRecipient.name, []],
    ...made.accessTokens.flatMap((token) => [
      ["an access token", token, []] as const,
      ["its signature", token.split(".")[2], []] as const
    ]),
    ["the exchange secret", exchangeSecret, []],
    ...[...made.byApp.idTokens, ...made.byApp.proofs].flatMap((token) => [
      ["an id_token or a proof", token, []] as const,
      ["its signature", token.split(".")[2]!, []] as const
    ]),
    ["the operator's pairing code", made.byApp.byHand, []],
    ["the account at the VA", device.subject, []],
    ["the device's name", device.name, []],
    ["the operator's secret", adminSecret, []],
    ["the root key", appSecret, []],
    ["a password", provider.password, []],
    ["a wrong password", made.wrongPassword, []],
    ["a password link's token", made.byLink.token, [`body of Choose a new password to ${provider.email}`]],
    ["an unknown token of a password link", made.byLink.unknown, []],
    ...made.byLink.passwords.map((password) => ["a later password", password, []] as const),
    ...Object.entries(health).map(([what, text]) => [`health data: ${what}`, text, []] as const),
    ["the veteran's name", person.fullName, []],
    ["the veteran's family name", person.fullName.split(" ")[1]!, []],
    ["the veteran's date of birth", person.dateOfBirth, []],
    ...Object.entries(roiRecipient).map(([what, text]) => [`the release's recipient: ${what}`, text, []] as const),
    ["the veteran's call sign", person.callSign, ["table veterans"]],
    ["the veteran's number", person.vaPatientId, ["table veterans"]],
    ["the veteran's e-mail", person.email, [...toVeteran, "table veterans"]],
    [
      "the link's recipient, whom the mails address",
      linkRecipient.name,
      [toRecipient("body", invitation), toRecipient("body", code), "table secure_links"]
    ],
    ["the link recipient's e-mail", linkRecipient.email, [toRecipient("head", invitation), toRecipient("head", code)]],
    [
      "a provider's e-mail",
      provider.email,
      [`head of Choose a new password to ${provider.email}`, `head of Your password was changed to ${provider.email}`,
        "table providers"]
    ],
    ["a provider's name", provider.displayName, ["table providers"]],
    ["a signup", signup, ["body of New waitlist signup to chief@clinic.example", "table waitlist_signups"]]
  ]
  assert.deepStrictEqual(
    expected.map(([what, secret]) => [what, whereIs(secret)]),
    expected.map(([what, , where]) => [what, [...where].sort()])
  )

  // A code counts only if it stands alone. Its eight digits may by chance be part of a longer number or of a hash.
  const whereIsCode = (digits: string) => {
    const spaced = `${digits.slice(0, 4)} ${digits.slice(4)}`
    const [, ...others] = writings(digits)
    const alone = new RegExp(`(?<![0-9a-f])(${digits}|${spaced})(?![0-9a-f])`)
    return new Set([
      ...swept.entries().filter(([, content]) => alone.test(content)).map(([place]) => place),
      ...whereIs(digits, others.filter((text) => text !== digits))
    ])
  }
  for (const digits of made.codes) assert.deepStrictEqual([...whereIsCode(digits)], [toRecipient("body", code)])
  assert.deepStrictEqual([...whereIsCode(made.wrongCode)], [])
  assert.deepStrictEqual([...whereIsCode(made.inApp.code)], [`body of ${code} to ${appRecipient.email}`])
  assert.deepStrictEqual([...whereIsCode(made.inApp.wrongCode)], [])
  assert.deepStrictEqual([...whereIsCode(made.byApp.code)], [`body of ${code} to ${person.email}`])

  // Proves that the places without these secrets were really searched: each place has a text that belongs there.
  const present: ReadonlyArray<readonly [secret: string, place: string]> = [
    ["/api/secure-links/otp/verify", "log"],
    ["/api/secure-links/otp/verify", "metrics"],
    [made.linkId, "table secure_links"],
    [made.linkId, "table secure_link_otps"],
    [made.linkId, "table secure_link_view_sessions"],
    ["/api/auth/veteran/app/pairing", "log"],
    [va.issuer, "table veteran_identities"],
    [".0/24", "table veteran_sessions"],
    ["Condition", "table health_record_items"],
    ["text/plain", "table documents"]
  ]
  for (const [text, place] of present) assert.include(swept.get(place), text)
  assert.isAtLeast(swept.get("files")!.length, 10_000)
  for (const table of ["outbox", "provider_notes", "self_reported_entries", "rate_limit_spendings", "stored_files"]) {
    assert.isTrue(swept.has(`table ${table}`))
  }
})
