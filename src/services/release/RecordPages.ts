import { rowOf } from "../../clinical/Reading.ts"
import { sectionTitles } from "../../clinical/Sections.ts"
import { titlesOf } from "../../clinical/Titles.ts"
import type { Block } from "../pdf/Lines.ts"
import { glanceIn, glancePage } from "./GlancePage.ts"
import { type RecordHead, shortSummary, summary } from "./RecordSummary.ts"
import { tableOf } from "./RecordTable.ts"
import type { ReleasedEntry, ReleasedRecord } from "./ReleasedRecord.ts"
import { warningsOf } from "./ReleaseWarnings.ts"

/** Lays out the released items (released-record.md), the same in every copy. Only one item is in memory at a time. */
export const recordPages = async function*(head: RecordHead, record: ReleasedRecord): AsyncGenerator<Block> {
  const titleOf = titlesOf(record.entries)
  const warnings = warningsOf(head.record, record.isOfAnother)
  const [long, short] = [summary, shortSummary].map((about) => [...warnings, ...about(head, record)])
  const glance = await glanceIn(record, titleOf)
  const glances = [10, 8, 7, 6, 5, 4, 3, 2, 1].map((room) => glancePage(glance, head, room))
  // The glance is on the page of the summary if most of its items fit there. Otherwise it has a separate page.
  yield {
    kind: "fit",
    versions: [
      [...long!, ...glances[0]!],
      ...glances.slice(0, 4).map((page) => [...short!, ...page]),
      [{ kind: "fit", versions: [long!, short!] }, { kind: "fit", versions: glances }]
    ]
  }
  yield {
    kind: "paragraph",
    text: "Dates, numbers and units are as they were recorded. Every item is in the attached file record.fhir.json " +
      "(FHIR R4)."
  }
  const rowIn = async (entry: ReleasedEntry) =>
    rowOf(entry.resourceType, entry.fhirId, await record.text(entry), titleOf)
  for (const section of runsOf(record.entries, ({ section }) => section)) {
    yield { kind: "heading", level: 2, text: sectionTitles[section[0]!.section] }
    for (const group of runsOf(section, ({ group }) => group)) {
      const { groupTitle } = group[0]!
      if (groupTitle !== null) yield { kind: "heading", level: 3, text: groupTitle }
      yield await tableOf(group, rowIn)
    }
  }
}

const runsOf = function*<A>(list: ReadonlyArray<A>, key: (one: A) => string) {
  let from = 0
  for (let at = 1; at <= list.length; at++) {
    if (at < list.length && key(list[at]!) === key(list[from]!)) continue
    yield list.slice(from, at)
    from = at
  }
}
