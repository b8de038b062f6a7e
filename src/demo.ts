import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { createHash, randomBytes, randomUUID } from "node:crypto"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { apiClient } from "./client/ApiClient.ts"
import { parseBundle } from "./client/FhirBundle.ts"
import { FhirReader, type ReadProgress } from "./client/FhirReader.ts"
import { type Answer, FhirServer, recordedAnswer } from "./client/FhirServer.ts"
import { attachmentsOf } from "./client/PdfAttachments.ts"
import { recordLines } from "./client/RecordLines.ts"
import { signIn } from "./client/VeteranClient.ts"
import { freeCallSign } from "./demo/CallSigns.ts"
import { demoProvider } from "./demo/DemoAccounts.ts"
import { codeInMail, connectDemoApp } from "./demo/DemoApp.ts"
import { cleanUp, demoAddresses } from "./demo/DemoLeavings.ts"
import { demoConsent, demoRelease, signerOf } from "./demo/DemoRelease.ts"
import { startService } from "./demo/DemoService.ts"
import { runningService } from "./demo/RunningService.ts"
import { pageLimit } from "./domain/Page.ts"
import { mailFolder } from "./services/mail/Mailer.ts"

const keptPatients = fileURLToPath(new URL("../test/fixtures/fhir", import.meta.url))

const flags = {
  url: Flag.String("url").pipe(
    Flag.optional,
    Flag.withDescription(
      "Play against a running service, with VETERAN_SESSION_EXCHANGE_SECRET and INTERNAL_ADMIN_SECRET of the " +
        "environment; without it the demo starts a service of its own on the database in .data"
    )
  ),
  yes: Flag.Boolean("yes").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Play on a service that others than this machine reach, too")
  ),
  clean: Flag.Boolean("clean").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Take away what earlier demos left on the service of --url, and play nothing")
  ),
  patients: Flag.String("patients").pipe(
    Flag.withDefault(keptPatients),
    Flag.withDescription("A folder of patients: <slug>/<Type>.ndjson.gz beside <slug>/patient.json")
  ),
  patient: Flag.String("patient").pipe(
    Flag.withDefault("va-florentino8-raynor401"),
    Flag.withDescription("Which of them")
  )
}

const demoFolder = join(".data", "demo")

const step = (text: string) => Console.log(`\n== ${text}`)

const say = (text: string) => Console.log(`   ${text}`)

const showProgress = (progress: ReadProgress) => {
  switch (progress._tag) {
    case "Page":
      return say(`${progress.resourceType}: page ${progress.page}, ${progress.resources} resources`)
    case "Waiting":
      return say(`${progress.resourceType}: page ${progress.page} was limited upstream, waiting ${progress.seconds} s`)
    case "Done":
      return say(
        `${progress.resourceType}: ${progress.status}, ${progress.resources} resources` +
          (progress.reason === undefined ? "" : ` (${progress.reason})`)
      )
  }
}

/**
 * The main scenario: a record travels from a phone to a provider's screen, its gaps stay visible while upstream fails,
 * and consent is revoked. At the end the veteran shares the record again, so that the user of the demo can look at it.
 */
const play = Effect.fn("demo")(function*(options: {
  readonly baseUrl: string
  readonly secrets: { readonly exchange: Redacted.Redacted; readonly admin: Redacted.Redacted }
  readonly folder: string
  readonly patient: string
}) {
  const { baseUrl, folder, patient, secrets } = options
  const upstream = yield* FhirServer
  const admin = yield* apiClient(baseUrl, { adminSecret: secrets.admin })

  yield* step("The operator registers a veteran and a provider")
  const suffix = randomUUID().slice(0, 8)
  const vaPatientId = `${patient}-${suffix}`
  // An app finds a veteran by e-mail address, so the address must be unique.
  const email = demoAddresses.veteran(suffix)
  const { accessToken, credentials, provider: { id: providerId } } = yield* signInProvider(baseUrl, secrets.admin)
  const provider = yield* apiClient(baseUrl, { providerToken: Redacted.make(accessToken) })
  const { items: patients } = yield* provider.patients.list({ query: { limit: pageLimit.maximum } })
  yield* admin.admin.registerVeteran({ payload: { vaPatientId, callSign: freeCallSign(patients), email } })
  yield* say(`veteran ${vaPatientId}, provider ${credentials.email}`)

  yield* step("The veteran's phone signs in, reads the record upstream, and synchronises it")
  const phone = yield* signIn({ baseUrl, exchangeSecret: secrets.exchange, vaPatientId })
  const source = {
    baseUrl: upstream.baseUrl,
    token: Redacted.make("upstream-token-that-never-leaves-the-phone"),
    patientId: patient
  }
  const stored = resourceTypes(join(folder, patient))
  const types = stored.length > 0 ? stored : usualTypes
  const synchronise = Effect.gen(function*() {
    const { notices, results } = yield* phone.fetchAndSynchronise(source, types, { onProgress: showProgress })
    for (const notice of notices) yield* say(notice)
    for (const [type, result] of Object.entries(results)) {
      yield* say(
        `${type}: ${result.before} -> ${result.after}, ${result.stored} stored, ${result.unchanged} unchanged, ` +
          `${result.deactivated} deactivated, ${result.skipped} skipped`
      )
    }
  })
  yield* synchronise

  yield* step("The veteran finds the provider by e-mail and gives consent for a week")
  const { items: [listed] } = yield* phone.api.veteran.providerDirectory({
    params: { veteranId: "me" },
    query: { email: credentials.email }
  })
  const grant = yield* phone.api.consent.give({
    params: { veteranId: "me" },
    payload: { ...demoConsent(yield* DateTime.now), providerId: listed?.id ?? providerId }
  })
  yield* say(`${listed?.displayName}, ${listed?.organization}: until ${grant.expiresAt.toISOString()}`)

  const view = Effect.gen(function*() {
    const record = yield* provider.patients.record({ params: { veteranId: phone.veteran.id }, query: {} })
    yield* say(`record of ${record.veteran.callSign}`)
    for (const { itemCount, items, resourceType, state } of record.sections) {
      yield* say(`${resourceType}: ${state}, ${itemCount} items (${items.length} on this page)`)
    }
    for (const alert of record.alerts) yield* say(`! ${alert.message}`)
    if (record.alerts.length === 0) yield* say("no alerts")
  })

  yield* step("The provider opens the record")
  yield* view

  yield* step("The phone synchronises again, while the upstream server fails")
  const [broken, cut] = types
  const failure: Answer = yield* recordedAnswer(
    join(keptPatients, "upstream-answers", "502-show-errors-502_response.json")
  )
  yield* upstream.script(broken!, [{ answer: failure }])
  if (cut !== undefined) yield* upstream.script(cut, [{ answer: "cut" }])
  yield* synchronise

  yield* step("The provider opens it again, and sees what is no longer current")
  yield* view

  const { items: [shared] } = yield* provider.patients.list({ query: { veteranId: phone.veteran.id } })
  const signer = signerOf(shared!)
  yield* step("The veteran signs a release of information to the provider")
  const { document, warnings } = yield* phone.api.roi.sign({
    params: { veteranId: "me" },
    payload: demoRelease(signer, types, credentials.email, yield* DateTime.now)
  })
  for (const { message } of warnings) yield* say(`! ${message}`)
  const pdf = yield* phone.api.documents.content({ params: { veteranId: "me", documentId: document.id } })
  yield* say(`${document.title}, in force until ${document.release?.endsAt.toISOString()}`)
  yield* say(`the veteran's copy: ${yield* save("release-of-information.pdf", pdf)}`)

  yield* step("The veteran shares it by a secure link, for this recipient alone")
  const { link, url } = yield* phone.api.secureLinks.create({
    params: { veteranId: "me" },
    payload: { documentId: document.id, recipientName: "Dr. Ada Gray", recipientEmail: credentials.email }
  })
  yield* say(`${url} (until ${link.expiresAt.toISOString()})`)

  yield* step("The recipient opens the link, gets a one-time code by mail, and views the document once")
  const { linkRecipient, releaseVerification } = yield* apiClient(baseUrl)
  const token = url.split("#")[1]!
  const { recipientHint } = yield* linkRecipient.open({ payload: { token } })
  const { challengeId } = yield* linkRecipient.challenge({ payload: { token } })
  const code = codeInMail(credentials.email)
  yield* say(
    `code sent to ${recipientHint}${
      code === undefined ? ", whose mailbox is not on this machine: no view" : `: ${code}`
    }`
  )
  if (code !== undefined) {
    const { viewSession } = yield* linkRecipient.verify({ payload: { token, challengeId, code } })
    const copy = yield* linkRecipient.view({ payload: { viewSession } })
    yield* say(`the recipient's copy: ${yield* save("recipients-copy.pdf", copy)}`)
    const attachments = yield* Effect.promise(() => attachmentsOf(copy))
    for (const [name, bytes] of attachments) yield* say(`  with it: ${yield* save(name, bytes)}`)
    const again = yield* Effect.flip(linkRecipient.view({ payload: { viewSession } }))
    yield* say(`again: ${again._tag}: ${"message" in again ? again.message : ""}`)

    yield* step("Anyone who has the file checks that it is genuine, and reads the record in it")
    const sha256 = createHash("sha256").update(copy).digest("hex")
    const verified = yield* releaseVerification.verify({ payload: { documentId: document.id, sha256 } })
    yield* say(verified.genuine ? `genuine: the ${verified.copy}'s copy, ${verified.status}` : "not genuine")
    const record = Buffer.from(attachments.get("record.fhir.json") ?? []).toString()
    for (const line of recordLines(parseBundle(record), 3)) yield* say(line)
  }

  yield* step("The veteran revokes the release, and with it the link, then the consent; all are refused at once")
  const ended = yield* phone.api.roi.revoke({ params: { veteranId: "me", documentId: document.id } })
  yield* say(`release: ${ended.release?.status}`)
  const closed = yield* Effect.flip(linkRecipient.open({ payload: { token } }))
  yield* say(`link: ${closed._tag}`)
  yield* phone.api.consent.revoke({ params: { veteranId: "me", grantId: grant.id } })
  const refused = yield* Effect.flip(view)
  yield* say(`${refused._tag}: ${"message" in refused ? refused.message : ""}`)

  yield* step("The veteran connects an app, which reads by FHIR, and ends its access")
  yield* connectDemoApp({ baseUrl, adminSecret: secrets.admin, email, phone, say })

  yield* step("The veteran shares once more: a patient in the portal and a link to open are left for you")
  yield* phone.api.consent.give({
    params: { veteranId: "me" },
    payload: { ...demoConsent(yield* DateTime.now), providerId }
  })
  const release = yield* phone.api.roi.sign({
    params: { veteranId: "me" },
    payload: demoRelease(signer, types, credentials.email, yield* DateTime.now)
  })
  const open = yield* phone.api.secureLinks.create({
    params: { veteranId: "me" },
    payload: { documentId: release.document.id, recipientName: "Dr. Ada Gray", recipientEmail: credentials.email }
  })
  const portal = open.url.split("/link#")[0]!
  yield* say(`the portal: ${portal}`)
  yield* say(`sign in:    ${credentials.email}`)
  yield* say(`password:   ${credentials.password}`)
  yield* say(`the link:   ${open.url}`)
  yield* say(
    `its code:   mailed to ${credentials.email}${code === undefined ? "" : `, into the newest file of ${mailFolder}`}`
  )
  yield* say(`${portal}/verify says of ${join(demoFolder, "recipients-copy.pdf")} that it is genuine and was revoked`)
})

/** Signs in the demo provider that `npm start` prints or, if there is none, a new provider with a random password. */
const signInProvider = Effect.fn("signInProvider")(function*(baseUrl: string, adminSecret: Redacted.Redacted) {
  const { providerLogin } = yield* apiClient(baseUrl)
  const login = (credentials: { readonly email: string; readonly password: string }) =>
    Effect.map(providerLogin.login({ payload: credentials }), (session) => ({ ...session, credentials }))
  const { email, password, ...described } = demoProvider
  const registered = Effect.fnUntraced(function*() {
    const credentials = {
      email: demoAddresses.provider(randomUUID().slice(0, 8)),
      password: randomBytes(18).toString("base64")
    }
    const { admin } = yield* apiClient(baseUrl, { adminSecret })
    yield* admin.registerProvider({ payload: { ...credentials, ...described } })
    return yield* login(credentials)
  })
  return yield* login({ email, password }).pipe(Effect.catchTag("InvalidCredentials", registered))
})

/** Saves a file that only its owner may read, and returns its path. */
const save = (name: string, bytes: Uint8Array) =>
  Effect.sync(() => {
    const file = join(demoFolder, basename(name))
    mkdirSync(demoFolder, { recursive: true, mode: 0o700 })
    writeFileSync(file, bytes, { mode: 0o600 })
    return file
  })

/** What a phone asks for if the patient has nothing: the answers are empty. */
const usualTypes = ["AllergyIntolerance", "Condition", "MedicationRequest", "Observation", "Patient"]

const resourceTypes = (folder: string) =>
  readdirSync(folder).filter((file) => file.endsWith(".ndjson.gz")).map((file) => file.slice(0, -".ndjson.gz".length))

Command.make(
  "demo",
  flags,
  Effect.fnUntraced(
    function*({ clean, patient, patients, url, yes }) {
      const service = yield* Option.isSome(url) ? runningService(url.value, yes || clean) : startService
      yield* say(`service at ${service.baseUrl}`)
      if (clean) {
        yield* step("What earlier demos left is taken away")
        return yield* cleanUp({ baseUrl: service.baseUrl, adminSecret: service.secrets.admin, say })
      }
      yield* play({ ...service, folder: patients, patient }).pipe(
        Effect.provide([FhirServer.layer({ folder: patients }), FhirReader.layer])
      )
      yield* step("Done")
    },
    Effect.scoped,
    Effect.tapErrorTag(["DemoServiceFailed", "RunningServiceRefused"], ({ message }) => Console.error(message))
  )
).pipe(
  Command.withDescription(
    "Plays the main job with a real patient: fetch, sync, consent, provider view, failures, a signed release, a secure link, an app, "
      + "verification, revoke. It leaves a patient in the provider's portal and a link to open."
  ),
  Command.run({ version: "0.1.0" }),
  Effect.provide(NodeHttpClient.layerUndici.pipe(Layer.provideMerge(NodeServices.layer))),
  NodeRuntime.runMain
)
