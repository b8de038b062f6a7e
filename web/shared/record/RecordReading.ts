import { glanceOf } from "../../../src/clinical/Glance.ts"
import { textOf } from "../../../src/clinical/JsonSpans.ts"
import { type Person, personOf } from "../../../src/clinical/Person.ts"
import { rowOf, summaryOf } from "../../../src/clinical/Reading.ts"
import type { Row, Summary } from "../../../src/clinical/Row.ts"
import { titlesOf } from "../../../src/clinical/Titles.ts"
import { testOf, trendOf } from "../../../src/clinical/Trend.ts"
import { kindOf, lineOf } from "./LineOf.ts"
import type { Item, Line, RecordGlance } from "./Messages.ts"
import type { Changes, ReceivedItem } from "./RecordPages.ts"

export interface ExactItem {
  readonly resourceType: string
  readonly fhirId: string
  readonly bytes: Uint8Array
}

interface KeptItem extends ReceivedItem {
  readonly key: number
  readonly resourceType: string
  readonly bytes: Uint8Array
  summary: Summary
}

/**
 * The part of the record that has arrived. It keeps the received bytes and a small summary of each item. Everything
 * else is made on request.
 */
export class RecordReading {
  private readonly items: Array<KeptItem> = []
  private readonly keys = new Map<string, number>()
  private titleOf = titlesOf([])
  private named = 0
  private hows: Changes["hows"] = new Map()

  get size() {
    return this.items.length
  }

  /** Adds the items of a page and returns their lines. An item that comes again replaces its first version. */
  add(resourceType: string, received: ReadonlyArray<ReceivedItem>, bytes: Uint8Array): ReadonlyArray<Line> {
    const keys: Array<number> = []
    for (const item of received) {
      const { fhirId, span } = item
      const reference = `${resourceType}/${fhirId}`
      const key = this.keys.get(reference) ?? this.items.length
      this.keys.set(reference, key)
      const summary = summaryOf(resourceType, fhirId, textOf(bytes, span), this.titleOf)
      this.items[key] = { ...item, key, resourceType, bytes, summary }
      keys.push(key)
    }
    return keys.map((key) => this.lineOf(key))
  }

  /** Marks what is new or changed, also among items that arrive later. Returns the lines that changed. */
  mark({ hows }: Changes): ReadonlyArray<Line> {
    this.hows = hows
    return [...hows.keys()].flatMap((reference) => {
      const key = this.keys.get(reference)
      return key === undefined ? [] : [this.lineOf(key)]
    })
  }

  /** Titles the items that are named by a resource that arrived after them. Returns the lines that changed. */
  nameAgain(): ReadonlyArray<Line> {
    this.nameItems()
    const changed: Array<Line> = []
    for (const item of this.items) {
      if (item.summary.isNamed) continue
      const summary = summaryOf(item.resourceType, item.fhirId, resourceOf(item), this.titleOf)
      const isOther = summary.title !== item.summary.title
      item.summary = summary
      if (isOther) changed.push(this.lineOf(item.key))
    }
    return changed
  }

  /** The keys of all items, newest first. Items with the same date have the order in which they arrived. */
  order(): Uint32Array {
    const sorted = this.items.toSorted(({ key: a, summary: { entry: one } }, { key: b, summary: { entry: other } }) =>
      one.date < other.date ? 1 : one.date > other.date ? -1 : a - b
    )
    return Uint32Array.from(sorted, ({ key }) => key)
  }

  glance(): RecordGlance {
    this.nameItems()
    return { ...glanceOf(this.items), patient: this.person() }
  }

  item(key: number): Item {
    const { resourceType, sensitiveCategories = [], summary } = this.items[key]!
    const test = testOf(summary)
    this.nameItems()
    return {
      key,
      kind: kindOf(summary),
      row: this.row(key),
      trend: test === null
        ? null
        : trendOf(
          this.items.filter((one) => one.resourceType === resourceType && testOf(one.summary) === test).map((
            { summary }
          ) => summary),
          summary
        ),
      narrative: narrativeOf(resourceOf(this.items[key]!)),
      keptBack: sensitiveCategories
    }
  }

  source(key: number): string {
    return resourceOf(this.items[key]!)
  }

  /** All items. Each resource is the exact text that was received. */
  exact(): ReadonlyArray<ExactItem> {
    return this.items.map(({ bytes, fhirId, resourceType, span }) => ({
      resourceType,
      fhirId,
      bytes: bytes.subarray(span.start, span.end)
    }))
  }

  private person(): Person | null {
    const people = this.items.filter(({ resourceType }) => resourceType === "Patient")
    return people.length === 1 ? personOf(this.row(people[0]!.key)) : null
  }

  private nameItems() {
    if (this.named === this.items.length) return
    this.titleOf = titlesOf(this.items.map(({ summary }) => summary.entry))
    this.named = this.items.length
  }

  private row(key: number): Row {
    const item = this.items[key]!
    return rowOf(item.resourceType, item.fhirId, resourceOf(item), this.titleOf)
  }

  private lineOf(key: number): Line {
    const item = this.items[key]!
    return lineOf(item, this.hows.get(`${item.resourceType}/${item.fhirId}`) ?? null, item.id ?? null)
  }
}

const resourceOf = ({ bytes, span }: KeptItem) => textOf(bytes, span)

/** `text.div` of a resource, if it has one (R4, 2.4). */
const narrativeOf = (text: string): string | null => {
  const resource: { readonly text?: { readonly div?: unknown } | null } = JSON.parse(text)
  const div = resource.text?.div
  return typeof div === "string" && div.trim() !== "" ? div : null
}
