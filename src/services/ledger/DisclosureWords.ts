import type { DisclosureKind } from "../../domain/Disclosure.ts"
import { inWords } from "../../domain/ResourceTypeWords.ts"
import { type ProofEvent, providerOf } from "./ProofEvent.ts"

/** Current names for the ids in an event. An id without a name belongs to something that was deleted. */
export interface Names {
  readonly callSign: string
  readonly providers: ReadonlyMap<string, string>
  readonly apps: ReadonlyMap<string, string>
  /** Recipients by the ids of their links. */
  readonly recipients: ReadonlyMap<string, string>
  readonly titles: ReadonlyMap<string, string>
}

export const actorName = (event: ProofEvent, names: Names): string | undefined => {
  switch (event.actor.kind) {
    case "veteran":
      return names.callSign
    case "provider":
      return names.providers.get(event.actor.id ?? "")
    case "recipient":
      return names.recipients.get(event.linkId ?? "")
    case "app":
      return names.apps.get(event.actor.id ?? "")
    default:
      return undefined
  }
}

/** Describes an event in one plain sentence for the veteran of the record. */
export const summary = (kind: DisclosureKind, event: ProofEvent, names: Names): string => {
  const named = names.providers.get(providerOf(event) ?? "")
  // The name ends with `, <organization>`, an apposition that the sentence must close with a comma.
  const provider = named === undefined ? "A provider" : `${named},`
  const recipient = names.recipients.get(event.linkId ?? "") ?? "its recipient"
  const title = names.titles.get(event.documentId ?? "")
  const document = title === undefined ? "a document that is no longer there" : `“${title}”`
  const appName = names.apps.get(event.clientId ?? "")
  const app = appName === undefined ? "an app" : `the app “${appName}”`
  const copied = listed(Object.keys(event.resourceTypes ?? {}))
  const byVeteran = event.actor.kind === "veteran"
  switch (kind) {
    case "sync_stored":
      return `Your phone synchronised ${listed(Object.keys(event.resourceTypes ?? {})) ?? "your record"}.`
    case "grant_given":
      return `You let ${provider} read your record.`
    case "grant_revoked":
      return byVeteran
        ? `You ended a permission of ${provider} to read your record.`
        : `The operator ended a permission of ${provider} to read your record.`
    case "record_viewed":
      return `${provider} looked at ${seen(event) ?? "your record, and nothing in it was shown"}.`
    case "record_saved":
      return `${provider} saved a copy ${copied === undefined ? "without items" : `of ${copied}`}.`
    case "note_written":
      return `${provider} wrote a note about you.`
    case "document_stored":
      return `You stored ${document}.`
    case "document_read":
      return `${byVeteran ? "You" : provider} opened ${document}.`
    case "roi_signed":
      return `You signed ${title === undefined ? "a release of information" : document}.`
    case "link_created":
      return event.shl === true
        ? `You made a link for ${recipient} to ${document}, which health apps can open too.`
        : `You made a link for ${recipient} to ${document}.`
    case "link_opened":
      return `The link for ${recipient} was opened; nothing was shown yet.`
    case "link_code_sent":
      return `A one-time code was mailed to ${recipient}.`
    case "link_code_failed":
      return `A wrong or expired code was tried on the link for ${recipient}.`
    case "link_viewed":
      return event.via === "app"
        ? `${capitalised(recipient)} got ${document} with its record into a health app by link and code.`
        : `${capitalised(recipient)} viewed ${document} by link and code.`
    case "link_revoked":
      if (byVeteran) return `You ended the link for ${recipient}.`
      return event.how === "operator"
        ? `The operator ended the link for ${recipient}.`
        : `The link for ${recipient} was ended after too many wrong codes.`
    case "oauth_access_granted":
      return `You let ${app} read your record.`
    case "oauth_access_denied":
      return `You refused ${app}, which had asked to read your record.`
    case "oauth_token_refreshed":
      return `${capitalised(app)} renewed its access.`
    case "oauth_access_used":
      return `${capitalised(app)} ${readByApp(event)}.`
    case "oauth_access_revoked":
      return byVeteran
        ? `You ended the access of ${app} to your record.`
        : event.actor.kind === "service"
        ? `The operator ended the access of ${app} to your record.`
        : `${capitalised(app)} gave back its access to your record.`
    case "oauth_code_replayed":
      return `The code that connected ${app} was used a second time. Somebody may have copied it, so the access was ended.`
    case "oauth_refresh_replayed":
      return `An old key of ${app} was used again. Somebody may have copied it, so the access was ended.`
    case "session_started":
      return `You signed in ${
        event.how === "passkey" ? "with your face, fingerprint or passkey" : "with your VA account"
      }.`
    case "session_ended":
      return byVeteran ? "You ended a sign-in." : "A sign-in was ended by the service."
    case "passkey_added":
      return "You added a passkey: a face, a fingerprint or a screen lock opens your record."
    case "passkey_removed":
      return byVeteran ? "You removed a passkey." : "A passkey was removed by the operator."
    case "identity_paired":
      return event.how === "operator"
        ? "The operator let a VA account open your record."
        : `You let ${event.how === "session" ? "another" : "your"} VA account open your record.`
    case "identity_removed":
      return byVeteran
        ? "You removed a VA account, and all sign-ins were ended."
        : "The operator changed which VA account opens your record, and all sign-ins were ended."
    case "email_changed":
      return byVeteran ? "You changed your e-mail address." : "The operator changed your e-mail address."
    case "deletion_asked":
      return `${byVeteran ? "You" : "The operator"} asked for your record to be deleted, and all sharing was ended.`
    case "deletion_cancelled":
      return `${byVeteran ? "You" : "The operator"} cancelled the deletion of your record.`
    case "deletion_done":
      return "Your record was deleted."
    case "export_made":
      return byVeteran ? "You made a copy of all your data." : "The operator made a copy of all your data."
    case "shape_exported":
      if (event.documentId !== undefined) return `You took ${document} as FHIR data.`
      return event.grantId !== undefined
        ? "You took a permission to read your record as FHIR data."
        : "You took the account of who saw your record as FHIR data."
  }
}

const listed = (types: ReadonlyArray<string>) => types.length > 0 ? inWords(types) : undefined

/** An event counts the items that an app read, by type. A 0 means that the app asked for the type, but got no item. */
const readByApp = ({ resourceTypes = {} }: ProofEvent) => {
  const types = Object.keys(resourceTypes)
  const read = listed(types.filter((type) => resourceTypes[type]! > 0))
  const requested = listed(types)
  if (read !== undefined) return `read ${read}`
  return requested === undefined
    ? "opened your record, and read nothing in it"
    : `looked for ${requested}, and found none`
}

const seen = ({ documents = 0, notes = 0, resourceTypes = {}, selfReportedEntries = 0 }: ProofEvent) => {
  const types = listed(Object.keys(resourceTypes))
  const besides = [
    ...(selfReportedEntries > 0 ? ["your own entries"] : []),
    ...(notes > 0 ? ["their notes"] : []),
    ...(documents > 0 ? ["the list of your documents"] : [])
  ]
  if (types === undefined && besides.length === 0) return undefined
  const also = new Intl.ListFormat("en-US").format(besides)
  return types === undefined ? also : besides.length === 0 ? types : `${types}, with ${also}`
}

const capitalised = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
