import { askingFor } from "../Deceased.ts"
import type { KindFilter } from "../items/Kinds.ts"
import type { About, SelfReported } from "../Messages.ts"
import type { RecordState } from "../OpenRecord.ts"
import { useReaderWords } from "../ReaderWords.ts"
import { useRecordWords } from "../RecordLanguage.ts"
import { cardStatesOf } from "./CardStates.ts"
import { GlanceRows, ListCard } from "./GlanceCard.tsx"
import { detailWords, reactionWords } from "./ItemWords.ts"
import { LatestResults } from "./LatestResults.tsx"
import { OwnEntries } from "./OwnEntries.tsx"
import { sentEntries } from "./SentEntries.ts"

export interface CardsProperties {
  readonly about: About
  readonly state: RecordState
  /** What the patient wrote. Allergies and medications among it stand in the cards of that name. */
  readonly own?: ReadonlyArray<SelfReported>
  readonly onItem: (key: number) => void
  readonly onAll: (kind: KindFilter) => void
}

/** The four cards of the first glance. Each page arranges them for its reader. */
export const useCards = ({ about, onAll, onItem, own = [], state }: CardsProperties) => {
  const words = useReaderWords()
  const { cards, vaccineReactions } = useRecordWords()
  const { glance } = state
  const states = cardStatesOf(about, state)
  const asking = askingFor(glance?.patient ?? null)
  const ownOf = (category: string) => {
    const entries = own.filter((entry) => entry.category === category)
    const isCut = words.own.cut !== null && own.length >= sentEntries
    return entries.length === 0 && !isCut ? null : <OwnEntries entries={entries} isCut={isCut} />
  }
  const vaccines = glance?.allergies.vaccineReactions ?? []
  const listed = (kind: "allergies" | "problems" | "medications") => ({
    ...cards[kind],
    title: cards[kind].name,
    card: glance?.[kind],
    of: states[kind],
    asking,
    onItem,
    onAll: () => onAll(kind)
  })
  return {
    allergies: (
      <ListCard
        {...listed("allergies")}
        aboutOf={detailWords}
        above={ownOf("allergy")}
        below={vaccines.length === 0 ? null : (
          <div className="vaccines">
            <h3>{vaccineReactions}</h3>
            <GlanceRows items={vaccines} aboutOf={reactionWords} onItem={onItem} />
          </div>
        )}
      />
    ),
    problems: <ListCard {...listed("problems")} title={words.problems} aboutOf={detailWords} />,
    medications: (
      <ListCard
        {...listed("medications")}
        aboutOf={words.dose}
        above={ownOf("medication")}
        supplied={glance?.medications.lastSupplied ?? null}
      />
    ),
    results: (
      <LatestResults
        results={glance?.results}
        of={states.results}
        asking={asking}
        onItem={onItem}
        onAll={() => onAll("results")}
      />
    )
  }
}
