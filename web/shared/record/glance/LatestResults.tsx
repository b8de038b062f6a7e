import type { GlanceResult, Results } from "../../../../src/clinical/GlanceResults.ts"
import { recordedDay } from "../ClinicalDays.ts"
import { Figure } from "../Figure.tsx"
import { Flags } from "../items/Flags.tsx"
import { useReaderWords } from "../ReaderWords.ts"
import { useRecordWords } from "../RecordLanguage.ts"
import { Term } from "../Term.tsx"
import type { CardState } from "./CardStates.ts"
import { Clamped } from "./Clamped.tsx"
import { type Asking, GlanceCard, Nothing } from "./GlanceCard.tsx"
import { shortNames } from "./TestNames.ts"
import { trendWords } from "./TrendWords.ts"

/**
 * The newest results of the most important tests. They are shown once all results have arrived, because a newer one may
 * still come.
 */
export const LatestResults = ({ asking, of, onAll, onItem, results }: {
  readonly results: Results | undefined
  readonly of: CardState
  readonly asking: Asking
  readonly onItem: (key: number) => void
  readonly onAll: () => void
}) => {
  const { noRanges } = useReaderWords()
  const { all, cards, latest, results: words } = useRecordWords()
  const isThere = of.coming === "there"
  const items = isThere ? results?.items ?? [] : []
  const names = shortNames(items.map(({ name }) => name))
  return (
    <GlanceCard name={latest} count={undefined} of={of} isEmpty={results === undefined || results.all === 0}>
      {isThere && results !== undefined && results.all > 0 && items.length === 0
        ? <p className="nothing">{words.noneListed(results.all)}</p>
        : items.length === 0
        ? <Nothing name={cards.results.name} of={of} asking={asking} />
        : (
          <table className="latest">
            <thead>
              <tr>
                <th scope="col">{words.test}</th>
                <th scope="col">{words.value}</th>
                <th scope="col">{words.trend}</th>
              </tr>
            </thead>
            <tbody>
              {items.map((item, index) => (
                <ResultRow
                  key={item.key}
                  item={item}
                  name={names[index]!}
                  onOpen={onItem}
                />
              ))}
            </tbody>
          </table>
        )}
      {items.length > 0 && items.every(({ range }) => range === null)
        ? <p className="soft small">{noRanges}</p>
        : null}
      {isThere && results !== undefined && results.all > 0
        ? (
          <button type="button" className="link" onClick={onAll}>
            {all(results.all, cards.results.nouns)}
          </button>
        )
        : null}
    </GlanceCard>
  )
}

const ResultRow = ({ item, name, onOpen }: {
  readonly item: GlanceResult
  readonly name: string
  readonly onOpen: (key: number) => void
}) => {
  const { date, flags, key, range, spark, title, value } = item
  const { noDate, ofSource, results } = useRecordWords()
  const words = trendWords(item)
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          className="item-name"
          {...(ofSource === undefined ? { title } : {})}
          onClick={() => onOpen(key)}
        >
          <bdi>
            <Term of={name} />
          </bdi>
        </button>
        <span className="soft small number when">{date === "" ? noDate : recordedDay(date.slice(0, 10))}</span>
      </th>
      <td>
        <Clamped className="number value" onWhole={() => onOpen(key)}>
          <b>
            <Figure of={value} />
          </b>
        </Clamped>
        <Flags of={flags} />
        {range === null ? null : (
          <Clamped className="soft small" onWhole={() => onOpen(key)}>
            {results.range} <Figure of={range} />
          </Clamped>
        )}
      </td>
      <td>
        {spark.length < sparklineFrom ? <span role="img" aria-label={words} /> : (
          <button
            type="button"
            className="spark-button"
            title={words}
            aria-label={results.trendOf(words)}
            onClick={() => onOpen(key)}
          >
            <Sparkline of={spark} />
          </button>
        )}
      </td>
    </tr>
  )
}

/** Fewer values make no line. Words stand in its place. */
const sparklineFrom = 3

/** The shape of the newest values. Words beside it and the open item say the same. */
const Sparkline = ({ of }: { readonly of: ReadonlyArray<number> }) => {
  const [low, high] = [Math.min(...of), Math.max(...of)]
  const x = (index: number) => 3 + index * 74 / (of.length - 1)
  const y = (value: number) => high === low ? 13 : 22 - (value - low) / (high - low) * 18
  const path = of.map((value, index) => `${index === 0 ? "M" : "L"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join(
    ""
  )
  return (
    <svg className="spark" viewBox="0 0 80 26" aria-hidden="true">
      <path d={path} />
      <circle cx={x(of.length - 1)} cy={y(of.at(-1)!)} r="2.5" />
    </svg>
  )
}
