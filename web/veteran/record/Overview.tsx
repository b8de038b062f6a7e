import { useCallback, useMemo } from "react"
import { gapsOf } from "../../../src/domain/Completeness.ts"
import { useCards } from "../../shared/record/glance/Cards.tsx"
import type { KindFilter } from "../../shared/record/items/Kinds.ts"
import type { About } from "../../shared/record/Messages.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { addressOf, goTo } from "../Route.ts"
import { EverythingElse } from "./EverythingElse.tsx"
import { InEnglish } from "./InEnglish.tsx"
import { KindCard } from "./KindCard.tsx"
import { MyOwnWords } from "./MyOwnWords.tsx"
import { NotesAboutMe } from "./NotesAboutMe.tsx"
import { ReadingCount } from "./ReadingCount.tsx"
import type { StepProperties } from "./StepProperties.ts"
import { TryAgain } from "./TryAgain.tsx"
import { useOwnWords } from "./Words.ts"

const openAll = (kind: KindFilter) => goTo({ screen: "record", kind })

/** What matters first: what is missing, then the cards that a clinician sees too, then all the rest. */
export const Overview = ({ about, above, state }: StepProperties) => {
  const words = useOwnWords()
  const { lines, progress: { order } } = state
  const openItem = useCallback((key: number) => {
    const id = lines[key]?.id
    if (id != null) goTo({ screen: "record", item: id })
  }, [lines])
  const cards = useCards({ about, state, own: about.selfReported, onItem: openItem, onAll: openAll })
  const items = useMemo(() => Array.from(order, (key) => lines[key]!), [lines, order])
  const isNew = about.sections.length === 0
  return (
    <>
      <div className="row between">
        <Heading>{words.title}</Heading>
        {isNew ? null : <a className="line-link" href={addressOf({ screen: "record", kind: "all" })}>{words.search}</a>}
      </div>
      {above}
      {isNew
        ? (
          <section className="card stack">
            <p>{words.none}</p>
            <div className="actions">
              <TryAgain first />
            </div>
          </section>
        )
        : (
          <>
            <InEnglish />
            <Gaps of={about} />
            <ReadingCount about={about} state={state} />
            {cards.allergies}
            {cards.medications}
            {cards.problems}
            {cards.results}
            <KindCard kind="immunizations" nouns={words.vaccines} about={about} state={state} items={items} />
            <KindCard
              kind="documents"
              nouns={words.notes}
              about={about}
              state={state}
              items={items}
            />
            <KindCard kind="procedures" nouns={words.procedures} about={about} state={state} items={items} />
          </>
        )}
      <MyOwnWords entries={about.selfReported} />
      <NotesAboutMe notes={about.notes} />
      {isNew ? null : <EverythingElse about={about} items={items} isDone={state.progress.done} />}
    </>
  )
}

/** How many kinds are not complete. Another screen names them. */
const Gaps = ({ of }: { readonly of: About }) => {
  const { gaps: words } = useOwnWords()
  const gaps = gapsOf(of).length
  return gaps === 0 ?
    null :
    (
      <Notice kind="warning" title={words.title(gaps)}>
        {words.text} <a href={addressOf({ screen: "complete" })}>{words.which}</a>
      </Notice>
    )
}
