import { assert, test } from "vitest"
import { personOf } from "../../src/clinical/Person.ts"
import { rowOf } from "../../src/clinical/Reading.ts"
import { rowFor } from "./Rows.ts"

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
