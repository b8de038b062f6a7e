import { gapsOf, standingTags } from "../../../src/domain/Completeness.ts"
import type { About, Line } from "../../shared/record/Messages.ts"
import { addressOf } from "../Route.ts"
import { elseKinds, kindName, typeNameOf, typesOf } from "./KindNames.ts"

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
  const counts = Map.groupBy(items, ({ kind }) => kind)
  const gaps = gapsOf(about).filter(({ resourceType }) => !inCards.has(resourceType))
  return (
    <section className="card stack tight">
      <h2>Everything else</h2>
      <ul className="rows">
        {elseKinds.filter((kind) => counts.has(kind)).map((kind) => (
          <li key={kind}>
            <a className="line-link" href={addressOf({ screen: "record", kind })}>{kindName(kind)}</a>
            <Count of={counts.get(kind)!.length} />
          </li>
        ))}
        <li>
          <a className="line-link" href={addressOf({ screen: "record", kind: "all" })}>{kindName("all")}</a>
          <Count of={items.length} />
        </li>
      </ul>
      {isDone ? null : <p className="soft">Still loading</p>}
      {gaps.length === 0 ? null : (
        <ul className="glance-list" aria-label="Not complete">
          {gaps.map(({ resourceType, standing }) => (
            <li key={resourceType}>{typeNameOf(resourceType)}: {standingTags[standing].toLowerCase()}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

const Count = ({ of }: { readonly of: number }) => (
  <span className="number soft">{of === 1 ? "1 item" : `${of.toLocaleString("en-US")} items`}</span>
)
