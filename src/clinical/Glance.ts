import { allergiesOf, cardOf, medicationsOf } from "./GlanceCards.ts"
import { resultsOf } from "./GlanceResults.ts"
import type { Labelled, SectionType, Summary } from "./Row.ts"

/** What a clinician sees first. The portal's pages and a release's page "At a glance" word it each in their own way. */
export interface Glance {
  readonly allergies: AllergyCard
  readonly problems: Card
  readonly medications: MedicationCard
  readonly results: Results
}

export interface Card {
  /** The items that fit on the card: active ones, then those whose flags or status say why they are not counted. */
  readonly items: ReadonlyArray<GlanceItem>
  /** The number of active items. Items that say the same count as one. */
  readonly active: number
  /** The number of lines that are not past: active ones, and those not confirmed, on hold or without a status. */
  readonly current: number
  /** The number of items of the record, without statements of absence. */
  readonly all: number
  /** True if some items are past or were entered in error. */
  readonly hasPast: boolean
  /** Statements of absence, such as “No known latex allergy”. They are neither items nor counted. */
  readonly statements: ReadonlyArray<GlanceItem>
}

export interface AllergyCard extends Card {
  /** Immunizations after which a reaction was recorded. They are not counted. */
  readonly vaccineReactions: ReadonlyArray<GlanceItem>
}

export interface MedicationCard extends Card {
  /** The newest dispense or administration, if no medication is active. Otherwise null. */
  readonly lastSupplied: GlanceItem | null
}

export interface GlanceItem {
  /** The newest of the items that say the same. */
  readonly key: number
  readonly title: string
  /** A dose or a reaction. */
  readonly detail: string | null
  /** The first date of the item with its label: `Onset`, `2019-03`. */
  readonly date: Labelled | null
  readonly hasStatus: boolean
  /** How many items of the record say the same. */
  readonly entries: number
  readonly flags: ReadonlyArray<string>
}

export interface Results {
  readonly items: ReadonlyArray<GlanceResult>
  readonly all: number
}

export interface GlanceResult {
  readonly key: number
  readonly title: string
  /** The short name of a key test, such as `eGFR`; the title of any other test. */
  readonly name: string
  readonly value: string
  readonly range: string | null
  readonly date: string
  readonly flags: ReadonlyArray<string>
  /** The newest twelve values, oldest first. A blood pressure gives its systolic values. */
  readonly spark: ReadonlyArray<number>
}

/** An item of the record and its key. */
export interface KeptItem {
  readonly key: number
  readonly summary: Summary
}

export const glanceOf = (kept: ReadonlyArray<KeptItem>): Glance => {
  const of = (section: SectionType) => kept.filter(({ summary }) => summary.entry.section === section)
  return {
    allergies: allergiesOf(of("allergies"), of("immunizations")),
    problems: cardOf(of("problems"), 8),
    medications: medicationsOf(of("medications"), 8),
    results: resultsOf(kept.filter(({ summary }) => summary.entry.reference.startsWith("Observation/")), 8)
  }
}
