import { assert, test } from "vitest"
import { fixtureRow, rowFor } from "./Rows.ts"

test.each([
  [
    "hl7-xcda",
    "DocumentReference/example",
    `Physical | LOINC 34108-1 | Current, Preliminary
Date: 2005-12-24 09:43:41 +11:00
Period: 2004-12-23 08:00 +11:00 to 2004-12-23 08:01 +11:00
Type: Outpatient Note
Category: History and Physical
Author: Practitioner/xcda1, Gerald Smitty
File: Physical, application/hl7-v3+xml, 3654 bytes, 2005-12-24 09:35 +11:00, http://example.org/xds/mhd/Binary/07a6483f-732b-461e-86b6-edb665c45510
Authenticated by: Organization/f001
Custodian: Organization/f001
Facility: Outpatient
Practice: General Medicine
Related: Appends: Physical
Confidentiality: very restricted`
  ],
  [
    "syn-christian753-bruen238",
    "DocumentReference/3e94d08e-34e5-5243-8f14-ec671426b5e6",
    `History and physical note | LOINC 34117-2, LOINC 51847-2 | Superseded | !Superseded
Date: 1964-01-15 17:37:24.286 +01:00
Period: 1964-01-15 17:37:24 +01:00 to 1964-01-15 17:52:24 +01:00
Category: Clinical Note
Author: Dr. Tuan998 Fadel536
File: text/plain; charset=utf-8, 509 bytes
Custodian: CAPE COD HOSPITAL
[History and physical note, text/plain; charset=utf-8, 680 characters]`
  ]
])("%s: the row of %s", (patient, reference, row) => {
  assert.strictEqual(fixtureRow(patient, reference), row)
})

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
