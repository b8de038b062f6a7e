import { wordsFor } from "../../../src/domain/ResourceTypeWords.ts"
import { Tag } from "../../shared/ui/Tag.tsx"
import type { KindProgress } from "./Messages.ts"
import { number, reasonWords, stepWords } from "./UpdateWords.ts"

/** One row for each kind: its plain name, how many items there are, and how far it is. */
export const KindRows = ({ label, of, said }: {
  readonly label: string
  readonly of: ReadonlyArray<KindProgress>
  /** Kinds whose reason is said once for many. */
  readonly said: ReadonlySet<string>
}) => (
  <ul className="rows update-kinds" aria-label={label}>
    {of.map((kind) => <KindRow key={kind.resourceType} kind={kind} isSaid={said.has(kind.resourceType)} />)}
  </ul>
)

const KindRow = ({ isSaid, kind }: { readonly kind: KindProgress; readonly isSaid: boolean }) => {
  const [words, color] = stepWords[kind.step]
  const reason = isSaid ? undefined : reasonWords(kind)
  return (
    <li>
      <span className="update-kind">
        {wordsFor(kind.resourceType)}
        {reason === undefined ? null : <span className="soft small">{reason}</span>}
      </span>
      <span className="update-state">
        {kind.count > 0 ? <span className="number soft">{number(kind.count)}</span> : null}
        {color === undefined ? <Tag>{words}</Tag> : <Tag kind={color}>{words}</Tag>}
      </span>
    </li>
  )
}
