import { createHash } from "node:crypto"
import { maxReadLength } from "../../domain/ReadBounds.ts"
import type { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { codesText, findCode } from "./CodeSets.ts"
import { systemKind } from "./CodeSystems.ts"
import { SearchedTexts } from "./SearchedTexts.ts"
import { phrasesText } from "./SensitivePhrases.ts"
import { categoriesOf, everyCategory, withoutAdvice } from "./SensitiveTables.ts"
import { searchData } from "./TextSearch.ts"

/** Raise this number when a change of the program, not of the tables, classifies resources differently. */
const reading = 3

/** Changes with the classification, so that the next sync stores and classifies all items again (SentHashes.ts). */
export const codeSetVersion = `sensitive-codes/${
  createHash("sha256").update(`${reading}\n${codesText}\n${phrasesText}`).digest("hex").slice(0, 16)
}`

export interface Tally {
  /** Codings whose system is neither searched nor known to be harmless. */
  unknownSystems: number
}

/** Members without prose, such as ids and times. They are a third of a record, and are not searched. */
const unread = new Set(
  ("id uid resourceType system reference url fullUrl versionId lastUpdated status issued effectiveDateTime start end " +
    "authoredOn started date onsetDateTime recordedDate occurrenceDateTime abatementDateTime contentType code")
    .split(" ")
)

/** Members that hold an attachment in base64. */
const encoded = new Set(["data", "valueBase64Binary"])

/** A care plan's activities, and the narrative that repeats them. */
const planned = new Set(["activity", "text"])

/**
 * Finds the categories of a parsed FHIR resource by every coding and text in it, including security labels, narrative,
 * attachments and contained resources. General advice, such as "Counseling about alcohol consumption", is given to
 * everybody with high blood pressure. As an activity of a care plan it says nothing about the patient's drinking, so it
 * does not classify the plan. This runs for each of the 60,000 resources of a large sync, so it neither recurses nor
 * copies. The result depends only on `resource`; `texts` are those of the same sync.
 */
export const classify = (
  resource: unknown,
  tally: Tally = { unknownSystems: 0 },
  texts = new SearchedTexts()
): ReadonlyArray<SensitiveCategory> => {
  const activities: Array<unknown> = []
  const found = walk([resource], activities, tally, texts)
  return categoriesOf(found | withoutAdvice(walk(activities, activities, tally, texts)))
}

const isTooLong = (value: unknown) => typeof value === "string" && value.length > maxReadLength

const walk = (
  pending: Array<unknown>,
  activities: Array<unknown>,
  tally: Tally,
  texts: SearchedTexts
): number => {
  let found = 0
  while (pending.length > 0) {
    const node = pending.pop()
    if (typeof node === "string") found |= texts.search(node)
    else if (Array.isArray(node)) {
      for (let i = 0; i < node.length; i++) {
        const value = node[i]
        if (typeof value === "string") found |= texts.search(value)
        else if (typeof value === "object" && value !== null) pending.push(value)
      }
    } else if (typeof node === "object" && node !== null) {
      const members = node as Record<string, unknown>
      const isPlan = members["resourceType"] === "CarePlan"
      for (const key in members) {
        const value = members[key]
        if (typeof value === "string") {
          if (!unread.has(key)) found |= encoded.has(key) ? searchData(value) : texts.search(value)
        } else if (typeof value === "object" && value !== null) {
          if (isPlan && planned.has(key)) activities.push(value)
          else pending.push(value)
        }
      }
      const { code, system } = members
      if (isTooLong(code) || isTooLong(system)) found |= everyCategory
      else if (typeof code === "string" || typeof code === "number") {
        const kind = systemKind(system)
        // A local code may contain words, such as HIV_POS; a number does not.
        if (typeof code === "string" && code.charCodeAt(0) > 0x39) found |= texts.search(code)
        if (kind === "unknown") tally.unknownSystems++
        else found |= findCode(kind, String(code))
      }
    }
  }
  return found
}
