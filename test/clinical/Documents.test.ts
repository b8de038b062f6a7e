import { assert, test } from "vitest"
import { rowFor } from "./Rows.ts"

test("A document stored elsewhere says where, and each inline file is offered", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "DocumentReference",
      status: "entered-in-error",
      description: "Discharge letter",
      content: [
        { attachment: { contentType: "application/pdf", url: "Binary/1", size: 12 } },
        { attachment: { contentType: "text/html", data: "PGI+", title: "As a page" } },
        { attachment: { contentType: "text/plain", data: "aGVsbG8=" } }
      ]
    }),
    `Discharge letter | - | Entered in error | !Entered in error
File: application/pdf, 12 bytes, Binary/1
As a page, text/html, 3 bytes
text/plain, 5 bytes
[As a page, text/html, 4 characters]
[Discharge letter, text/plain, 8 characters]`
  )
})

test("A Binary is a file without a title", () => {
  assert.strictEqual(
    rowFor({ resourceType: "Binary", contentType: "application/pdf", data: "JVBERi0=" }),
    `File | - | -
File: application/pdf, 5 bytes
[File, application/pdf, 8 characters]`
  )
})
