import {
  allergiesOf,
  type AllergyCard,
  type Card,
  cardOf,
  type KeptItem,
  type MedicationCard,
  medicationsOf
} from "./GlanceCards.ts"
import { type Results, resultsOf } from "./GlanceResults.ts"
import type { SectionType } from "./Row.ts"

/** What a clinician sees first. The portal's pages and a release's page "At a glance" word it each in their own way. */
export interface Glance {
  readonly allergies: AllergyCard
  readonly problems: Card
  readonly medications: MedicationCard
  readonly results: Results
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
