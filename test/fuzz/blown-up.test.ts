import { randomUUID } from "node:crypto"
import { zstdCompressSync } from "node:zlib"
import { assert, test } from "vitest"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { connectApp, fhir, observation } from "../http/fhir/Apps.ts"
import { mailedCode, payloadOf } from "../http/link/AppLinks.ts"
import { release } from "../http/release/Releases.ts"
import { openDatabase, openService } from "../support/App.ts"
import { newAuthenticator } from "../support/Authenticator.ts"
import { asAdmin, type Call, call, giveGrant, registerVeterans, signIn, signInProvider } from "../support/Client.ts"
import { askChallenge, newDevice, proofOf, signInPath } from "../support/Device.ts"
import type { Held } from "../support/loop-probe.ts"
import { pick, type Random, seededRandom } from "../support/Random.ts"
import { isWhole } from "../support/Runs.ts"
import { syncBody, syncPath } from "../support/Sync.ts"
import { vaOutOfReach } from "../support/VaIssuer.ts"
import { blownText, type BlownUp, blowUp, magnitude } from "./BlownUp.ts"
import { everythingRequest, listForm, searchForm, type SearchParam, simpleValue } from "./SearchRequests.ts"

/**
 * If FUZZ_ROUNDS is set (for example to 2000), the test also limits how long a request may hold the event loop.
 * FUZZ_SEED=n FUZZ_ROUNDS=1 repeats round n.
 */
const rounds = Number(process.env["FUZZ_ROUNDS"] ?? (isWhole ? 6 : 1))

const isLong = process.env["FUZZ_ROUNDS"] !== undefined

const firstSeed = Number(process.env["FUZZ_SEED"] ?? 1)

const port = await freePort()

const database = await openDatabase()

const service = await openService(database, {
  ...vaOutOfReach,
  NODE_OPTIONS: `--import=${new URL("../support/loop-probe.ts", import.meta.url).href}`,
  LOOP_PROBE_PORT: `${port}`
})

/** The effect of one request on the service. */
interface Step {
  readonly name: string
  readonly status: number
  /** The longest work of the event loop's thread between two turns, without garbage collection, in milliseconds. */
  readonly held: number
}

const held = async () => {
  const { garbage, worked } = await (await fetch(`http://127.0.0.1:${port}`)).json() as Held
  return worked - garbage
}

const measured = async (
  name: string,
  method: string,
  path: string,
  request: Call
): Promise<Step & { readonly json: any }> => {
  await held()
  const { json, status } = await call(service, method, path, request)
  return { name, status, json, held: await held() }
}

const compressed = (text: string) => ({
  headers: { "content-type": "application/json", "content-encoding": "zstd" },
  body: zstdCompressSync(text)
})

const parameters = new Map<string, ReadonlyArray<SearchParam>>(
  (await call(service, "GET", `${fhir}/metadata`)).json.rest[0].resource.map(
    ({ searchParam, type }: any) => [type, searchParam]
  )
)

/** A request for a release. Half of the requests have one text blown up. */
const releaseRequest = (resourceType: string, random: Random) => {
  const all = release({ information: { resourceTypes: [resourceType, "Observation"], documentIds: [] } })
  if (random() < 0.5) return all
  const text = blownText(20_000, random)
  return {
    ...all,
    ...pick<object>([
      { veteran: { ...all.veteran, fullName: text } },
      { disclosingParty: { name: text } },
      { recipient: { ...all.recipient, name: text } },
      { recipient: { ...all.recipient, organization: text } },
      { purpose: { code: "other", text } },
      { signature: { ...all.signature, typedName: text } },
      { information: { ...all.information, resourceTypes: Array.from({ length: 5000 }, () => resourceType) } }
    ], random)
  }
}

/** A sign-in by the veteran's app in which one text is blown up. */
const signInRequest = async (random: Random): Promise<Call> => {
  const challenge = await askChallenge(service)
  const all = { idToken: "x.y.z", challenge, vaPatientId: "icn", device: { name: "Phone" } }
  const text = blownText(16_000, random)
  const proof = await proofOf(service, await newDevice(), `${signInPath}/session`, challenge)
  return pick<Call>([
    { headers: proof, body: { ...all, idToken: `${text}.${text}.${text}` } },
    { headers: proof, body: { ...all, challenge: text } },
    { headers: proof, body: { ...all, vaPatientId: text } },
    { headers: proof, body: { ...all, device: { name: text } } },
    { headers: { dpop: Buffer.from(text).toString("base64url").slice(0, 12_000) }, body: all },
    { headers: { dpop: proof.dpop.replaceAll(".", "..") }, body: all }
  ], random)
}

const passkey = newAuthenticator({ origin: "http://localhost:8082" })

/** A sign-in with a passkey, of which one part was blown up. What the browser says is signed. */
const passkeyRequest = async (random: Random): Promise<Call> => {
  const challenge = await askChallenge(service)
  const text = blownText(10_000, random)
  const encoded = Buffer.from(text).toString("base64url").slice(0, 12_000)
  const clientData = pick<Record<string, unknown>>([
    { type: text },
    { origin: text },
    { challenge: text },
    { crossOrigin: text },
    { [text]: text }
  ], random)
  const bodies = [
    passkey.get(challenge, "AA", { clientData }),
    passkey.get(challenge, "AA", { clientText: text }),
    passkey.get(challenge, "AA", { data: (data) => Buffer.concat([data, Buffer.from(text)]) }),
    ...["id", "authenticatorData", "clientDataJSON", "signature", "userHandle"].flatMap((member) => {
      const answer = passkey.get(challenge, "AA")
      return [text, encoded].map((value) => ({ ...answer, credential: { ...answer.credential, [member]: value } }))
    })
  ]
  const headers = await proofOf(service, await newDevice(), `${signInPath}/passkey`, challenge)
  return { headers, body: pick<unknown>(bodies, random) }
}

/** A request about a provider's password, with a text that was blown up. */
const passwordRequest = (random: Random): readonly [path: string, request: Call] => {
  const text = blownText(4_000, random)
  const { headers } = provider
  return pick<readonly [string, Call]>([
    ["/forgot", { body: { email: text } }],
    ["/forgot", { body: { email: `${text}@clinic.example` } }],
    ["/set", { body: { token: text, password: "a long password" } }],
    ["/set", { body: { token: "x", password: text } }],
    ["", { headers, body: { password: text, newPassword: "a long password" } }],
    ["", { headers, body: { password: "x", newPassword: text } }]
  ], random)
}

type Sent = readonly [method: string, path: string, request: Call]

/** A change of the veteran's account, with a text that was blown up. */
const accountRequest = ({ headers }: Required<Pick<Call, "headers">>, random: Random): Sent => {
  const text = blownText(4_000, random)
  const [method, path, body] = pick<readonly [string, string, unknown]>([
    ["POST", "email", { email: text }],
    ["POST", "email", { email: `${text}@example.org` }],
    ["POST", "email/verify", { challengeId: text, code: "12345678" }],
    ["POST", "email/verify", { challengeId: randomUUID(), code: text }],
    ["PUT", "notices", { looks: text }],
    ["PUT", "notices", { staleAfterDays: text }],
    ["POST", "deletion", { confirm: text }],
    ["POST", "passkeys", { ...passkey.create("x"), name: text }],
    ["POST", "passkeys", { ...passkey.create("x"), publicKey: text }],
    ["POST", "passkeys/challenge", { [text]: text }],
    ["POST", "deletion/cancel", { [text]: text }],
    ["POST", "exports", { [text]: text }]
  ], random)
  return [method, `/api/veteran/me/${path}`, { headers, body }]
}

/** A change by the operator of a veteran or of the provider, with a text that was blown up. */
const operatorRequest = (veteran: string, random: Random): Sent => {
  const text = blownText(6_000, random)
  const query = inPath(text)
  const [method, path, body] = pick<readonly [string, string, unknown]>([
    ["PATCH", `veterans/${veteran}`, { email: `${text}@example.org` }],
    ["PATCH", `veterans/${veteran}`, { callSign: text }],
    ["PATCH", `veterans/${veteran}`, { vaPatientId: text }],
    ["PATCH", `providers/${provider.id}`, { displayName: text }],
    ["PATCH", `providers/${provider.id}`, { organization: text }],
    ["PATCH", `providers/${provider.id}`, { npi: text }],
    ["POST", "providers", { email: `${text}@clinic.example`, displayName: text, organization: text }],
    ["POST", `veterans/${veteran}/export`, { reason: text }],
    ["POST", `veterans/${veteran}/deletion`, { reason: text }],
    ["POST", `veterans/${veteran}/deletion/cancel`, { [text]: text }],
    ["POST", `veterans/${veteran}/end-access`, { [text]: text }],
    ["DELETE", `waitlist/${query}`, undefined],
    ["GET", `providers?npi=${query}`, undefined],
    ["GET", `veterans?email=${query}`, undefined],
    ["GET", `acts?key=${query}`, undefined],
    ["GET", `acts?target=${query}`, undefined]
  ], random)
  return [method, `/api/admin/${path}`, { headers: asAdmin, ...(body === undefined ? {} : { body }) }]
}

/** A value for a path or query, of which the end may be half a character. */
const inPath = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, 6_000).replace(/%[\dA-F]?$/, "")

/** What a health app asks of a SMART Health Link, with a part that was blown up. */
const manifestRequest = (manifestId: string, passcode: string, random: Random): Sent => {
  const text = blownText(6_000, random)
  const count = magnitude(1, 2_000, random)
  const all = { recipient: "Gray Clinic", passcode }
  const path = `/api/shl/${manifestId}`
  const [method, to, body] = pick<readonly [string, string, unknown]>([
    ["POST", path, { ...all, recipient: text }],
    ["POST", path, { ...all, recipient: blownText(1_000, random) }],
    ["POST", path, { ...all, passcode: text }],
    ["POST", path, { ...all, embeddedLengthMax: text }],
    ["POST", path, { ...all, [text]: text }],
    ["POST", path, `{"recipient":"x","embeddedLengthMax":${pick(["", "-", "0.", "1e"], random)}${"7".repeat(count)}}`],
    ["POST", path, `{"recipient":"x","more":${"[".repeat(count)}${"]".repeat(count)}}`],
    ["POST", path, `{"recipient":${"{\"a\":".repeat(count)}1${"}".repeat(count)}}`],
    ["POST", path, `{"recipient":"x"${",\"passcode\":\"1\"".repeat(count)}}`],
    ["POST", `/api/shl/${inPath(text)}`, all],
    ["GET", `${path}/files/${inPath(text)}`, undefined],
    ["GET", `/api/shl/${inPath(text)}/files/${manifestId}`, undefined]
  ], random)
  return [method, to, body === undefined ? {} : { body }]
}

/** What a veteran asks for a link for health apps, with a part that was blown up. Some make a link. */
const linkRequest = (documentId: string, random: Random) => {
  const all = { documentId, recipientName: "Jane", recipientEmail: "jane@clinic.example", smartHealthLink: true }
  const text = blownText(4_000, random)
  return {
    ...all,
    ...pick<object>([
      { recipientName: text },
      { recipientName: blownText(200, random) },
      { recipientEmail: `${text}@clinic.example` },
      { recipientEmail: `jane@${text}` },
      { smartHealthLink: text },
      { documentId: text },
      { expiresInHours: Number(`1${"0".repeat(magnitude(1, 400, random))}`) },
      { [text]: true }
    ], random)
  }
}

/** A question for a FHIR shape or a link's code, with a value that was blown up. */
const shapeRequest = ({ headers }: Required<Pick<Call, "headers">>, random: Random): Sent => {
  const value = inPath(blownText(6_000, random))
  const [method, path] = pick(
    [
      ["GET", `roi/${value}/fhir`],
      ["GET", `consent-grants/${value}/fhir`],
      ["GET", `disclosures/fhir?from=${value}`],
      ["GET", `disclosures/fhir?to=${value}`],
      ["GET", `disclosures/fhir?cursor=${value}`],
      ["GET", `disclosures/fhir?limit=${value}`],
      ["POST", `secure-links/${value}/code`]
    ] as const,
    random
  )
  return [method, `/api/veteran/me/${path}`, { headers }]
}

/** A question of the veteran's app about its sharing, with a value that was blown up. */
const question = (random: Random) => {
  const value = new URLSearchParams({ value: blownText(6_000, random) }).toString().slice("value=".length, 6_000)
  const [path, names] = pick(
    [
      ["disclosures", ["kind", "about", "grantId", "linkId", "documentId", "clientId", "cursor"]],
      ["provider-directory", ["email", "npi", "invitation"]],
      ["sharing", ["status", "cursor"]]
    ] as const,
    random
  )
  return `/api/veteran/me/${path}?${pick<string>(names, random)}=${value}`
}

const owner = await database.connect("owner")

const provider = await signInProvider(service)

/** One veteran synchronises and reads the resource, shows it to a provider and an app, and previews a release. */
const round = async ({ id, resourceType, text }: BlownUp, random: Random): Promise<ReadonlyArray<Step>> => {
  const veteran = await signIn(service, (await registerVeterans(owner, 1))[0]!)
  const beside = observation("beside")
  const texts = resourceType === "Observation"
    ? { Observation: [text, beside] }
    : { [resourceType]: [text], Observation: [beside] }
  const statuses = Object.fromEntries(Object.keys(texts).map((type) => [type, "complete"]))
  const { body, headers } = compressed(syncBody(statuses, texts))
  const steps: Array<Step> = [
    await measured("sync", "POST", syncPath, { headers: { ...headers, ...veteran.headers }, body })
  ]
  const next = async (...step: Parameters<typeof measured>) => {
    const made = await measured(...step)
    steps.push(made)
    return made
  }
  await next("own record", "GET", "/api/veteran/me/health-record", veteran)
  const grant = await giveGrant(service, veteran, provider)
  await next("provider's record", "GET", `/api/provider/patients/${veteran.id}/record`, provider)
  await next("provider's list", "GET", "/api/provider/patients", provider)
  await next(
    "record's changes",
    "GET",
    `/api/provider/patients/${veteran.id}/record/changes?since=2020-01-01T00:00:00Z`,
    provider
  )
  const app = await connectApp(service, owner, veteran, {
    categories: ["hiv", "alcohol_abuse", "drug_abuse", "sickle_cell"]
  })
  await next("read", "GET", `${fhir}/${resourceType}/${id}`, app)
  await next("everything", "GET", `${fhir}/Patient/${veteran.id}/$everything`, app)
  const compartment = `${fhir}/Patient/${veteran.id}/${resourceType}?_sort=`
  await next("sorted", "GET", `${compartment}_lastUpdated&_revinclude=Provenance:target`, app)
  await next("sorted by date", "GET", `${compartment}-date&_include=MedicationRequest:medication`, app)
  const form = { "content-type": "application/x-www-form-urlencoded", ...app.headers }
  const simple = pick(parameters.get(resourceType)!, random)
  const simpleForm = `${simple.name}=${simpleValue(simple)}`
  await next("search", "POST", `${fhir}/${resourceType}/_search`, { headers: form, body: simpleForm })
  for (
    const [name, body] of [
      ["blown search", searchForm(parameters.get(resourceType)!, random)],
      ["blown list", listForm(random)]
    ] as const
  ) {
    await next(name, "POST", `${fhir}/${resourceType}/_search`, { headers: form, body })
  }
  await next(
    "blown everything",
    "POST",
    `${fhir}/Patient/${veteran.id}/$everything`,
    everythingRequest(app.headers, random)
  )
  await next("app's sign-in", "POST", `${signInPath}/session`, await signInRequest(random))
  await next("app's passkey", "POST", `${signInPath}/passkey`, await passkeyRequest(random))
  for (let asked = 0; asked < 3; asked++) await next("app's question", "GET", question(random), veteran)
  const [path, request] = passwordRequest(random)
  await next("provider's password", "POST", `/api/provider/password${path}`, request)
  const asked = { headers: veteran.headers, body: releaseRequest(resourceType, random) }
  await next("preview", "POST", "/api/veteran/me/roi/preview", asked)
  if (random() < 0.25) {
    await next("release", "POST", "/api/veteran/me/roi", asked)
    const { items } = (await call(service, "GET", "/api/veteran/me/documents?limit=1", veteran)).json
    const id = items[0]?.id ?? randomUUID()
    await next("release as FHIR", "GET", `/api/veteran/me/roi/${id}/fhir`, veteran)
    await next("release as C-CDA", "GET", `/api/veteran/me/documents/${id}/ccda`, veteran)
    const { headers } = veteran
    await next("blown link", "POST", "/api/veteran/me/secure-links", { headers, body: linkRequest(id, random) })
    const toApp = `clinic-${id.at(-1)}@clinic.example`
    const made = await next("link", "POST", "/api/veteran/me/secure-links", {
      headers,
      body: { documentId: id, recipientName: "Jane", recipientEmail: toApp, smartHealthLink: true }
    })
    if (made.status === 201) {
      const manifestId = payloadOf(made.json.shlink).url.split("/").at(-1)
      await next("link's code", "POST", `/api/veteran/me/secure-links/${made.json.link.id}/code`, { headers })
      const passcode = await mailedCode(service, { recipientEmail: toApp })
      for (let asked = 0; asked < 3; asked++) {
        await next("manifest", ...manifestRequest(manifestId, passcode, random))
      }
      await next("bundle", "POST", `/api/shl/${manifestId}`, { body: { recipient: "x", passcode } })
    }
  }
  await next("manifest of none", ...manifestRequest("A".repeat(43), "12345678", random))
  await next("grant as FHIR", "GET", `/api/veteran/me/consent-grants/${grant.id}/fhir`, veteran)
  await next("shape", ...shapeRequest(veteran, random))
  await next("disclosures as FHIR", "GET", "/api/veteran/me/disclosures/fhir", veteran)
  await next("veteran's account", ...accountRequest(veteran, random))
  // Its answer has the whole record, in the texts that were blown up.
  const reason = { headers: asAdmin, body: { reason: "fuzz" } }
  await next("export", "POST", `/api/admin/veterans/${veteran.id}/export`, reason)
  await next("operator", ...operatorRequest(veteran.id, random))
  return steps
}

test(
  `${rounds} resources with one member blown up neither end the process nor cause a status of 500 or above`,
  { timeout: 300_000 + rounds * 10_000 },
  async () => {
    const failures: Array<string> = []
    const longest = new Map<string, { readonly held: number; readonly seed: number; readonly what: string }>()
    const statuses: Record<string, Record<number, number>> = {}
    for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
      const random = seededRandom(seed)
      const blown = blowUp(random)
      const steps = await round(blown, random)
      for (const { held, name, status } of steps) {
        const counts = statuses[name] ??= {}
        counts[status] = (counts[status] ?? 0) + 1
        if (status >= 500) failures.push(`seed ${seed}: ${name} of ${blown.what} was answered ${status}`)
        if (held > (longest.get(name)?.held ?? 0)) longest.set(name, { held, seed, what: blown.what })
      }
    }
    if (isLong) {
      console.table(Object.fromEntries(longest))
      console.table(statuses)
    }
    assert.deepStrictEqual(failures, [])
    assert.isNull(service.process.exitCode)
    if (isLong) assert.deepStrictEqual([...longest].filter(([, { held }]) => held > 100), [])
  }
)
