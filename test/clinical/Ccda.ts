import { convertXmlToCcda } from "@medplum/ccda"
import { ccdaOf } from "../../src/clinical/CcdaDocument.ts"
import type { CcdaSource } from "../../src/clinical/CcdaSource.ts"
import type { RecordItem } from "../../src/clinical/Sections.ts"

export const itemOf = (resource: unknown): RecordItem => {
  const text = typeof resource === "string" ? resource : JSON.stringify(resource)
  const { id, resourceType } = JSON.parse(text)
  return { resourceType, fhirId: id, text }
}

export const translated = (resources: ReadonlyArray<unknown>, more: Partial<CcdaSource> = {}): string =>
  [...ccdaOf({
    documentId: "0198a5c2-7b1e-7c3d-9f00-112233445566",
    signedAt: "2026-11-26T12:00:00.000Z",
    veteran: { fullName: "Sean O'Hara", dateOfBirth: "1962-03-04" },
    items: resources.map(itemOf),
    warnings: [],
    kinds: [],
    dateFrom: null,
    dateTo: null,
    attached: 0,
    ...more
  })].join("")

/** The sections by title, each with its text as XML and its entries as the library parses them. */
export const sectionsOf = (xml: string) => {
  const texts = new Map(
    [...xml.matchAll(/<title>([^<]*)<\/title><text>(.*?)<\/text>(?=<entry|<\/section)/gs)].map((
      [, title, text]
    ) => [title!, text!])
  )
  const { component } = convertXmlToCcda(xml)
  return new Map(
    component!.structuredBody!.component.map((
      { section: [section] }
    ) => [section!.title!, {
      text: texts.get(section!.title!)!,
      entries: (section!.entry ?? []) as ReadonlyArray<any>
    }])
  )
}

/** The entry of a resource, or undefined if the resource stands in the text only. */
export const entryOf = (resource: Record<string, unknown>, title: string) =>
  sectionsOf(translated([resource])).get(title)!.entries[0]

/** All coded entries, each with the type and id of its resource. */
export const entriesOf = (xml: string): ReadonlyArray<{ readonly id: string; readonly entry: any }> =>
  [...sectionsOf(xml).values()].flatMap(({ entries }) =>
    entries.map((entry) => {
      const [[act]] = Object.values<any>(entry)
      return { id: act.id[0]["@_extension"], entry }
    })
  )
