import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { ndcProducts } from "../../../src/services/record/CodeSets.ts"
import { normalSystem, systemKind } from "../../../src/services/record/CodeSystems.ts"
import { classify } from "../../../src/services/record/SensitiveCodes.ts"

/** Ways to write a URI with the same meaning; each may be applied to the result of another. */
const variants: ReadonlyArray<(uri: string) => string> = [
  (uri) => uri.toUpperCase(),
  (uri) => uri.replace("http:", "https:"),
  (uri) => uri.replace("http://", ""),
  (uri) => `${uri}/`,
  (uri) => `${uri}|2024-09`,
  (uri) => ` ${uri}\t`,
  (uri) => `\u200b${uri}\u00a0`,
  (uri) => `\u3164${uri}\u034f`,
  (uri) => `${uri}#fragment`
]

const Variants = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: variants.length - 1 })))

const written = (uri: string, indexes: ReadonlyArray<number>) =>
  // The variants are applied in the order of the list, so `#fragment` comes last.
  indexes.toSorted((a, b) => a - b).reduce((text, index) => variants[index]!(text), uri)

const codings = [
  ["http://hl7.org/fhir/sid/icd-10-cm", "B20", ["hiv"]],
  ["http://snomed.info/sct", "86406008", ["hiv"]],
  ["http://snomed.info/sct/731000124108", "86406008", ["hiv"]],
  ["http://snomed.info/sct/731000124108/version/20240901", "86406008", ["hiv"]],
  ["http://loinc.org", "72109-2", ["alcohol_abuse"]],
  ["urn:oid:2.16.840.1.113883.6.88", "1010600", ["drug_abuse"]],
  ["2.16.840.1.113883.6.96", "127040003", ["sickle_cell"]],
  ["2.16.840.1.113883.6.69", "61958-2501-01", ["hiv"]],
  ["SNOMED CT", "86406008", ["hiv"]],
  ["ICD-10-CM", "F10.20", ["alcohol_abuse"]]
] as const

const ndc = "http://hl7.org/fhir/sid/ndc"

const ndcs = [
  ["61958-2501-1", "five, four, one"],
  ["61958-2501-01", "five, four, two"],
  ["6195825011", "ten digits of five, four, one"],
  ["61958250101", "eleven digits"],
  ["061958250101", "twelve digits, as VistA writes them"],
  ["061958-2501-01", "six, four, two, as VistA writes them"],
  ["61958-2501", "labeler and product"],
  ["0006-0227-61", "four, four, two"],
  ["0006022761", "ten digits of four, four, two"],
  ["00006022761", "eleven digits of four, four, two"],
  ["49702-228-13", "five, three, two"],
  ["4970222813", "ten digits of five, three, two"],
  ["49702022813", "eleven digits of five, three, two"],
  [" 61958-2501-01\t", "with blanks"]
] as const

describe("CodeSystems", () => {
  it.effect.prop(
    "normalises a system to a form that normalising again does not change",
    [Schema.String],
    ([system]) => Effect.sync(() => assert.strictEqual(normalSystem(normalSystem(system)), normalSystem(system)))
  )

  it.effect.prop("gives the same categories for every spelling of a system and a code", {
    coding: Schema.Literals([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    variants: Variants,
    code: Schema.Literals(["", " ", "\t", "\u200b", "\n", "\u034f", "\u3164", "\u115f", "\u1160", "\uffa0", "\u2800"])
  }, ({ code: blank, coding, variants }) =>
    Effect.sync(() => {
      const [system, code, categories] = codings[coding]!
      const resource = { code: { coding: [{ system: written(system, variants), code: `${blank}${code}${blank}` }] } }
      assert.deepStrictEqual(classify(resource), categories)
    }))

  it.effect("recognises a code despite foreign characters inside it", () =>
    Effect.sync(() => {
      for (const unseen of ["\u034f", "\u3164", "\u115f", "\u1160", "\uffa0", "\u2800"]) {
        assert.deepStrictEqual(classify({ coding: [{ code: `B2${unseen}0` }] }), ["hiv"], unseen)
      }
      for (const between of ["\u30fb", "\u306f", "\u0610", "\u115f", "\u2800", "\u3164"]) {
        const expression = { system: "http://snomed.info/sct", code: `246112005${between}86406008` }
        assert.deepStrictEqual(classify({ coding: [expression] }), ["hiv"], between)
      }
    }))

  it.effect.prop("reads codes and systems of up to 4,096 characters, and gives longer ones every category", {
    character: Schema.Literals([..."x1,. \ufdfa\u0390\u1f82\ufb03\u0130\u00bd\u2473\u{1d165}"]),
    member: Schema.Literals(["code", "system"])
  }, ({ character, member }) =>
    Effect.sync(() => {
      const coding = (length: number) => ({ code: "B20", [member]: character.repeat(length) })
      const most = Math.floor(4096 / character.length)
      assert.isBelow(classify({ coding: [coding(most)] }).length, 2)
      assert.lengthOf(classify({ coding: [coding(most + 1)] }), 4)
      // Normalising this text would need gigabytes, so its length alone must decide.
      assert.lengthOf(classify({ coding: [coding(200_000_000)] }), 4)
    }))

  it.effect.each(ndcs)(
    "recognises the NDC %s (%s)",
    ([code]) => Effect.sync(() => assert.deepStrictEqual(classify({ coding: [{ system: ndc, code }] }), ["hiv"]))
  )

  it.effect("finds no NDC in other texts", () =>
    Effect.sync(() => {
      for (const code of ["", "-", "61958", "61958-", "abc-def", "6195-82501", "6".repeat(40)]) {
        assert.deepStrictEqual(classify({ coding: [{ system: ndc, code }] }), [], code)
      }
      assert.deepStrictEqual(ndcProducts("1234567890"), ["012345678", "123450678", "123456789"])
    }))

  it.effect("counts unknown systems, and only those", () =>
    Effect.sync(() => {
      const kinds = ["http://loinc.org", "http://terminology.hl7.org/CodeSystem/v3-RoleCode",
        "http://example.org/local", "http://hl7.org/fhir/sid/icd-10-xx", "http://hl7.org/fhir/administrative-gender",
        "x".repeat(5_000), " "].map((
          system
        ) => systemKind(system))
      assert.deepStrictEqual(kinds, ["loinc", "harmless", "unknown", "unknown", "harmless", "unknown", "none"])
      const tally = { unknownSystems: 0 }
      classify({
        coding: [{ system: "http://example.org/a", code: "1" }, { system: "http://example.org/b", code: "2" }, {
          system: "http://loinc.org",
          code: "3"
        }, { code: "4" }, { system: "http://example.org/c", value: "no coding" }]
      }, tally)
      assert.deepStrictEqual(tally, { unknownSystems: 2 })
    }))
})
