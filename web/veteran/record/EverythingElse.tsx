import { gapsOf } from "../../../src/domain/Completeness.ts"
import type { About, Line } from "../../shared/record/Messages.ts"
import { useRecordWords } from "../../shared/record/RecordLanguage.ts"
import { addressOf } from "../Route.ts"
import { elseKinds, kindName, typeNameOf, typesOf } from "./KindNames.ts"
import { useOwnWords } from "./Words.ts"

const inCards = new Set(
  (["allergies", "medications", "problems", "results", "immunizations", "documents", "procedures"] as const)
    .flatMap((kind) => typesOf[kind]!)
)

/** The kinds without a card, and those of them that are not complete. */
export const EverythingElse = ({ about, isDone, items }: {
  readonly about: About
  /** All items, newest first. */
  readonly items: ReadonlyArray<Line>
  readonly isDone: boolean
}) => {
  const { else: words } = useOwnWords()
  const { loading, standings } = useRecordWords()
  const counts = Map.groupBy(items, ({ kind }) => kind)
  const gaps = gapsOf(about).filter(({ resourceType }) => !inCards.has(resourceType))
  return (
    <section className="card stack tight">
      <h2>{words.title}</h2>
      <ul className="rows">
        {elseKinds.filter((kind) => counts.has(kind)).map((kind) => (
          <li key={kind}>
            <a className="line-link" href={addressOf({ screen: "record", kind })}>{kindName(kind)}</a>
            <span className="number soft">{words.count(counts.get(kind)!.length)}</span>
          </li>
        ))}
        <li>
          <a className="line-link" href={addressOf({ screen: "record", kind: "all" })}>{kindName("all")}</a>
          <span className="number soft">{words.count(items.length)}</span>
        </li>
      </ul>
      {isDone ? null : <p className="soft">{loading}</p>}
      {gaps.length === 0 ? null : (
        <ul className="glance-list" aria-label={words.gaps}>
          {gaps.map(({ resourceType, standing }) => (
            <li key={resourceType}>{typeNameOf(resourceType)}: {standings[standing].toLowerCase()}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
