import { numberWords, typeWords } from "../../shared/language/Names.ts"
import { Tag } from "../../shared/ui/Tag.tsx"
import type { KindProgress } from "./Messages.ts"
import { reasonWords, stepColors } from "./UpdateWords.ts"
import { useUpdateWords } from "./Words.ts"

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
  const words = useUpdateWords().steps[kind.step]
  const color = stepColors[kind.step]
  const reason = isSaid ? undefined : reasonWords(kind)
  return (
    <li>
      <span className="update-kind">
        {typeWords(kind.resourceType)}
        {reason === undefined ? null : <span className="soft small">{reason}</span>}
      </span>
      <span className="update-state">
        {kind.count > 0 ? <span className="number soft">{numberWords(kind.count)}</span> : null}
        {color === undefined ? <Tag>{words}</Tag> : <Tag kind={color}>{words}</Tag>}
      </span>
    </li>
  )
}
