import { recordedDay } from "../../shared/record/ClinicalDays.ts"
import type { GlanceResult, Results } from "../../shared/record/Glance.ts"
import { Flags } from "../items/Flags.tsx"
import { unitsInWords } from "../items/Units.ts"
import type { Stand } from "./Completeness.ts"
import { allWords, type Coming, GlanceCard, Nothing } from "./GlanceCard.tsx"
import { Sparkline } from "./Sparkline.tsx"
import { shortNames } from "./TestNames.ts"

/**
 * The newest results of the most important tests. They are shown once all results have arrived, because until then a
 * newer one may come.
 */
export const LatestResults = ({ coming, onAll, onItem, results, stand }: {
  readonly results: Results | undefined
  readonly stand: Stand
  readonly coming: Coming
  readonly onItem: (key: number) => void
  readonly onAll: () => void
}) => {
  const items = coming === "there" ? results?.items ?? [] : []
  const names = shortNames(items.map(({ title }) => title))
  return (
    <GlanceCard name="Latest results" count={undefined} stand={stand} coming={coming}>
      {coming === "there" && results !== undefined && results.all > 0 && items.length === 0
        ? <p className="nothing">No result here has both a test and a value.</p>
        : items.length === 0
        ? <Nothing name="Results" stand={stand} coming={coming} />
        : (
          <table className="latest">
            <thead>
              <tr>
                <th scope="col">Test</th>
                <th scope="col">Value</th>
                <th scope="col">Trend</th>
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
        ? <p className="soft small">The source sent no reference ranges.</p>
        : null}
      {coming === "there" && results !== undefined && results.all > 0
        ? (
          <button type="button" className="link" onClick={onAll}>
            {allWords(results.all, "result", "results")}
          </button>
        )
        : null}
    </GlanceCard>
  )
}

const ResultRow = ({ item: { date, flags, key, range, spark, title, value }, name, onOpen }: {
  readonly item: GlanceResult
  readonly name: string
  readonly onOpen: (key: number) => void
}) => (
  <tr>
    <th scope="row">
      <button type="button" className="item-name" title={title} onClick={() => onOpen(key)}>
        <bdi>{name}</bdi>
      </button>
      <span className="soft small number when">{date === "" ? "No date" : recordedDay(date.slice(0, 10))}</span>
    </th>
    <td>
      <b className="number" dir="auto">{unitsInWords(value)}</b>
      <Flags of={flags} />
      {range === null ? null : <span className="soft small when" dir="auto">Range {unitsInWords(range)}</span>}
    </td>
    <td>
      <Sparkline of={spark} />
    </td>
  </tr>
)
