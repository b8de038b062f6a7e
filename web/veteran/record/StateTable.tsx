import { gapsOf } from "../../../src/domain/Completeness.ts"
import { timeWords } from "../../shared/Dates.ts"
import { numberWords } from "../../shared/language/Names.ts"
import { standOf, type States } from "../../shared/record/glance/Completeness.ts"
import { Tag } from "../../shared/ui/Tag.tsx"
import { typeNameOf } from "./KindNames.ts"
import { readerWords } from "./VeteranWords.tsx"
import { ownWords, useOwnWords } from "./Words.ts"

/** How complete each kind is: what is missing first, then by name. */
export const StateTable = ({ states }: { readonly states: States }) => {
  const { complete, items, kind, lastTry, state } = useOwnWords().complete.heads
  const gaps = gapsOf(states).map(({ resourceType }) => resourceType)
  const others = states.sections.map(({ resourceType }) => resourceType).filter((type) => !gaps.includes(type))
    .toSorted((a, b) => typeNameOf(a) < typeNameOf(b) ? -1 : 1)
  return (
    <table className="usa-table states">
      <thead>
        <tr>
          {[kind, state, items, complete, lastTry].map((head) => <th key={head} scope="col">{head}</th>)}
        </tr>
      </thead>
      <tbody>{[...gaps, ...others].map((type) => <StateRow key={type} type={type} states={states} />)}</tbody>
    </table>
  )
}

const StateRow = ({ states, type }: { readonly states: States; readonly type: string }) => {
  const words = useOwnWords()
  const { heads } = words.complete
  const section = states.sections.find(({ resourceType }) => resourceType === type)
  const stand = standOf(states, type)
  const [tag, kind] = readerWords(words).tag(stand, true)
  return (
    <tr>
      <th scope="row">{typeNameOf(type)}</th>
      <td>
        <Tag kind={kind}>{tag}</Tag>
      </td>
      <td className="number">
        <Label>{heads.items}</Label>
        {numberWords(section?.itemCount ?? 0)}
      </td>
      <td>
        <Label>{heads.complete}</Label>
        <Moment at={stand.asOf} />
      </td>
      <td>
        <Label>{heads.lastTry}</Label>
        <Moment at={section?.lastFetchAt ?? null} />
      </td>
    </tr>
  )
}

/** The column's name within the cell, where the heads have no room. */
const Label = ({ children }: { readonly children: string }) => <span className="cell-label soft">{children}</span>

const Moment = ({ at }: { readonly at: string | null }) =>
  at === null ? ownWords().complete.never : timeWords(new Date(at))
