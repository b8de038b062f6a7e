import { assert, describe, test } from "vitest"
import { ask } from "../../services/pdf/PdfTools.ts"
import { elementsOf, readStructure } from "../../services/pdf/Structure.ts"
import { openApp } from "../../support/App.ts"
import { signInVeteran } from "../../support/Client.ts"
import { patientTexts } from "../../support/Collection.ts"
import { sync } from "../../support/Sync.ts"
import { recipientCopy } from "../document/Copies.ts"
import { download, preview, release, signed } from "./Releases.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

/** A recipient's copy, a veteran's copy, and the preview of a record of many types. */
const copies = async () => {
  const veteran = await signInVeteran(service)
  const texts = patientTexts("hl7-example")
  const resourceTypes = Object.keys(texts)
  await sync(service, veteran, Object.fromEntries(resourceTypes.map((type) => [type, "complete"])), texts)
  const request = release({ information: { resourceTypes } })
  const { document } = await signed(service, veteran, request)
  return [
    await recipientCopy(service, superuser, document.id),
    (await download(service, veteran, `/api/veteran/me/documents/${document.id}/content`)).bytes,
    (await preview(service, veteran, request)).bytes
  ]
}

const sections = [
  "At a glance",
  "Allergies and intolerances",
  "Problems",
  "Medications",
  "Immunizations",
  "Laboratory",
  "Vital signs",
  "Other observations",
  "Procedures",
  "Encounters",
  "Care",
  "Devices",
  "Coverage",
  "Documents",
  "Everything else"
]

/** The level and text of each heading, as a screen reader finds them. */
const headingsOf = async (pdf: Buffer) => {
  const told = (await ask(pdf, "pdfinfo", "-struct-text")).split("\n")
  return told.flatMap((line, at) => {
    const level = /^ +H(\d)\b/.exec(line)?.[1]
    return level === undefined ? [] : [[Number(level), told[at + 1]!.trim().replaceAll("\"", "").trim()] as const]
  })
}

describe("The pages of a record for a screen reader", () => {
  test("have headings in order, tables with headed columns, and a language, in every copy (PDF/UA-1)", async () => {
    for (const pdf of await copies()) {
      const { document, problems } = await readStructure(pdf)
      assert.deepStrictEqual(problems, [])
      const headings = await headingsOf(pdf)
      const ofLevel = (wanted: number) => headings.flatMap(([level, text]) => level === wanted ? [text] : [])
      assert.deepStrictEqual(ofLevel(1), [
        "Authorization to Release Health Information",
        "Health record",
        "Certificate of signing"
      ])
      const shown = ofLevel(2).slice(ofLevel(2).indexOf("Summary") + 1)
      assert.isAtLeast(shown.length, 8)
      assert.deepStrictEqual(shown, sections.filter((title) => shown.includes(title)))
      const tables = elementsOf(document, "Table")
      assert.isAbove(tables.length, 20)
      assert.deepStrictEqual([...new Set(elementsOf(document, "TH").map(({ scope }) => scope))], ["/Column"])
      assert.include(await ask(pdf, "pdfinfo", "-meta"), "<pdfuaid:part>1</pdfuaid:part>")
    }
  })
})
