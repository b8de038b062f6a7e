import type pg from "pg"
import { drain } from "../http/ledger/Drained.ts"
import { createLink, revokeLink, verified, view } from "../http/link/Links.ts"
import { boxes, proved, submit, toldTo, verifier } from "../http/oauth/Asking.ts"
import { callback, redeem, registerClient } from "../http/oauth/Grants.ts"
import { signed, upload } from "../http/release/Releases.ts"
import { asAdmin, bearer, call, giveGrant, providerPassword, signIn, signInProvider } from "../support/Client.ts"
import { patientTexts } from "../support/Collection.ts"
import { adminSecret, drainerSecret, exchangeSecret, type Service } from "../support/Service.ts"
import { resource, sync } from "../support/Sync.ts"

/** The environment in which each database of test/fixtures/upgrade was made. These secrets open nothing else. */
export const settings = {
  APP_SECRET: "app secret of the kept database, 32 bytes",
  PROVIDER_JWT_SECRET: "provider secret of the kept database, 32 bytes",
  OAUTH_JWT_SECRET: "oauth secret of the kept database, 32 bytes",
  IDENTITY_ASSERTION_SECRET: "identity secret of the kept database, 32 bytes",
  WEBHOOK_SECRET: "webhook secret of the kept database, 32 bytes",
  VETERAN_SESSION_EXCHANGE_SECRET: exchangeSecret,
  INTERNAL_ADMIN_SECRET: adminSecret,
  PROOF_DRAINER_SECRET: drainerSecret,
  TOKEN_ENCRYPTION_KEY: `kept:${Buffer.from("the column key of a kept database").toString("base64", 0, 32)}`,
  PROOF_SIGNING_KEY:
    "PRIVATE+KEY+records.example.org/disclosures+8da7ee93+AW5HWfXAdhe3T/OT6nEYju08Di1qXazIWXIUl1tJEq/7",
  OAUTH_ISSUER: "https://api.example.org/api/oauth",
  PROVIDER_PORTAL_URL: "https://portal.example.org"
}

/** What somebody must know to read everything again. */
export interface Keys {
  readonly veteran: { readonly id: string; readonly vaPatientId: string }
  readonly provider: { readonly email: string; readonly password: string }
  readonly app: { readonly clientId: string; readonly clientSecret: string | null; readonly refreshToken: string }
  /** The token of a link that was not opened. */
  readonly linkToken: string
  readonly releaseId: string
  readonly documentIds: ReadonlyArray<string>
}

/** Uses the service once in every way that people do, so that nearly every table has rows. */
export const live = async (service: Service, superuser: pg.Client): Promise<Keys> => {
  const [vaPatientId, email] = ["icn-of-the-kept-veteran", "eagle@example.org"]
  const { json: { id } } = await call(service, "POST", "/api/admin/veterans", {
    headers: asAdmin,
    body: { vaPatientId, callSign: "Eagle One", email }
  })
  const veteran = await signIn(service, { id, vaPatientId })
  const { headers } = veteran
  await synchronise(service, veteran)
  const provider = await signInProvider(service)
  await call(service, "POST", "/api/waitlist", { body: { email: "falcon@example.org" } })

  const [entry] = [
    await call(service, "POST", "/api/veteran/me/self-reported-entries", {
      headers,
      body: { category: "symptom", text: "Headache after lunch", occurredOn: "2026-03-04" }
    }),
    await call(service, "POST", "/api/veteran/me/self-reported-entries", {
      headers,
      body: { category: "note", text: "Łukasz 漢字 😀 \u2028 <b>not bold</b>" }
    })
  ]
  await call(service, "PATCH", `/api/veteran/me/self-reported-entries/${entry.json.id}`, {
    headers,
    body: { text: "Headache after lunch, gone by evening" }
  })

  const letter = (await upload(service, veteran, "Dear Sean, all results are in the normal range.")).json.id
  await giveGrant(service, veteran, provider, { sensitiveCategories: ["hiv"] })
  const ended = await giveGrant(service, veteran, provider, { purpose: "a second opinion" })
  await call(service, "POST", `/api/veteran/me/consent-grants/${ended.id}/revoke`, { headers })
  await call(service, "POST", `/api/provider/patients/${id}/notes`, {
    headers: provider.headers,
    body: { text: "Seen today, blood pressure is fine." }
  })
  await call(service, "GET", `/api/provider/patients/${id}/record`, { headers: provider.headers })

  const recipient = { recipientEmail: "jane.gray@clinic.example" }
  const information = { resourceTypes: ["AllergyIntolerance", "Condition"], documentIds: [letter] }
  const { document } = await signed(service, veteran, { information, incompleteRecordConfirmed: true })
  const link = await createLink(service, veteran, { ...recipient, documentId: document.id })
  const viewed = await createLink(service, veteran, { ...recipient, documentId: document.id })
  await view(service, await verified(service, viewed))
  await revokeLink(service, veteran, await createLink(service, veteran, { ...recipient, documentId: document.id }))

  // A recipient was shown this release, so it is kept although the veteran deletes it.
  const shown = (await signed(service, veteran, { incompleteRecordConfirmed: true })).document
  const last = await createLink(service, veteran, { recipientEmail: "john.gray@clinic.example", documentId: shown.id })
  await view(service, await verified(service, last))
  await call(service, "POST", `/api/veteran/me/roi/${shown.id}/revoke`, { headers })
  await call(service, "DELETE", `/api/veteran/me/documents/${shown.id}`, { headers })

  const app = await connectApp(service, email)
  await call(service, "GET", `/api/fhir/R4/Patient/${id}/$everything`, { headers: bearer(app.accessToken) })
  await extend(superuser)
  await drain(service)
  return {
    veteran: { id, vaPatientId },
    provider: { email: provider.email, password: providerPassword },
    app,
    linkToken: link.token,
    releaseId: document.id,
    documentIds: [letter, document.id]
  }
}

/** Syncs a record with types in every state, an item that is no longer active, and items of sensitive categories. */
const synchronise = async (service: Service, veteran: Parameters<typeof sync>[1]) => {
  const { DiagnosticReport: reports = [], Observation: observations = [], ...texts } = patientTexts("hl7-example")
  const large = patientTexts("hl7-pat2")["DiagnosticReport"]!
  const resources = {
    ...texts,
    DiagnosticReport: [...reports, ...large],
    Observation: observations,
    Flag: [resource("Flag", "open"), resource("Flag", "hiv", { categories: ["hiv"] }),
      resource("Flag", "sickle", { categories: ["sickle_cell"] })]
  }
  const statuses = Object.fromEntries(Object.keys(resources).map((type) => [type, "complete"]))
  await sync(service, veteran, { ...statuses, Coverage: "unavailable", Linkage: "empty" }, resources)
  await sync(
    service,
    veteran,
    { Observation: "complete", Condition: "unavailable", Procedure: "partial" },
    { Observation: observations.slice(1), Procedure: [] }
  )
}

/** The veteran uses the consent pages to allow an app all that it asks for. */
const connectApp = async (service: Service, email: string) => {
  const client = await registerClient(service, { confidential: true })
  const asked = { id: client.clientId, redirectUri: callback }
  const { browser, page } = await proved(service, asked, email)
  const decided = await submit(service, "decision", browser, [
    ["decision", "approve"],
    ["days", "90"],
    ...boxes(page.text, "type").map(([type]) => ["type", type] as const)
  ])
  const { code } = toldTo(asked, decided)
  const { json } = await redeem(service, client, { code: code!, verifier, grantId: "" })
  return { ...client, accessToken: json.access_token as string, refreshToken: json.refresh_token as string }
}

/**
 * Keeps everything that is in force valid for a hundred years, so that later readings do not depend on the date.
 * The triggers are off, because one of them refuses changes to signed documents.
 */
const extend = (superuser: pg.Client) =>
  superuser.query(`
    set session_replication_role = replica;
    update consent_grants set expires_at = expires_at + interval '100 years' where status = 'active';
    update documents set ends_at = ends_at + interval '100 years' where ends_at is not null;
    update secure_links set expires_at = expires_at + interval '100 years' where status = 'active';
    reset session_replication_role`)
