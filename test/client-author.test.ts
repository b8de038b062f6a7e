import { createHmac } from "node:crypto"
import { readFile } from "node:fs/promises"
import { assert, describe, test } from "vitest"
import { type FetchStatus, type SyncState, transition } from "../src/domain/SyncState.ts"
import { openPortal } from "./http/account/GoogleSignIns.ts"
import { payloadOf } from "./http/link/AppLinks.ts"
import { mailsOf, recipientCodes, waitForNextCode } from "./http/link/Links.ts"
import { openApp } from "./support/App.ts"
import { newAuthenticator } from "./support/Authenticator.ts"
import { call } from "./support/Client.ts"
import { askChallenge, atVa, newDevice, proofOf, signInByVa, signInPath } from "./support/Device.ts"
import { Names, parseExamples } from "./support/Examples.ts"
import { openOpenIdProvider } from "./support/OpenIdProvider.ts"
import { appEnvironment, appOrigin, passkeyPath } from "./support/Passkeys.ts"
import { differencesOf, isForApps, operationsOf, sendExample } from "./support/RunExamples.ts"
import { adminSecret, drainerSecret, exchangeSecret } from "./support/Service.ts"
import { until } from "./support/Until.ts"
import { newSubject, nonceOf, openVaIssuer } from "./support/VaIssuer.ts"

const page = await readFile(new URL("../docs/client-author.md", import.meta.url), "utf8")

const examples = parseExamples(page)

const google = await openOpenIdProvider()

google.has({ subject: "ada", email: "ada.gray@clinic.example" })

const va = await openVaIssuer()

const { database, service } = await openApp({ ...google.environment, ...va.environment, ...appEnvironment })

const superuser = await database.connect("superuser")

const device = await newDevice()

/** The veteran's accounts at the VA. */
const [subject, otherSubject] = [newSubject(), newSubject()]

const portalPage = openPortal()

const later = (days: string) => new Date(Date.now() + Number(days) * 86_400_000).toISOString()

/** Returns a value that the page's reader takes from no answer (docs/client-author.md, "How to read the examples"). */
const elsewhere = async (name: string) => {
  const [, kind, days] = /^(date|time)In(\d+)Days$/.exec(name) ?? []
  if (kind !== undefined) return kind === "date" ? later(days!).slice(0, 10) : later(days!)
  if (name === "exchangeSecret") return exchangeSecret
  if (name === "adminSecret") return adminSecret
  if (name === "drainerSecret") return drainerSecret
  if (name === "challenge" || name === "verifier") return portalPage[name]
  if (name === "googleAnswer") return signInAtGoogle()
  if (name === "now") return later("0")
  if (name === "manifestId") return new URL(payloadOf(await names.fill("{shlink}")).url).pathname.split("/").at(-1)
  if (name === "linkToken") {
    const { key } = payloadOf(await names.fill("{shlink}"))
    return createHmac("sha256", Buffer.from(key, "base64url")).update("vrss secure link token").digest("base64url")
  }
  if (name === "pairingCode") return until("the code is mailed", mailedPairingCode)
  if (name === "emailCode") return until("the code is mailed", mailedEmailCode)
  if (name === "passwordToken") return until("the link is mailed", mailedPasswordToken)
  if (name !== "code" && name !== "passcode") return valueOfApp(name)
  return (await recipientCodes(service)).at(-1)
}

const names = new Names(elsewhere)

const mailedPasswordToken = async () =>
  (await mailsOf(service)).map(({ text }) => /\/password#([\w-]{43})$/m.exec(text)?.[1]).find((token) =>
    token !== undefined
  )

const mailedEmailCode = async () =>
  (await mailsOf(service)).filter(({ raw }) => raw.includes("new.eagle@example.org")).map(({ text }) =>
    /^Your code is (\d{4} \d{4})$/m.exec(text)?.[1]
  ).find((code) => code !== undefined)

const mailedPairingCode = async () =>
  (await mailsOf(service)).map(({ text }) =>
    /Somebody signed in at the VA.*^Your code is (\d{4} \d{4})$/ms.exec(text)?.[1]
  )
    .find((code) => code !== undefined)

/** For each proof: the route that it is for, and the value that is its nonce. */
const proofs: Readonly<Record<string, readonly [path: string, nonce: string]>> = {
  sessionProof: [`${signInPath}/session`, "signInChallenge"],
  pairingProof: [`${signInPath}/pairing`, "pairingId"],
  renewProof: [`${signInPath}/renew`, "sessionId"],
  confirmProof: ["/api/veteran/me/sessions/current/confirm", "confirmChallenge"],
  passkeyProof: [passkeyPath, "passkeyChallenge"],
  identityProof: ["/api/veteran/me/identities", "otherChallenge"]
}

/** A sign-in at the VA for each challenge after the first. */
const furtherSignIns = new Map<string, ReturnType<typeof atVa>>()

const passkey = newAuthenticator({ origin: appOrigin })

let answer: ReturnType<typeof passkey.get> | undefined

/** Returns a value of part 15, where a veteran's app has a device's key and signs in at the VA. */
const valueOfApp = async (name: string) => {
  const proof = proofs[name]
  if (proof !== undefined) {
    const [path, nonce] = proof
    return (await proofOf(service, device, path, await names.fill(`{${nonce}}`))).dpop
  }
  if (name === "idToken") {
    const nonce = nonceOf(await names.fill("{signInChallenge}"), device.thumbprint)
    return va.idToken({ sub: subject, nonce })
  }
  if (name === "nextToken" || name === "lastToken") {
    const person = { subject, vaPatientId: "1012345678V123456" }
    return (await signInByVa(service, va, device, person)).json.accessToken as string
  }
  if (name === "passkeyChallenge") return askChallenge(service)
  const created = /^(?:new)?(credentialId|publicKey|ClientDataJSON|AuthenticatorData)$/.exec(name)?.[1]
  if (created !== undefined) {
    const made = passkey.create(await names.fill("{newPasskeyChallenge}"))
    return new Map(Object.entries(made)).get(`${created[0]!.toLowerCase()}${created.slice(1)}`) as string
  }
  if (name === "authenticatorData" || name === "clientDataJSON" || name === "signature") {
    answer ??= passkey.get(await names.fill("{passkeyChallenge}"), await names.fill("{userHandle}"))
    return answer.credential[name]
  }
  const [, which, what] = /^(confirm|other)(IdToken|Challenge)$/.exec(name) ?? []
  if (which === undefined) return undefined
  const account = { subject: which === "other" ? otherSubject : subject }
  const signIn = furtherSignIns.get(which) ?? atVa(service, va, device, account)
  furtherSignIns.set(which, signIn)
  const { challenge, idToken } = await signIn
  return what === "IdToken" ? idToken : challenge
}

/** Chooses the account at Google. Returns the query with which the browser comes back. */
const signInAtGoogle = async () => {
  const { browser } = portalPage
  const { url } = await browser.go(await names.fill("{atGoogle}"), { stopAt: [service.url] })
  return (await browser.go(url, { form: { account: "ada" }, stopAt: [service.url] })).url.search.slice(1)
}

describe("The page for the author of a client", () => {
  test("shows each operation once but a sync twice, and no operation that is for apps", async () => {
    const { json } = await call(service, "GET", "/api/openapi.json")
    const operations = Object.entries<object>(json.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "{}")}`)
    )
    const shown = operationsOf(examples).map((operation) => operation.replace("/veteran/me", "/veteran/{}"))
    const expected = operations.filter((operation) => !isForApps(operation))
    assert.deepStrictEqual(shown.toSorted(), [...expected, "POST /api/veteran/{}/health-record/sync"].toSorted())
  })

  test("contains only dates that are already past", () => {
    const today = new Date().toISOString().slice(0, 10)
    for (const [date] of page.matchAll(/\b\d{4}-\d\d-\d\d\b/g)) {
      assert.isBelow(Date.parse(date), Date.parse(today), date)
    }
  })

  test("has a table of sync states that agrees with the service's own transitions", () => {
    const rows = page.split("\n").filter((line) => line.startsWith("| ")).map((line) =>
      line.split("|").slice(1, -1).map((cell) => cell.trim().replaceAll("`", ""))
    )
    const header = rows.findIndex(([first]) => first === "Stored before")
    const fetches = rows[header]!.slice(1) as Array<FetchStatus>
    const table = rows.slice(header + 2, header + 7)
    assert.lengthOf(table, 5)
    const words = {
      replace: ", replace",
      deactivateAll: ", deactivate all",
      store: ", store",
      skip: ", skip",
      nothing: ""
    }
    for (const [before, ...cells] of table) {
      const expected = fetches.map((fetch) => {
        const { action, state } = transition(before as SyncState, fetch)
        return `${state}${words[action]}`
      })
      assert.deepStrictEqual(cells, expected, before)
    }
  })
})

describe("The service answers as the page shows", () => {
  test.for(examples)("line $line: $method $target", async (example) => {
    // The reader of the page waits for half a minute.
    if (example.target.endsWith("/code")) await waitForNextCode(superuser, { id: await names.fill("{linkId}") })
    const answer = await sendExample(service, names, example)
    assert.strictEqual(answer.status, example.answer.status, answer.text)
    assert.deepStrictEqual(differencesOf(names, example, answer), [], answer.text)
  })
})
