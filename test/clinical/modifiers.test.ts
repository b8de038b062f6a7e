import { assert, describe, test } from "vitest"
import { rowOf } from "../../src/clinical/Reading.ts"
import { patients } from "../support/Collection.ts"
import { codesOf, type Modifier, modifierPaths, modifiersIn, resourceTypes, withElement } from "./Definitions.ts"
import { rowFor, shown } from "./Rows.ts"
import { awkward, recordOf } from "./SharedRecords.ts"

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** The values that a reader assumes. A row needs no words for them. */
const usual: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  active: [true],
  doNotPerform: [false],
  isSubpotent: [false],
  deceasedBoolean: [false],
  deleted: [false],
  intent: ["order"],
  use: ["usual", "official", "home"]
}

/** Where the product itself is listed, `active` would read as if the patient takes it. */
const isUsual = ({ at, path, value }: Modifier) =>
  usual[String(at.at(-1))]?.includes(value) || (path === "Medication.status" && value === "active")

const textOf = (resource: Json) => shown(rowOf(resource.resourceType, "1", JSON.stringify(resource), () => undefined))

/** The resource without the element at a place. A list loses its last element with it. */
const without = (resource: Json, at: ReadonlyArray<string | number>): Json => {
  const copy = structuredClone(resource)
  const parent = at.slice(0, -1).reduce((json, name) => json[name], copy)
  const name = at.at(-1)!
  if (Array.isArray(parent)) parent.splice(Number(name), 1)
  else delete parent[name]
  return copy
}

/** The statuses of contained resources that need no words beside the name by which a row mentions them. */
const plain = new Set(["active", "available", "completed", "confirmed", "current", "final", "finished", "unavailable"])

/**
 * True if the row has words for the modifier. The element that it modifies may have none itself, such as the identifier
 * of an observation: its modifier then misleads nobody.
 */
const isRead = (resource: Json, text: string, { at, value }: Modifier) =>
  text !== textOf(without(resource, at)) ||
  (at.length > 1 && text === textOf(without(resource, at.slice(0, -1)))) ||
  (at[0] === "contained" && at.length === 3 && plain.has(value.coding?.[0].code ?? value))

describe("A modifier element", () => {
  const seen = new Map<string, number>()

  test.each([...patients, "awkward"])("Every modifier in the record of %s changes the words of its row", (patient) => {
    const counts = new Map<string, number>()
    for (const { text } of patient === "awkward" ? awkward : recordOf(patient)) {
      const resource = JSON.parse(text)
      for (const modifier of modifiersIn(resource)) {
        const { at, path, value } = modifier
        if (isUsual(modifier) || value === null) continue
        // Twenty resources of one patient with the same value are enough.
        const kind = `${resource.resourceType} ${at.filter((name) => typeof name === "string").join(".")} ${
          JSON.stringify(value)
        }`
        const count = counts.get(kind) ?? 0
        counts.set(kind, count + 1)
        if (count >= 20) continue
        assert.isTrue(
          isRead(resource, textOf(resource), modifier),
          `${kind}: ${JSON.stringify(resource).slice(0, 1500)}`
        )
        seen.set(path, (seen.get(path) ?? 0) + 1)
      }
    }
  })

  test("The shared records have modifiers of many kinds", () => {
    for (const path of ["Condition.verificationStatus", "List.entry.deleted", "ContactPoint.use", "Patient.link"]) {
      assert.isAtLeast(seen.get(path) ?? 0, 1, path)
    }
  })

  test.each(resourceTypes)("Each value of each modifier of %s has its own words", (resourceType) => {
    for (const { path, type } of modifierPaths(resourceType)) {
      if (path.endsWith("modifierExtension")) continue
      const kinds = type!.map(({ code }) => code)
      const choice = kinds.length > 1 ? `${path.replace("[x]", "")}` : path
      const values = codesOf(path)
      const texts = new Map<string, unknown>()
      for (const value of valuesOf(kinds[0]!, values)) {
        const resource = withElement(resourceType, path, value)
        const [modifier] = modifiersIn(resource)
        assert.isDefined(modifier, path)
        const text = rowFor(resource)
        if (isUsual(modifier!)) continue
        assert.notStrictEqual(text, rowFor(without(resource, modifier!.at)), `${choice}: ${JSON.stringify(value)}`)
        assert.isUndefined(texts.get(text), `${choice}: ${JSON.stringify(value)} is shown as another value`)
        texts.set(text, value)
      }
    }
  })

  test.each([
    ["Quantity.comparator", "Observation", (comparator: string) => ({ valueQuantity: { value: 5, comparator } })],
    ["Age.comparator", "Condition", (comparator: string) => ({ onsetAge: { value: 5, comparator } })],
    ["Duration.comparator", "Encounter", (comparator: string) => ({ length: { value: 5, comparator } })],
    ["Identifier.use", "Patient", (use: string) => ({ identifier: [{ value: "5", use }] })],
    ["Address.use", "Patient", (use: string) => ({ address: [{ city: "Boston", use }] })],
    ["ContactPoint.use", "Patient", (use: string) => ({ telecom: [{ value: "555-0100", use }] })],
    ["HumanName.use", "Practitioner", (use: string) => ({ name: [{ family: "Doe", use }] })]
  ])("Each value of %s has its own words", (path, resourceType, members) => {
    const values = codesOf(path)
    assert.isAtLeast(values.length, 3)
    const texts = new Set<string>()
    for (const value of values) {
      const resource = { resourceType, ...members(value) }
      const [modifier] = modifiersIn(resource).filter((one) => one.path === path)
      const text = rowFor(resource)
      if (isUsual(modifier!)) continue
      assert.notStrictEqual(text, rowFor(without(resource, modifier!.at)), value)
      assert.isFalse(texts.has(text), value)
      texts.add(text)
    }
  })

  test.each(resourceTypes)("A modifier of unknown meaning at any depth marks a %s", (resourceType) => {
    const unknown = [{ url: "http://example.org/no-known-risk", valueBoolean: true }]
    for (
      const more of [{ modifierExtension: unknown }, { contained: [{ modifierExtension: unknown }] }, {
        implicitRules: "http://example.org/rules"
      }]
    ) {
      const row = rowOf(resourceType, "1", JSON.stringify({ resourceType, ...more }), () => undefined)
      assert.include(row.flags, "Modified meaning")
      assert.isTrue(row.details.some(({ label, text }) => label === "Modified by" && /risk: Yes|rules/.test(text)))
    }
  })
})

const valuesOf = (kind: string, codes: ReadonlyArray<string>): ReadonlyArray<Json> => {
  switch (kind) {
    case "code":
      return codes.length > 0 ? codes : ["a-code"]
    case "CodeableConcept":
      return (codes.length > 0 ? codes : ["a-code"]).map((code) => ({ coding: [{ code }] }))
    case "boolean":
      return [true, false]
    case "uri":
      return ["http://example.org/rules"]
    case "Ratio":
      return [{ numerator: { value: 3 }, denominator: { value: 7 } }]
    default:
      return [{ type: "replaced-by", question: "a-question", operator: "exists", answerBoolean: true }]
  }
}
