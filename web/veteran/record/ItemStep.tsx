import { categoryNames } from "../../../src/domain/ReleaseStatements.ts"
import { ItemContent, ItemTitle, useItem } from "../../shared/record/items/ItemContent.tsx"
import type { Item, Line } from "../../shared/record/Messages.ts"
import type { OpenRecord } from "../../shared/record/OpenRecord.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { addressOf } from "../Route.ts"
import { ItemAttachment } from "./ItemAttachment.tsx"
import { kindName } from "./KindNames.ts"
import type { StepProperties } from "./OwnRecord.tsx"
import { plainName } from "./PlainNames.ts"

/** One item. The address has the service's id of it, which says nothing about what it is. */
export const ItemStep = ({ above, id, record, state: { failure, lines, progress: { done } } }: StepProperties & {
  readonly id: string
}) => {
  const line = lines.find((line) => line?.id === id)
  if (line !== undefined) return <Opened above={above} line={line} record={record} />
  return (
    <>
      <p>
        <a className="line-link" href={addressOf({ screen: "record" })}>Back to my record</a>
      </p>
      <section className="card stack">
        <Heading>{done ? "This is not here" : "My record"}</Heading>
        {above}
        {done ? <p>It may have changed with your last update.</p> : null}
        <Loading when={!done && failure === undefined}>Opening your record</Loading>
      </section>
    </>
  )
}

const Opened = ({ above, line, record }: Pick<StepProperties, "above" | "record"> & { readonly line: Line }) => {
  const item = useItem(record, line.key)
  return (
    <>
      <p>
        <a className="line-link" href={addressOf({ screen: "record", kind: line.kind })}>
          All {kindName(line.kind).toLowerCase()}
        </a>
      </p>
      {item === undefined ? <Loading /> : <Content above={above} item={item} record={record} />}
    </>
  )
}

const Content = ({ above, item, record }: Pick<StepProperties, "above"> & {
  readonly item: Item
  readonly record: OpenRecord
}) => {
  const { keptBack, kind, row } = item
  const name = plainName(row)
  return (
    <>
      <div dir="auto">
        <Heading>
          <ItemTitle row={{ ...row, title: name }} />
        </Heading>
        {name === row.title ? null : (
          <p className="soft">
            VA calls it: <bdi>{row.title}</bdi>
          </p>
        )}
      </div>
      {above}
      {keptBack.length === 0 ? null : (
        <Notice kind="info" title="Kept back from others unless you say so">
          {keptBack.map((category) => categoryNames[category]).join("; ")}
        </Notice>
      )}
      <section className="card stack tight detail" aria-label="Details">
        <ItemContent
          heading="h2"
          first={["Value", "Reference range", "Interpretation"]}
          item={item}
          kind={kindName(kind)}
          record={record}
          renderFile={(file) => <ItemAttachment file={file} />}
        />
      </section>
    </>
  )
}
