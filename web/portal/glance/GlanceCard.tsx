import type { ReactNode } from "react"
import type { Card, GlanceItem } from "../../shared/record/Glance.ts"
import { Tag } from "../../shared/ui/Tag.tsx"
import { Flags } from "../items/Flags.tsx"
import { emptyWords, type Stand, tagOf } from "./Completeness.ts"

/** Whether the card's items are loading, failed to load, or are all there. */
export type Coming = "loading" | "failed" | "there"

/** A card of the first glance: its name and count, how reliable it is, and its items. */
export const GlanceCard = ({ children, coming, count, name, stand }: {
  readonly name: string
  readonly count: number | undefined
  readonly stand: Stand
  readonly coming: Coming
  readonly children: ReactNode
}) => {
  const [words, kind] = coming === "there" || stand.is === "missing"
    ? tagOf[stand.is]
    : coming === "loading"
    ? (["Still loading", "off"] as const)
    : (["Not all loaded", "bad"] as const)
  return (
    <section className="card glance-card">
      <div className="row between">
        <h2>
          {name} {count === undefined ? null : <span className="soft number">{count.toLocaleString("en-US")}</span>}
        </h2>
        <Tag kind={kind}>{words}</Tag>
      </div>
      {children}
    </section>
  )
}

/** The words of a card without items. */
export const Nothing = ({ coming, name, past = false, stand }: {
  readonly name: string
  readonly stand: Stand
  readonly coming: Coming
  readonly past?: boolean
}) =>
  stand.is === "missing" || stand.is === "incomplete" || coming === "failed"
    ? (
      <p className="nothing alarming">
        {coming === "failed" && stand.is !== "missing"
          ? `${name} could not all be loaded. Do not read this as “none.”`
          : emptyWords(stand, name, past)}
      </p>
    )
    : <p className="nothing">{coming === "loading" ? "Still loading" : emptyWords(stand, name, past)}</p>

/** A card with a list of current items, and a button that shows all items of the kind, past ones too. */
export const ListCard = ({ card, coming, name, nouns, onAll, onItem, stand, title }: {
  readonly title: string
  readonly name: string
  /** The noun for one item and for several. */
  readonly nouns: readonly [string, string]
  readonly card: Card | undefined
  readonly stand: Stand
  readonly coming: Coming
  readonly onItem: (key: number) => void
  readonly onAll: () => void
}) => (
  <GlanceCard
    name={title}
    count={card !== undefined && card.all > 0 ? card.active : undefined}
    stand={stand}
    coming={coming}
  >
    {card === undefined || card.items.length === 0
      ? <Nothing name={name} stand={stand} coming={coming} past={card?.hasPast === true} />
      : (
        <ul className="glance-list">
          {card.items.map((item) => <GlanceRow key={item.key} item={item} onOpen={onItem} />)}
        </ul>
      )}
    {card !== undefined && card.all > 0
      ? (
        <button type="button" className="link" onClick={onAll}>
          {allWords(card.all, ...nouns)}
          {card.hasPast ? ", past ones too" : ""}
        </button>
      )
      : null}
  </GlanceCard>
)

export const allWords = (count: number, one: string, several: string) =>
  count === 1 ? `Show 1 ${one}` : `All ${count.toLocaleString("en-US")} ${several}`

const GlanceRow = ({ item: { about, flags, key, title }, onOpen }: {
  readonly item: GlanceItem
  readonly onOpen: (key: number) => void
}) => (
  <li>
    <button type="button" className="item-name" onClick={() => onOpen(key)}>
      <bdi>{title}</bdi>
    </button>
    <Flags of={flags} />
    {about === "" ? null : <span className="about soft" dir="auto">{about}</span>}
  </li>
)
