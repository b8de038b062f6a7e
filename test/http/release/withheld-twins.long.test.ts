import { assert, describe, test } from "vitest"
import { ask, attachments, rewritten } from "../../services/pdf/PdfTools.ts"
import { readStructure } from "../../services/pdf/Structure.ts"
import { openApp } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { type Category, resource, sync, type Texts } from "../../support/Sync.ts"
import { recipientCopy } from "../document/Copies.ts"
import { download, preview, release, upload } from "./Releases.ts"

/** 38 U.S.C. 7332(a)(2): a recipient never learns of withheld items (roi-authorization.md, released-record.md). */

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const item = (type: string, id: string, members: object, categories: ReadonlyArray<Category> = []) =>
  JSON.stringify({ ...JSON.parse(resource(type, id, { categories })), ...members })

const subject = { reference: "Patient/p" }

const day = (n: number) => `2020-${String(n % 12 + 1).padStart(2, "0")}-${String(n % 28 + 1).padStart(2, "0")}`

const file = (size: number) => [{ attachment: { contentType: "text/plain", data: "A".repeat(size) } }]

const many = <A>(count: number, make: (n: number) => A) => Array.from({ length: count }, (_, n) => make(n))

/** The items that every twin has and the recipient gets. Some have an accepted category, and some have no date. */
const released: Texts = {
  Patient: [item("Patient", "p", { name: [{ text: "Sean O'Hara" }] })],
  Condition: many(12, (n) =>
    item("Condition", `c-${n}`, {
      subject,
      code: { text: `Problem ${n}` },
      ...n % 3 > 0 && { onsetDateTime: day(n) }
    }, n === 5 ? ["hiv"] : [])),
  Observation: many(20, (n) =>
    item("Observation", `o-${n}`, {
      subject,
      code: { text: "Glucose" },
      effectiveDateTime: day(n),
      valueQuantity: { value: n + 0.5, unit: "mmol/L" }
    })),
  DocumentReference: [
    item("DocumentReference", "d", { subject, date: "2020-05-06T07:08:09+02:00", content: file(400) })
  ]
}

/**
 * Makes a withheld item, with or without a date, that refers to released items. Its type is one of the types in
 * `released`, or Procedure or Immunization.
 */
const withheld = (n: number): readonly [string, string] => {
  const categories = ([["sickle_cell"], ["alcohol_abuse", "hiv"], ["hiv", "sickle_cell"]] as const)[n % 3]
  const of = (type: string, members: object) =>
    [type, item(type, `w-${n}`, { subject, ...members }, categories)] as const
  const code = { text: `Withheld ${n} Ẹ̀bùn כהן` }
  return [
    of("Condition", { code, onsetDateTime: day(n), note: [{ text: "long ".repeat(300) }] }),
    of("Observation", { code: { text: "Glucose" }, derivedFrom: [{ reference: "Observation/o-1" }], valueString: "?" }),
    of("DocumentReference", { type: code, date: day(n), content: file(9000) }),
    of("Procedure", { code, performedDateTime: day(n) }),
    of("Immunization", { vaccineCode: code })
  ][n % 5]!
}

const resourceTypes = [...Object.keys(released), "Procedure", "Immunization"]

/** Blanks ids, hashes and times, which differ even between equal records. */
const masked = (text: string) =>
  text.replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "(id)")
    .replace(/\b[0-9a-f]{64}\b/g, "(hash)")
    .replace(/\b20\d\d-\d\d-\d\dT[\d:.]{8,12}Z/g, "(instant)")
    .replace(/\b20\d\d-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC/g, "(instant)")
    .replace(/ {2,}/g, "  ")

/** Removes the page numbers, because where pdftotext puts them depends on the width of the id beside them. */
const placed = (text: string) => text.replace(/Page \d+ of \d+$/gm, "").replace(/\s*\n\s*/g, "\n")

/** Returns what PDF tools report about a file, without ids, hashes and times. */
const shown = async (pdf: Buffer) => {
  const told = async (tool: Parameters<typeof ask>[1], ...options: ReadonlyArray<string>) =>
    masked(await ask(pdf, tool, ...options))
  const info = await told("pdfinfo")
  return {
    raw: await told("pdftotext", "-raw"),
    text: placed(await told("pdftotext")),
    layout: placed(await told("pdftotext", "-layout")),
    tags: await told("pdfinfo", "-struct-text"),
    structure: await readStructure(pdf),
    fonts: await told("pdffonts"),
    info: info.replace(/^(CreationDate|ModDate|File size):.*$/gm, "$1"),
    attachments: Object.fromEntries(
      [...await attachments(pdf)].map(([name, bytes]) => [name, [bytes.length, masked(bytes.toString())]])
    )
  }
}

/**
 * Decompresses the file, and returns its number of objects and the length of each line. Ids, hashes and times may
 * differ, because their lengths are fixed. The seal's ByteRange is left out: it depends on the compressed lengths.
 */
const shape = async (pdf: Buffer) => {
  const plain = (await rewritten(pdf, "--qdf", "--object-streams=disable")).toString("latin1")
  const [before, after] = plain.split(/\/ByteRange \[[\s\d]*\]/)
  return { objects: plain.match(/^\d+ 0 obj$/gm)!.length, lines: [before!, after ?? ""].map(lengths) }
}

const lengths = (text: string) => text.split("\n").map(({ length }) => length)

/** Signs with `count` withheld items. Returns everything that may reach a recipient, and what the veteran gets. */
const twin = async (count: number, range: object) => {
  const veteran = await signInVeteran(service)
  const more = many(count, withheld)
  const texts = Object.fromEntries(resourceTypes.map((type) => [
    type,
    [...released[type] ?? [], ...more.flatMap(([of, text]) => of === type ? [text] : [])]
  ]))
  const fetched = Object.fromEntries(resourceTypes.map((type) => [
    type,
    type === "Immunization" ? "partial" : texts[type]!.length === 0 ? "empty" : "complete"
  ]))
  await sync(service, veteran, fetched, texts)
  const letter = await upload(service, veteran, "the same letter", "letter.txt")
  const request = release({
    information: { resourceTypes, documentIds: [letter.json.id], ...range },
    sensitiveCategories: [{ category: "hiv", acceptedAt: new Date().toISOString() }]
  })
  const answer = await call(service, "POST", "/api/veteran/me/roi", {
    headers: { ...veteran.headers, "x-forwarded-for": "10.1.2.3", "user-agent": "Twin/1" },
    body: request
  })
  assert.strictEqual(answer.status, 201, answer.text)
  const { document } = answer.json
  const copy = await recipientCopy(service, superuser, document.id)
  return {
    answer: answer.json,
    copy,
    own: (await download(service, veteran, `/api/veteran/me/documents/${document.id}/content`)).bytes,
    preview: (await preview(service, veteran, request)).bytes,
    record: (await download(service, veteran, `/api/veteran/me/documents/${document.id}/record`)).bytes
  }
}

const pagesOf = ({ info }: { readonly info: string }) => Number(/^Pages: +(\d+)$/m.exec(info)![1])

/**
 * Asserts that two files have about the same length in bytes. Ids, hashes and times on the pages deflate to slightly
 * different lengths. `shape` compares the exact lengths before compression.
 */
const assertAsLong = (a: Buffer, b: Buffer, tolerance: number) => assert.closeTo(a.length, b.length, tolerance)

/** Blanks the size of the veteran's own copy. It may reveal withheld items, because only the veteran sees it. */
const answered = ({ answer }: { readonly answer: { readonly document: object } }) =>
  masked(JSON.stringify({ ...answer, document: { ...answer.document, byteSize: 0 } }))

describe("Twins with 0, 5 and 500 withheld items", () => {
  test.each([
    ["of all dates", {}, 500],
    ["of a range of dates", { dateFrom: "2020-03-01", dateTo: "2020-10-31" }, 5]
  ])("have releases %s that are indistinguishable", async (_, range, count) => {
    const [none, other] = [await twin(0, range), await twin(count, range)]
    const read = await shown(none.copy)
    assert.deepStrictEqual(read.structure.problems, [])
    assert.sameMembers(Object.keys(read.attachments), ["authorization.json", "record.fhir.json", "letter.txt"])
    const seen = await shown(none.preview)
    assert.deepStrictEqual(await shown(other.copy), read)
    assert.deepStrictEqual(await shape(other.copy), await shape(none.copy))
    assertAsLong(other.copy, none.copy, 16 * pagesOf(read))
    assert.deepStrictEqual(await shown(other.preview), seen)
    assert.deepStrictEqual(await shape(other.preview), await shape(none.preview))
    assertAsLong(other.preview, none.preview, 4 * pagesOf(seen))
    assert.strictEqual(other.record.length, none.record.length)
    assert.strictEqual(masked(other.record.toString()), masked(none.record.toString()))
    assert.deepStrictEqual(answered(other), answered(none))
    // The veteran's own copy shows a difference, so there was something to hide.
    assert.match(await ask(other.own, "pdftotext"), new RegExp(`${count / 5} more\\s+withheld`))
  })
})
