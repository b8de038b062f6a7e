import { assert, describe, test } from "vitest"
import { attachmentNames } from "../../../src/services/release/AttachmentNames.ts"

const named = (...titles: ReadonlyArray<string>) =>
  attachmentNames(titles.map((title) => ({ title, contentType: "application/pdf" })))

describe("The names of attached documents", () => {
  test("are the documents' own names, with the extension of their type", () => {
    assert.deepStrictEqual(named("letter.pdf", "scan", "result.hta"), ["letter.pdf", "scan.pdf", "result.hta.pdf"])
  })

  test("are distinct even if letter case and character width are ignored", () => {
    assert.deepStrictEqual(
      named("letter.pdf", "Letter.PDF", "letter (2).pdf", "letter", "\uff4cetter.pdf"),
      ["letter.pdf", "Letter (2).PDF", "letter (2) (2).pdf", "letter (3).pdf", "\uff4cetter (4).pdf"]
    )
  })

  test("are never the names of the release's own files", () => {
    assert.deepStrictEqual(named("authorization.json", "record.fhir.json", "CON"), [
      "authorization.json.pdf",
      "record.fhir.json.pdf",
      "_CON.pdf"
    ])
  })

  test("are distinct for 200 documents with one title", () => {
    assert.strictEqual(new Set(named(...Array.from({ length: 200 }, () => "scan.pdf"))).size, 200)
  })
})
