import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { beforeAll } from "vitest"
import { DocumentId } from "../../../src/domain/Id.ts"
import { categoryNames, purposeNames, statements, substanceUseNotice } from "../../../src/domain/ReleaseStatements.ts"
import type { SignedAuthorization } from "../../../src/services/release/SignedAuthorization.ts"
import { authorizationOf, contentOf, documentOf, recordOf, rendered } from "../pdf/Pdf.ts"
import { ask, attachedAs, letters, unbroken } from "../pdf/PdfTools.ts"
import { elementsOf, readStructure } from "../pdf/Structure.ts"
import { acceptedAt, drawing, textOf } from "./DocumentTexts.ts"

describe("A release as a document", () => {
  const full: Partial<SignedAuthorization> = {
    supersedes: DocumentId.make("0193a5b0-2222-7d3a-9b1f-2f6c8e4d5a10"),
    information: {
      resourceTypes: ["Condition", "MedicationRequest", "Immunization"],
      dateFrom: "2020-01-01",
      dateTo: "2026-06-30",
      documents: [documentOf(1), { ...documentOf(2), title: "smile 🙂\nand \u202Eback.txt", contentType: "text/plain" }]
    },
    sensitiveCategories: [{ category: "alcohol_abuse", acceptedAt }, { category: "hiv", acceptedAt }],
    signature: {
      typedName: "Ada O'Hara",
      consentToElectronicSignature: true,
      signerRole: "representative",
      authority: "Durable power of attorney of 2024-02-29",
      nameDiffers: true,
      drawnPngSha256: null
    },
    session: { ...authorizationOf().session, userAgent: "Browser/1.0 (\u{1F642}) \u0007" }
  }
  const content = contentOf(full, { for: "recipient" }, drawing)
  let pdf: Buffer
  let pages: ReadonlyArray<string>
  let text: string
  let structure: string
  beforeAll(async () => {
    pdf = await rendered(content)
    const layout = await ask(pdf, "pdftotext", "-layout")
    pages = layout.split("\f").slice(0, -1)
    text = unbroken(layout)
    structure = await ask(pdf, "pdfinfo", "-struct-text")
  })

  it("carries every element", async () => {
    const digest = content.sha256.toString("hex")
    for (
      const element of [
        "Authorization to Release Health Information",
        "Whose record Sean O'Hara",
        "Date of birth 1961-04-12",
        "Replaces document 0193a5b0-2222-7d3a-9b1f-2f6c8e4d5a10",
        "A. What is released Kinds of record Conditions (Condition); Medications (MedicationRequest); Immunizations (Immunization)",
        "Dates from 2020-01-01 through 2026-06-30",
        `1. Letter number 1.pdf application/pdf, 40,001 bytes SHA-256 ${documentOf(1).sha256}`,
        `2. smile [U+1F642] and [U+202E]back.txt text/plain, 40,002 bytes SHA-256 ${documentOf(2).sha256}`,
        "B. From whom Name Portland Medical Center",
        "C. To whom Name Dr. Ada Gray Title Primary care physician Organization Gray Clinic",
        "E-mail ada.gray@clinic.example NPI 1234567893",
        `D. Why Purpose ${purposeNames.treatment} In the signer’s words To go on with my care.`,
        "E. Until when Ends on 2027-05-31, through the end of that day, UTC",
        "F. Statements",
        "(version roi-statements/2026-11)",
        "G. Specially protected information",
        `${categoryNames.alcohol_abuse} Released, accepted 2026-11-21 17:04 UTC`,
        "H. Signature Signed by Ada O'Hara Signed as Representative of the veteran",
        "Authority Durable power of attorney of 2024-02-29",
        "differs from the name of the record",
        "I. How complete the record is",
        "The numbers are of the whole kind",
        "Certificate of signing",
        "When 2026-11-21 17:05:23 UTC",
        "Session 0193a5b0-1111-7d3a-9b1f-2f6c8e4d5a10",
        "Client address 2001:db8::17",
        "User agent Browser/1.0 ([U+1F642]) [U+0007]",
        "Statements roi-statements/2026-11",
        `Its SHA-256 is ${digest}`
      ]
    ) {
      assert.include(text, element)
    }
    for (const [index, statement] of statements.entries()) {
      assert.include(letters(text), letters(`${index + 1}. ${statement}`))
    }
    assert.strictEqual(text.indexOf("Certificate of signing"), text.lastIndexOf("Certificate of signing"))
    assert.include(pages.at(-1), "Certificate of signing")
  })

  it("has its id, its hash and the legal notice on every page", async () => {
    assert.isAtLeast(pages.length, 3)
    for (const [index, page] of pages.entries()) {
      assert.include(page, `Document ${content.authorization.documentId}`)
      assert.include(page, `Page ${index + 1} of ${pages.length}`)
      assert.include(page, `SHA-256 ${content.sha256.toString("hex")}`)
      assert.include(page, `Verify at ${content.verificationUrl}`)
      assert.include(page.slice(page.indexOf("Verify at")), substanceUseNotice)
    }
  })

  it("names the person on every page from the record on, and in the veteran's copy too", async () => {
    const own = await rendered(contentOf(full, { for: "veteran", withheld: new Map() }, drawing))
    const ownPages = (await ask(own, "pdftotext", "-layout")).split("\f").slice(0, -1)
    for (const [all, note] of [[pages, ""], [ownPages, " – Veteran’s copy, do not pass on"]] as const) {
      const first = all.findIndex((page) => /^Health record$/m.test(page))
      assert.isAtLeast(all.length, first + 2)
      all.forEach((page, index) => {
        const named = `Sean O'Hara, born 1961-04-12 – released by their authorization${note}\n`
        assert.strictEqual(page.startsWith(named), index >= first, String(index))
      })
    }
  })

  it("is Letter size and tagged, with title and language", async () => {
    const info = await ask(pdf, "pdfinfo")
    assert.match(info, /^Title: +Authorization to Release Health Information$/m)
    assert.match(info, /^Author: +Ada O'Hara$/m)
    assert.match(info, /^CreationDate: .*Nov 21 .*2026/m)
    assert.match(info, /^Tagged: +yes$/m)
    assert.match(info, /^Page size: +612 x 792 pts \(letter\)$/m)
    assert.match(info, new RegExp(`^Pages: +${pages.length}$`, "m"))
    assert.include(await ask(pdf, "pdfinfo", "-meta"), "<rdf:li>en&#45;US</rdf:li>")
    assert.include(await ask(pdf, "qpdf", "--check"), "No syntax or stream encoding errors found")
  })

  it("embeds only subsets of its fonts", async () => {
    const [, , ...fonts] = (await ask(pdf, "pdffonts")).trim().split("\n")
    assert.deepStrictEqual(fonts.map((font) => /^[A-Z]{6}\+(.*?) .* yes +yes +yes /.exec(font)?.[1]).toSorted(), [
      "NotoSans-Bold",
      "NotoSans-Regular"
    ])
  })

  it("has the canonical authorization attached, byte for byte", async () => {
    const json = await attachedAs(pdf, "authorization.json")
    assert.isTrue(json.equals(content.json))
    assert.include(text, createHash("sha256").update(json).digest("hex"))
  })

  it("is read aloud in order, with headings, and without what repeats on each page", async () => {
    const headings = structure.split("\n").flatMap((line, index, lines) =>
      /^ +H[12]/.test(line) ? [unbroken(lines[index + 1]!).trim().replaceAll("\"", "")] : []
    )
    assert.deepStrictEqual(headings.map((heading) => heading.slice(0, 2)), ["Au", "A.", "B.", "C.", "D.", "E.", "F.",
      "G.", "H.", "I.", "He", "Su", "At", "Ce"])
    assert.notMatch(structure, /Page 1 of|Verify at/)
  })

  it("has all its content marked as part of an element or as an artifact", async () => {
    const { document, problems } = await readStructure(await rendered(content))
    assert.deepStrictEqual(problems, [])
    assert.deepStrictEqual(elementsOf(document, "Figure").map(({ alt }) => alt), ["Drawn signature of Ada O'Hara"])
  })

  it("names the event that ends it, and its latest end", async () => {
    const text = await textOf(contentOf({ expiration: { event: "My appeal is decided." } }))
    assert.include(text, "Ends with My appeal is decided. … and at the latest on 2027-11-21 17:05 UTC")
  })

  it("says how complete each kind of record was", async () => {
    const wordings: ReadonlyArray<readonly [Partial<SignedAuthorization["record"][number]>, string]> = [
      [{}, "included, 12 items, as of 2026-11-21 17:05 UTC"],
      [{ itemCount: 1, lastCompleteAt: "2026-01-02T03:04:05Z" }, "included, 1 item, as of 2026-01-02 03:04 UTC"],
      [
        { lastFetch: "unavailable" },
        "included, 12 items, as of 2026-11-21 17:05 UTC; the most recent update could not load everything"
      ],
      [
        { state: "partial", lastFetch: "partial", lastCompleteAt: null },
        "included, 12 items, as of 2026-11-21 17:05 UTC; some of it could not be loaded"
      ],
      [{ state: "empty", lastFetch: "empty", itemCount: 0, lastCompleteAt: null }, "none on record"],
      [
        { state: "empty", lastFetch: "partial", itemCount: 0, lastCompleteAt: null },
        "none on record; the most recent update could not load everything"
      ],
      [
        { state: "unknown", lastFetch: null, itemCount: 0, lastCompleteAt: null, lastFetchAt: null },
        "could not be loaded"
      ],
      [
        { state: "stale", lastFetch: "partial", itemCount: 1234 },
        "1,234 items, from the last complete update of 2026-11-21 17:05 UTC"
      ]
    ]
    const record = wordings.map(([entry], index) => recordOf(`Kind${"ABCDEFGH"[index]}`, entry))
    const text = await textOf(contentOf({ record }))
    for (const [index, [, wording]] of wordings.entries()) {
      const named = (index: number) => `Kind ${"abcdefgh"[index]}s (Kind${"ABCDEFGH"[index]})`
      const next = wordings[index + 1] === undefined ? "Document" : named(index + 1)
      assert.include(text, `${named(index)} ${wording} ${next}`)
    }
    assert.notInclude(text, "whole kind")
    assert.notInclude(text, "incomplete record")
  })

  it("says whether sharing an incomplete record was confirmed, but only if the record is incomplete", async () => {
    const record = [recordOf("MedicationRequest", { state: "stale", lastFetch: "unavailable" })]
    const given = (incompleteRecordConfirmed: boolean) => textOf(contentOf({ record, incompleteRecordConfirmed }))
    assert.include(await given(true), "The signer confirmed sharing an incomplete record.")
    assert.include(await given(false), "The signer did not confirm sharing an incomplete record.")
    const other = contentOf({ record: [recordOf("Immunization", { lastFetch: "partial" })] })
    assert.notInclude(await textOf(other), "sharing an incomplete record")
  })
})
