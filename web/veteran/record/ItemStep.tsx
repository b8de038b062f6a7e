import { categoryWords } from "../../shared/language/Names.ts"
import { ItemContent, ItemTitle, ofResult, useItem } from "../../shared/record/items/ItemContent.tsx"
import type { Item, Line } from "../../shared/record/Messages.ts"
import type { OpenRecord } from "../../shared/record/OpenRecord.ts"
import { useRecordWords } from "../../shared/record/RecordLanguage.ts"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { addressOf } from "../Route.ts"
import { InEnglish } from "./InEnglish.tsx"
import { ItemAttachment } from "./ItemAttachment.tsx"
import { kindName } from "./KindNames.ts"
import { plainName } from "./PlainNames.ts"
import type { StepProperties } from "./StepProperties.ts"
import { useOwnWords } from "./Words.ts"

/** One item. The address has the service's id of it, which says nothing about what it is. */
export const ItemStep = ({ above, id, record, state: { failure, lines, progress: { done } } }: StepProperties & {
  readonly id: string
}) => {
  const words = useOwnWords()
  const line = lines.find((line) => line?.id === id)
  if (line !== undefined) return <Opened above={above} line={line} record={record} />
  return (
    <>
      <p>
        <a className="line-link" href={addressOf({ screen: "record" })}>{words.back}</a>
      </p>
      <section className="card stack">
        <Heading>{done ? words.item.gone : words.title}</Heading>
        {above}
        {done ? <p>{words.item.goneWhy}</p> : null}
        <Loading when={!done && failure === undefined}>{words.opening}</Loading>
      </section>
    </>
  )
}

const Opened = ({ above, line, record }: Pick<StepProperties, "above" | "record"> & { readonly line: Line }) => {
  const words = useOwnWords()
  const item = useItem(record, line.key)
  return (
    <>
      <p>
        <a className="line-link" href={addressOf({ screen: "record", kind: line.kind })}>
          {words.item.allOf(kindName(line.kind))}
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
  const { item: words } = useOwnWords()
  const { ofSource } = useRecordWords()
  const { isOurs, name } = plainName(row)
  return (
    <>
      <div dir="auto">
        <Heading>
          <span lang={isOurs ? undefined : ofSource}>
            <ItemTitle row={{ ...row, title: name }} />
          </span>
        </Heading>
        {name === row.title ? null : (
          <p className="soft">
            {words.vaCallsIt} <bdi lang={ofSource}>{row.title}</bdi>
          </p>
        )}
      </div>
      {above}
      <InEnglish />
      {keptBack.length === 0 ? null : (
        <Notice kind="info" title={words.keptBack}>
          {keptBack.map(categoryWords).join("; ")}
        </Notice>
      )}
      <section className="card stack tight detail" aria-label={words.details}>
        <ItemContent
          heading="h2"
          first={ofResult}
          item={item}
          kind={kindName(kind)}
          record={record}
          renderFile={(file) => <ItemAttachment file={file} />}
        />
      </section>
    </>
  )
}
