import { memo } from "react"
import type { About } from "../../shared/record/Messages.ts"
import type { RecordState } from "../../shared/record/OpenRecord.ts"
import type { KindFilter } from "../items/Kinds.ts"
import { worstOf } from "./Completeness.ts"
import { type Coming, ListCard } from "./GlanceCard.tsx"
import { LatestResults } from "./LatestResults.tsx"

/** The cards that are visible together: allergies above active problems, then medications, then the latest results. */
export const FirstGlance = memo(({ about, onAll, onItem, state }: {
  readonly about: About
  readonly state: RecordState
  readonly onItem: (key: number) => void
  readonly onAll: (kind: KindFilter) => void
}) => {
  const { glance } = state
  const comingOf = comingIn(state)
  return (
    <div className="glance">
      <div className="stack">
        <ListCard
          title="Allergies"
          name="Allergies"
          nouns={["allergy", "allergies"]}
          card={glance?.allergies}
          stand={worstOf(about, ["AllergyIntolerance"])}
          coming={comingOf("AllergyIntolerance")}
          onItem={onItem}
          onAll={() => onAll("allergies")}
        />
        <ListCard
          title="Active problems"
          name="Problems"
          nouns={["problem", "problems"]}
          card={glance?.problems}
          stand={worstOf(about, ["Condition"])}
          coming={comingOf("Condition")}
          onItem={onItem}
          onAll={() => onAll("problems")}
        />
      </div>
      <ListCard
        title="Medications"
        name="Medications"
        nouns={["medication entry", "medication entries"]}
        card={glance?.medications}
        stand={worstOf(about, ["MedicationRequest", "MedicationStatement"])}
        coming={comingOf("Medication", "MedicationRequest", "MedicationStatement")}
        onItem={onItem}
        onAll={() => onAll("medications")}
      />
      <LatestResults
        results={glance?.results}
        stand={worstOf(about, ["Observation"])}
        coming={comingOf("Observation")}
        onItem={onItem}
        onAll={() => onAll("results")}
      />
    </div>
  )
})

const comingIn = ({ about, failure, progress: { whole } }: RecordState) => (...types: ReadonlyArray<string>): Coming =>
  types.every((type) => whole.includes(type) || about?.sections.every(({ resourceType }) => resourceType !== type))
    ? "there"
    : failure === undefined
    ? "loading"
    : "failed"
