import { assert, test } from "vitest"
import { personOf } from "../../src/clinical/Person.ts"
import { rowOf } from "../../src/clinical/Reading.ts"
import { fixtureRow, rowFor } from "./Rows.ts"

test.each([
  [
    "hl7-example",
    "Patient/example",
    `Peter James Chalmers | - | -
Born: 1974-12-25
Sex: Male
Other names: Jim, Peter James Windsor (maiden)
Identifiers: Medical record number 12345
Contact: phone (03) 5555 6473 (work), phone +1-555-0100 (mobile), phone (03) 5555 8834 (old)
Address: 534 Erewhon St PeasantVille, Rainbow, Vic  3999
Organization: Organization/1
Persons to contact: Bénédicte du Marché, Next of kin, phone +1-555-0100`
  ],
  [
    "hl7-misc",
    "Patient/ch-example",
    `张无忌 | - | -
Born: 1974-12-25
Sex: Male
Identifiers: Medical record number 000000000000000000
Contact: phone +1-555-0100 (work)
Address: 马当路190号, 上海市, 黄埔区, 200000
Organization: 上海东方医院`
  ],
  [
    "syn-christian753-bruen238",
    "Patient/0696ac49-3128-87d3-7344-04510aa4f324",
    `Ms. Christian753 Bruen238 | - | -
Born: 1947-09-10
Sex: Female
Identifiers: https://github.com/synthetichealth/synthea 0696ac49-3128-87d3-7344-04510aa4f324
Medical Record Number 0696ac49-3128-87d3-7344-04510aa4f324
Social Security Number 999-26-7403
Driver's License S99977100
Passport Number X37359407X
Contact: phone 555-532-2849 (home)
Address: 829 Dietrich Extension Apt 11, Pocasset, MA 02559, US
Languages: English`
  ],
  [
    "syn-yang129-eichmann909",
    "Practitioner/82eb0b7a-c705-3b54-9ee9-b6cf67cdf5e0",
    `Dr. Ingrid581 Jacobson885 | - | -
Identifier: NPI 9999999779
Contact: email Ingrid581.Jacobson885@example.com (work)
Address: 275 SANDWICH STREET, PLYMOUTH, MA 02360, US`
  ],
  [
    "syn-yang129-eichmann909",
    "Organization/b1ddf812-1fdd-3adf-b1d5-32cc8bd07ebb",
    `BETH ISRAEL DEACONESS HOSPITAL - PLYMOUTH | - | -
Type: Healthcare Provider
Identifier: https://github.com/synthetichealth/synthea b1ddf812-1fdd-3adf-b1d5-32cc8bd07ebb
Contact: phone 5087462000
Address: 275 SANDWICH STREET, PLYMOUTH, MA 02360, US`
  ]
])("%s: the row of %s", (patient, reference, row) => {
  assert.strictEqual(fixtureRow(patient, reference), row)
})

test("A deceased patient is marked, and identifiers stay masked as in the source", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "Patient",
      active: false,
      name: [{ use: "maiden", family: "Organa" }, { use: "usual", given: ["Leia"], family: "Solo" }],
      gender: "unknown",
      birthDate: "1995-10",
      deceasedDateTime: "2020-02-03",
      identifier: [
        { type: { coding: [{ code: "SS" }] }, value: "***-**-1234" },
        { system: "http://hl7.org/fhir/sid/us-ssn", value: "***-**-1234" }
      ]
    }),
    `Leia Solo | - | Not in use | !Deceased | !Not in use
Born: 1995-10
Sex: Unknown
Died: 2020-02-03
Other names: Organa (maiden)
Identifiers: Social Security number ***-**-1234
SSN ***-**-1234`
  )
})

test.each([
  [{ deceasedDateTime: "2020-02-03" }, "2020-02-03", ["Deceased"]],
  [{ deceasedBoolean: true }, "Yes", ["Deceased"]],
  [{ deceasedBoolean: false }, null, []],
  [{}, null, []]
])("a patient with %j has died: %s", (death, died, flags) => {
  const patient = rowOf("Patient", "1", JSON.stringify({ resourceType: "Patient", ...death }), () => undefined)
  assert.deepInclude(personOf(patient), { died, flags })
})

test("A name without words does not hide the patient's name", () => {
  assert.strictEqual(
    rowFor({ resourceType: "Patient", name: [{ use: "old", family: "Organa" }, { use: "temp" }] }),
    "Organa (old) | - | -"
  )
})

test("A record that another one replaces, or that names another one, says so", () => {
  const link = (type: string) => ({ type, other: { display: `the record ${type}` } })
  assert.strictEqual(
    rowFor({ resourceType: "Patient", link: ["replaced-by", "replaces", "refer", "seealso"].map(link) }),
    `Patient | - | - | !Replaced by another record
Other records: Replaced by: the record replaced-by
Replaces: the record replaces
More is in: the record refer
See also: the record seealso`
  )
})

test("An old or temporary identifier and address say so", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "Patient",
      identifier: [{ use: "official", value: "1" }, { use: "old", value: "2" }, { use: "temp", value: "3" }],
      address: [{ use: "home", city: "Boston" }, { use: "old", city: "Salem" }]
    }),
    `Patient | - | -
Identifiers: 1
2 (old)
3 (temporary)
Address: Boston
Salem (old)`
  )
})

test("A place has its name as title, not its type", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "Location",
      status: "suspended",
      name: "South Wing",
      description: "Second floor",
      type: [{ text: "Neuroradiology unit" }],
      telecom: [{ system: "phone", value: "2329" }],
      partOf: { display: "Hospital" }
    }),
    `South Wing | - | Suspended
Description: Second floor
Type: Neuroradiology unit
Contact: phone 2329
Part of: Hospital`
  )
})
