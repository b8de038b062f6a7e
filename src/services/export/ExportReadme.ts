import type { ManifestEntry } from "../../domain/Manifest.ts"
import { serviceName } from "../../domain/ServiceName.ts"
import { dayOf, secondOf } from "../platform/Instants.ts"
import { maxProofs, type Spooled } from "./ExportSpool.ts"

/** What only the making of the archive shows. */
export interface Findings {
  /** Names of files with one resource each. */
  readonly ownFiles: ReadonlyArray<string>
  /** What could not be opened: its seal is broken, or its file is gone. */
  readonly unreadable: ReadonlyArray<string>
  readonly documentNames: ReadonlyArray<string>
}

const line = (text = "") => `${text}\r\n`

const counted = (count: number) => `${count} ${count === 1 ? "item" : "items"}`

/** Says whether a kind is whole, in words for a reader who does not know the states. */
const stateOf = ({ lastCompleteAt, lastFetch, lastFetchAt, state }: ManifestEntry) => {
  const asked = dayOf(lastFetchAt)
  const missed = lastFetch === "partial" ? "only a part" : "none"
  switch (state) {
    case "complete":
      return `whole, as of ${dayOf(lastCompleteAt ?? lastFetchAt)}`
    case "stale":
      return `may be old: whole as of ${
        dayOf(lastCompleteAt ?? lastFetchAt)
      }, but of an update on ${asked} ${missed} arrived`
    case "partial":
      return `NOT WHOLE: only a part ever arrived, last asked for on ${asked}`
    case "empty":
      return lastFetch === "empty"
        ? `the VA had none on ${asked}`
        : `the VA had none before, and gave no whole answer on ${asked}`
    case "unknown":
      return `NOT KNOWN: the VA gave no answer, last asked for on ${asked}`
  }
}

/** Says in plain words what the archive has and has not. It is the archive's last file. */
export const readme = (
  { callSign, documents, eventsWithoutProof, head, manifest, moment, types }: Spooled,
  byOperator: boolean,
  { documentNames, ownFiles, unreadable }: Findings
): string => {
  // A kind of which nothing is stored is named too: that nothing came does not mean that the VA has none.
  const kinds = [...new Set([...types.map(({ resourceType }) => resourceType), ...Object.keys(manifest)])].toSorted()
  return [
    `A copy of all data in ${serviceName}`,
    "",
    `Whose: ${callSign}`,
    `Made on: ${secondOf(moment)}`,
    `Made by: ${byOperator ? "the operator of the service" : "you, in your own account"}`,
    "Everything in it is as it was at that moment.",
    "",
    "This copy is not locked. Whoever has the file can read it. Keep it in a safe place, and delete it when you no longer need it.",
    ...(unreadable.length === 0 ? [] : [
      "",
      "NOT WHOLE: the service could not open these. Please tell the operator.",
      ...unreadable.map((name) => `- ${name}`)
    ]),
    "",
    "WHAT IS IN IT",
    "",
    "record/            Your health record, one file for each kind. Each line is one item, exactly as the VA gave it (FHIR, JSON).",
    ...(types.some(({ inactive }) => inactive > 0) ?
      ["record-inactive/   Items that a later update no longer had. The service keeps them for a while, and shows them to you alone."] :
      []),
    ...(ownFiles.length === 0 ? [] : [
      "                   An item whose text has line breaks is a file of its own in a folder of its kind."
    ]),
    "own-words.json     What you wrote yourself.",
    "notes.json         What providers wrote about you here.",
    ...(documents.length === 0 ? [] : ["documents/         Your uploads, and your copies of what you signed."]),
    "sharing.json       Who may see your record, and who could before.",
    "disclosures.csv    What happened with your record, and when. A spreadsheet opens it.",
    ...(head === undefined ? [] : [
      "proofs/            A proof for each event of that list. It shows that nobody changed the event later.",
      "                   The name of the file is the event's id. The program verify-proof checks it."
    ]),
    "",
    "WHAT IS NOT IN IT",
    "",
    "- Links that you sent: their secret part is stored nowhere. Codes, passwords and sign-ins are not in it either.",
    "- The copies that others have of what you shared.",
    "- What you deleted. A release that a recipient was shown is kept for at least six years even so, because the law asks for it.",
    ...(head === undefined ? ["- Proofs: this service has no key to sign them."] : []),
    ...(head !== undefined && eventsWithoutProof > 0 ?
      [
        `- Proofs of ${eventsWithoutProof} events: an event gets its proof about a minute after it happened, and a copy has the`,
        `  newest ${maxProofs} proofs at most. You can get each of them in the app.`
      ] :
      []),
    "",
    "YOUR RECORD",
    "",
    ...(kinds.length === 0 ? ["Nothing is stored."] : []),
    ...kinds.map((kind) => {
      const { active = 0, inactive = 0 } = types.find(({ resourceType }) => resourceType === kind) ?? {}
      const entry = manifest[kind]
      return `${kind}: ${counted(active)}${inactive === 0 ? "" : ` and ${inactive} inactive`}${
        entry === undefined ? "" : `, ${stateOf(entry)}`
      }`
    }),
    ...(documents.length === 0 ? [] : [
      "",
      "YOUR DOCUMENTS",
      "",
      ...documents.flatMap(({ document }, index) => [
        `documents/${documentNames[index]}: ${document.kind === "roi" ? "signed" : "uploaded"} on ${
          dayOf(document.signedAt ?? document.createdAt)
        }, SHA-256 ${document.sha256}`,
        `  Its title: ${document.title.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")}`
      ])
    ])
  ].map(line).join("")
}
