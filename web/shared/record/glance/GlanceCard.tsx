import type { ReactNode } from "react"
import type { Card, GlanceItem } from "../../../../src/clinical/GlanceCards.ts"
import { Tag } from "../../ui/Tag.tsx"
import { Flags } from "../items/Flags.tsx"
import { useReaderWords } from "../ReaderWords.ts"
import { useRecordWords } from "../RecordLanguage.ts"
import type { Nouns } from "../words/English.ts"
import type { CardState } from "./CardStates.ts"
import { Clamped } from "./Clamped.tsx"
import { detailWords, partsOf, suppliedWords } from "./ItemWords.ts"

/** A card of the first glance: its name and count, how reliable it is, and its items. */
export const GlanceCard = ({ children, count, isEmpty, name, of: { coming, stand } }: {
  readonly name: string
  readonly count: number | undefined
  readonly of: CardState
  /** True if it shows nothing of the record. */
  readonly isEmpty: boolean
  readonly children: ReactNode
}) => {
  const reader = useReaderWords()
  const { days: { tag }, loading, notAllLoaded } = useRecordWords()
  const isKnown = coming === "there" || stand.is === "missing"
  const about = isKnown ? reader.about(stand) : null
  const [words, kind] = isKnown
    ? reader.tag(stand, isEmpty)
    : coming === "loading"
    ? ([loading, "off"] as const)
    : ([notAllLoaded, "bad"] as const)
  return (
    <section className="card glance-card">
      <div className="row between">
        <h2>
          {name} {count === undefined ? null : <span className="soft number">{count.toLocaleString(tag)}</span>}
        </h2>
        <Tag kind={kind}>{words}</Tag>
      </div>
      {about === null ? null : <p className="soft small">{about}</p>}
      {children}
      {stand.is === "missing" ? reader.ifMissing : null}
    </section>
  )
}

/** Rewords a sentence that asks the patient, if the patient has died. */
export type Asking = (sentence: string) => string

/** The words of a card without items. `hasOthers` is true if the card shows something else than the record's items. */
export const Nothing = ({ asking, hasOthers = false, name, of: { coming, stand }, past = false }: {
  readonly name: string
  readonly of: CardState
  readonly asking: Asking
  readonly past?: boolean
  readonly hasOthers?: boolean
}) => {
  const { empty, notAllLoaded } = useReaderWords()
  const { loading } = useRecordWords()
  const isAlarming = stand.is === "missing" || stand.is === "incomplete" || coming === "failed"
  return (
    <p className={`nothing ${isAlarming ? "alarming" : ""}`}>
      {coming === "failed" && stand.is !== "missing"
        ? notAllLoaded(name)
        : coming === "loading" && !isAlarming
        ? loading
        : asking(empty(stand, name, past, hasOthers))}
    </p>
  )
}

/** A list of current items, with a button that shows all of them. */
export const ListCard = (
  { above = null, aboutOf, asking, below = null, card, name, nouns, of, onAll, onItem, supplied = null, title }: {
    readonly title: string
    readonly name: string
    readonly nouns: Nouns
    /** The line below an item's title. */
    readonly aboutOf: (item: GlanceItem) => string
    readonly card: Card | undefined
    readonly of: CardState
    readonly asking: Asking
    readonly onItem: (key: number) => void
    readonly onAll: () => void
    /** Shown before and after the items. With either, the card never says "none" alone. */
    readonly above?: ReactNode
    readonly below?: ReactNode
    /** The last medication that was dispensed or given, if none is active. */
    readonly supplied?: GlanceItem | null
  }
) => {
  const words = useRecordWords()
  const more = card === undefined ? 0 : card.current - card.items.length
  return (
    <GlanceCard
      name={title}
      count={card !== undefined && card.all > 0 ? card.active : undefined}
      of={of}
      isEmpty={(card === undefined || card.all + card.statements.length === 0) && below === null}
    >
      {above}
      {card === undefined || card.items.length === 0
        ? (
          <Nothing
            name={name}
            of={of}
            asking={asking}
            past={card?.hasPast === true}
            hasOthers={above !== null || below !== null}
          />
        )
        : <GlanceRows items={card.items} aboutOf={aboutOf} onItem={onItem} />}
      {/* A list that ends without a word would be read as all there is. */}
      {more > 0 ? <p>{words.more(more)}</p> : null}
      {supplied === null ?
        null :
        <Statement words={words.lastSupplied} item={supplied} onItem={onItem}>{suppliedWords(supplied)}</Statement>}
      {card?.statements.map((statement) => (
        <Statement key={statement.key} words={words.saying} item={statement} onItem={onItem}>
          <Detail item={statement} line={detailWords(statement)} />
        </Statement>
      ))}
      {below}
      {card !== undefined && card.all > 0
        ? (
          <button type="button" className="link" onClick={onAll}>
            {words.all(card.all, nouns)}
            {card.hasPast ? words.pastToo : ""}
          </button>
        )
        : null}
    </GlanceCard>
  )
}

/** An item in a sentence, which opens it. */
const Statement = ({ children, item: { flags, key, title }, onItem, words }: {
  readonly words: string
  readonly item: GlanceItem
  readonly onItem: (key: number) => void
  readonly children: ReactNode
}) => (
  <p className="statement">
    {words}{" "}
    <button type="button" className="link" onClick={() => onItem(key)}>
      <bdi lang={useRecordWords().ofSource}>{title}</bdi>
    </button>
    <Flags of={flags} /> <span className="soft">{children}</span>
  </p>
)

export const GlanceRows = ({ aboutOf, items, onItem }: {
  readonly items: ReadonlyArray<GlanceItem>
  readonly aboutOf: (item: GlanceItem) => string
  readonly onItem: (key: number) => void
}) => (
  <ul className="glance-list">
    {items.map((item) => <GlanceRow key={item.key} item={item} about={aboutOf(item)} onOpen={onItem} />)}
  </ul>
)

const GlanceRow = ({ about, item, onOpen }: {
  readonly item: GlanceItem
  readonly about: string
  readonly onOpen: (key: number) => void
}) => {
  const { ofSource } = useRecordWords()
  const { flags, key, title } = item
  return (
    <li>
      <button type="button" className="item-name" onClick={() => onOpen(key)}>
        <bdi lang={ofSource}>{title}</bdi>
      </button>
      <Flags of={flags} />
      {about === "" ? null : (
        <Clamped className="about soft" onWhole={() => onOpen(key)}>
          <Detail item={item} line={about} />
        </Clamped>
      )}
    </li>
  )
}

/** The line below an item's title, with what the source wrote marked if it is in another language. */
const Detail = ({ item, line }: { readonly item: GlanceItem; readonly line: string }) => {
  const { ofSource } = useRecordWords()
  const [source, ours] = partsOf(item, line)
  return ofSource === undefined || source === "" ? line : (
    <>
      <span lang={ofSource}>{source}</span>
      {ours}
    </>
  )
}
