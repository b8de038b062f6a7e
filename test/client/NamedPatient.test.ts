import { assert, describe, it } from "@effect/vitest"
import { namedPatient, ofOthers } from "../../src/client/NamedPatient.ts"

describe("namedPatient", () => {
  it.each([
    [{ subject: { reference: "Patient/a" } }, "a"],
    [{ patient: { reference: "https://fhir.example/r4/Patient/a" } }, "a"],
    [{ subject: { reference: "https://fhir.example/r4/Patient/a/_history/7" } }, "a"],
    [{ resourceType: "Patient", id: "a" }, "a"],
    [{ subject: { reference: "Group/a" } }, undefined],
    [{ subject: { reference: "urn:uuid:8a4c9c04-1524-9f1c-d65b-9b17e4520fef" } }, undefined],
    [{ subject: { reference: "a" } }, undefined],
    [{ subject: { reference: "#Patient" } }, undefined],
    [{ subject: { display: "Sean" } }, undefined],
    [{ subject: "Patient/a" }, undefined],
    [{ performer: { reference: "Patient/a" } }, undefined],
    [null, undefined]
  ])("of %j is %s", (resource, id) => assert.strictEqual(namedPatient(resource), id))
})

describe("ofOthers", () => {
  const of = (...patients: ReadonlyArray<string | undefined>) => patients.map((patient) => ({ patient }))

  it("returns the resources that name another patient, if any resource names the requested patient", () =>
    assert.deepStrictEqual(ofOthers(of("a", "b", undefined, "c"), new Set(["a", "c"])), of("b")))

  it("returns nothing if no resource names the requested patient", () =>
    assert.deepStrictEqual(ofOthers(of("b", "c", undefined), new Set(["a"])), []))
})
