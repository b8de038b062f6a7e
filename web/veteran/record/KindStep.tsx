import { useDeferredValue, useMemo } from "react"
import { comingOf } from "../../shared/record/glance/CardStates.ts"
import { worstOf } from "../../shared/record/glance/Completeness.ts"
import { Nothing } from "../../shared/record/glance/GlanceCard.tsx"
import { type Choice, FilterBar } from "../../shared/record/items/FilterBar.tsx"
import { filtered, filterWords } from "../../shared/record/items/ItemFilter.ts"
import { firstView, type ItemsView } from "../../shared/record/items/ItemsView.ts"
import { isOfKind, type KindFilter, kinds } from "../../shared/record/items/Kinds.ts"
import { ListWords } from "../../shared/record/items/ListWords.tsx"
import { newestFirst, sorted } from "../../shared/record/items/Sorting.ts"
import type { Line } from "../../shared/record/Messages.ts"
import { useReaderWords } from "../../shared/record/ReaderWords.ts"
import { useRecordWords } from "../../shared/record/RecordLanguage.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { addressOf } from "../Route.ts"
import { InEnglish } from "./InEnglish.tsx"
import { kindName, typesOf } from "./KindNames.ts"
import { ReadingCount } from "./ReadingCount.tsx"
import type { StepProperties } from "./StepProperties.ts"
import { ownWords, useOwnWords } from "./Words.ts"
import { YearList } from "./YearList.tsx"

/** All items of a kind: how complete it is, a search and filters, and the items by year. */
export const KindStep = ({ about, above, kind, setView, state, view }: StepProperties & {
  readonly kind: KindFilter
  readonly view: ItemsView | undefined
  readonly setView: (view: ItemsView) => void
}) => {
  const own = useOwnWords()
  const first = { ...firstView, kind }
  const shown = view ?? first
  const { failure, lines, progress: { done, order } } = state
  const query = useDeferredValue(shown.query)
  const all = useMemo(
    () => sorted(Array.from(order, (key) => lines[key]!).filter((line) => isOfKind(line.kind, kind)), newestFirst),
    [kind, lines, order]
  )
  const filter = { ...shown, query }
  const { shown: rows, undated } = filtered(all, filter)
  // The heading names the list's own kind. The filter names another one that was chosen here.
  const words = [
    ...shown.kind === kind ? [] : [kindName(shown.kind)],
    ...filterWords(filter, null).slice(shown.kind === "all" ? 0 : 1)
  ]
  const choices = choicesOf(all, kind)
  return (
    <>
      <p>
        <a className="line-link" href={addressOf({ screen: "record" })}>{own.back}</a>
      </p>
      <Heading>{kindName(kind)}</Heading>
      {above}
      <InEnglish />
      <KindState kind={kind} about={about} state={state} isEmpty={all.length === 0} />
      <ReadingCount about={about} state={state} />
      {all.length === 0 ? null : (
        <section className="card stack tight items">
          <FilterBar choices={choices} shown={shown} setShown={setView} since={null} hasNew={false} />
          <ListWords
            filter={words}
            sorting={newestFirst}
            count={rows.length}
            all={all.length}
            undated={undated}
            isCut={false}
            isLoading={!done && failure === undefined}
            onReset={() => setView(first)}
          />
          {rows.length === 0
            ? <p className="nothing">{own.list.nothing}</p>
            : <YearList key={words.join()} lines={rows} hasKinds={kind === "all" || kind === "results"} />}
        </section>
      )}
    </>
  )
}

/** How far the list can be relied on. A list of several kinds leads to the state of each. */
const KindState = ({ about, isEmpty, kind, state }: Pick<StepProperties, "about" | "state"> & {
  readonly kind: KindFilter
  readonly isEmpty: boolean
}) => {
  const words = useReaderWords()
  const own = useOwnWords()
  const { loading } = useRecordWords()
  const types = typesOf[kind]
  if (types === undefined) {
    return (
      <p>
        <a className="line-link" href={addressOf({ screen: "complete" })}>{own.list.howEach}</a>
      </p>
    )
  }
  const of = { stand: worstOf(about, types), coming: comingOf(about, state, ...types) }
  const isKnown = of.coming === "there" || of.stand.is === "missing"
  const [tag, colour] = isKnown ? words.tag(of.stand, isEmpty) : [loading, "off"] as const
  const more = isKnown ? words.about(of.stand) : null
  return (
    <section className="card stack tight">
      <p className="row">
        <Tag kind={colour}>{tag}</Tag> <a href={addressOf({ screen: "complete" })}>{own.complete.title}</a>
      </p>
      {more === null ? null : <p>{more}</p>}
      {isEmpty ? <Nothing name={kindName(kind)} of={of} asking={(sentence) => sentence} /> : null}
      {of.stand.is === "missing" ? words.ifMissing : null}
    </section>
  )
}

/** The kinds that a list of several kinds has. */
const choicesOf = (all: ReadonlyArray<Line>, kind: KindFilter): ReadonlyArray<Choice> => {
  const counts = Map.groupBy(all, (line) => line.kind)
  return [
    [kind, kind === "all" ? ownWords().list.all : kindName(kind), all.length] as const,
    ...kinds.filter((one) => one !== kind && counts.has(one))
      .map((one) => [one, kindName(one), counts.get(one)!.length] as const)
  ]
}
