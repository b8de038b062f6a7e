import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import { classify, codeSetVersion } from "../../../src/services/record/SensitiveCodes.ts"

const actcode = "http://terminology.hl7.org/CodeSystem/v3-ActCode"

const icd10 = "http://hl7.org/fhir/sid/icd-10-cm"

const icd9 = "http://hl7.org/fhir/sid/icd-9-cm"

const snomed = "http://snomed.info/sct"

const loinc = "http://loinc.org"

const rxnorm = "http://www.nlm.nih.gov/research/umls/rxnorm"

const uris: Record<string, string> = {
  actcode,
  icd10cm: icd10,
  icd10pcs: "http://www.cms.gov/Medicare/Coding/ICD10",
  icd9cm: icd9,
  snomed,
  loinc,
  rxnorm,
  ndc: "http://hl7.org/fhir/sid/ndc",
  cpt: "http://www.ama-assn.org/go/cpt",
  hcpcs: "http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets"
}

const condition = (system: unknown, code: unknown) => ({
  resourceType: "Condition",
  id: "c",
  code: { coding: [{ system, code, display: "x" }], text: "x" }
})

const codes: ReadonlyArray<readonly [system: string, code: string, categories: ReadonlyArray<string>]> = [
  [icd10, "F10.20", ["alcohol_abuse"]],
  [icd10, "F1020", ["alcohol_abuse"]],
  [icd10, "f10.20", ["alcohol_abuse"]],
  [icd10, "K70.30", ["alcohol_abuse"]],
  [icd10, "F11.20", ["drug_abuse"]],
  [icd10, "F13", ["drug_abuse"]],
  [icd10, "F19.10", ["drug_abuse"]],
  [icd10, "T40.1X1A", ["drug_abuse"]],
  [icd10, "B20", ["hiv"]],
  [icd10, "b20", ["hiv"]],
  [icd10, "B97.35", ["hiv"]],
  [icd10, "O98.711", ["hiv"]],
  [icd10, "R75", ["hiv"]],
  [icd10, "Z21", ["hiv"]],
  [icd10, "Z29.81", ["hiv"]],
  [icd10, "Z71.7", ["hiv"]],
  [icd10, "D57.1", ["sickle_cell"]],
  [icd10, "D57.3", ["sickle_cell"]],
  [icd10, "H36.811", ["sickle_cell"]],
  ["http://hl7.org/fhir/sid/icd-10", "B24", ["hiv"]],
  [icd10, "F17.210", []],
  [icd10, "F55.2", []],
  [icd10, "T40.2X5A", []],
  [icd10, "T40.1X3A", []],
  [icd10, "Z71.42", []],
  [icd10, "Z71.89", []],
  [icd10, "D56.1", []],
  [icd10, "F1", []],
  [icd10, "F1.020", []],
  [icd10, "", []],
  [icd9, "303.91", ["alcohol_abuse"]],
  [icd9, "30391", ["alcohol_abuse"]],
  [icd9, "305.00", ["alcohol_abuse"]],
  [icd9, "304.00", ["drug_abuse"]],
  [icd9, "305.60", ["drug_abuse"]],
  [icd9, "305.1", []],
  [icd9, "042", ["hiv"]],
  [icd9, "04.2", []],
  [icd9, "V08", ["hiv"]],
  [icd9, "v08", ["hiv"]],
  [icd9, "E850.0", ["drug_abuse"]],
  [icd9, "282.60", ["sickle_cell"]],
  [icd9, "282.49", []],
  [icd9, "V17.3", []],
  [snomed, "7200002", ["alcohol_abuse"]],
  [snomed, "5602001", ["drug_abuse"]],
  [snomed, "5602001:246112005=24484000", ["drug_abuse"]],
  [snomed, "66214007", ["drug_abuse", "alcohol_abuse"]],
  [snomed, "86406008", ["hiv"]],
  [snomed, "31676001", ["hiv"]],
  [snomed, "127040003", ["sickle_cell"]],
  [snomed, "56876005", ["drug_abuse"]],
  [snomed, "10939881000119104", ["alcohol_abuse"]],
  [snomed, "86406008|HIV|", ["hiv"]],
  [snomed, "8517006", []],
  [snomed, "226138001", []],
  [loinc, "72109-2", ["alcohol_abuse"]],
  [loinc, "5643-2", ["alcohol_abuse"]],
  [loinc, "65750-2", ["drug_abuse"]],
  [loinc, "82667-7", ["drug_abuse"]],
  [loinc, "56888-1", ["hiv"]],
  [loinc, "20447-9", ["hiv"]],
  [loinc, "55277-8", ["hiv"]],
  [loinc, "4625-0", ["sickle_cell"]],
  [loinc, "72166-2", []],
  [loinc, "24467-3", []],
  [rxnorm, "1010600", ["drug_abuse"]],
  [rxnorm, "1483744", ["drug_abuse", "alcohol_abuse"]],
  [rxnorm, "835726", ["alcohol_abuse"]],
  [rxnorm, "197623", ["alcohol_abuse"]],
  [rxnorm, "864978", ["drug_abuse"]],
  [rxnorm, "864706", []],
  [rxnorm, "904880", []],
  [rxnorm, "1551468", []],
  [rxnorm, "1999667", ["hiv"]],
  [rxnorm, "199663", ["hiv"]],
  [rxnorm, "1858261", []],
  [rxnorm, "205328", []],
  [rxnorm, "1999308", ["sickle_cell"]],
  [rxnorm, "197797", []],
  [uris["cpt"]!, "87389", ["hiv"]],
  [uris["cpt"]!, "99408", ["drug_abuse", "alcohol_abuse"]],
  [uris["cpt"]!, "99213", []],
  [uris["hcpcs"]!, "H0020", ["drug_abuse"]],
  [uris["hcpcs"]!, "h0020", ["drug_abuse"]],
  [uris["icd10pcs"]!, "HZ2ZZZZ", ["drug_abuse", "alcohol_abuse"]],
  [uris["icd10pcs"]!, "HZ80ZZZ", []],
  ["urn:oid:2.16.840.1.113883.6.90", "F10.20", ["alcohol_abuse"]],
  ["urn:oid:2.16.840.1.113883.6.96", "86406008", ["hiv"]],
  ["urn:oid:2.16.840.1.113883.6.1", "56888-1", ["hiv"]],
  ["urn:oid:2.16.840.1.113883.6.88", "1999667", ["hiv"]],
  ["urn:oid:2.16.840.1.113883.6.103", "282.60", ["sickle_cell"]],
  ["http://example.org/codes", "86406008", []],
  [loinc, "86406008", []],
  ["", "B20", ["hiv"]],
  ["", "active", []]
]

const labels: ReadonlyArray<readonly [label: string, categories: ReadonlyArray<string>]> = [
  ["ETH", ["drug_abuse", "alcohol_abuse"]],
  ["ETHUD", ["alcohol_abuse"]],
  ["OPIOIDUD", ["drug_abuse"]],
  ["SUD", ["drug_abuse", "alcohol_abuse"]],
  ["HIV", ["hiv"]],
  ["SICKLE", ["sickle_cell"]],
  ["42CFRPart2", ["drug_abuse", "alcohol_abuse"]],
  ["Title38Section7332", ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"]],
  ["PSY", []],
  ["eth", ["drug_abuse", "alcohol_abuse"]]
]

const file = readFileSync(new URL("../../../src/services/record/sensitive-codes.tsv", import.meta.url), "utf8")

const rows = file.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split("\t"))

// Names of FHIR members around codings, and names that every JavaScript object already has.
const OddNode = Schema.Record(
  Schema.Literals(["system", "code", "coding", "meta", "security", "contained", "__proto__", "constructor"]),
  Schema.Union([Schema.Json, Schema.Literals([icd10, snomed, "F10", "86406008", "."])])
)

const Coding = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: codes.length - 1 }))

const coding = (n: number) => ({ system: codes[n]![0], code: codes[n]![1] })

// Each step into a resource is a property's name, or 0 for an array. FHIR does not nest arrays, but nested arrays must
// not hide a coding.
const Depth = Schema.Array(Schema.Union([Schema.String, Schema.Literal(0)])).check(Schema.isMaxLength(60))

const buried = (inner: unknown, path: ReadonlyArray<string | number>) =>
  path.reduce<unknown>((node, step) => typeof step === "number" ? [null, node, []] : { id: "x", [step]: node }, inner)

const reversed = (node: unknown): unknown =>
  Array.isArray(node)
    ? node.map(reversed).reverse()
    : typeof node === "object" && node !== null
    ? Object.fromEntries(Object.entries(node).map(([key, value]) => [key, reversed(value)] as const).reverse())
    : node

const union = (indexes: ReadonlyArray<number>) =>
  SensitiveCategory.literals.filter((category) => indexes.some((n) => codes[n]![2].includes(category)))

describe("SensitiveCodes", () => {
  it.effect.each(codes)(
    "classifies the code %s %s as %j",
    ([system, code, categories]) =>
      Effect.sync(() => assert.deepStrictEqual(classify(condition(system, code)), categories))
  )

  it.effect.each(labels)(
    "classifies the security label %s as %j",
    ([code, categories]) =>
      Effect.sync(() =>
        assert.deepStrictEqual(
          classify({ resourceType: "Basic", meta: { security: [{ system: actcode, code }] } }),
          categories
        )
      )
  )

  it.effect("looks up a code in every code set if its system is missing", () =>
    Effect.sync(() => {
      for (const system of [undefined, null, "", " \t", 7, [snomed], {}]) {
        assert.deepStrictEqual(classify(condition(system, "86406008")), ["hiv"], JSON.stringify(system))
        assert.deepStrictEqual(classify(condition(system, 86406008)), ["hiv"])
        assert.deepStrictEqual(classify(condition(system, "38341003")), [])
      }
      assert.deepStrictEqual(classify({ system: snomed, nested: { code: "86406008" } }), ["hiv"])
      for (const code of [null, ["x"], { value: "x" }, true]) {
        assert.deepStrictEqual(classify(condition(snomed, code)), [])
      }
      for (const nothing of [undefined, null, "", "F10", 1, true, [], {}]) {
        assert.deepStrictEqual(classify(nothing), [])
      }
    }))

  it.effect("does not overflow the stack for a resource of any depth", () =>
    Effect.sync(() => {
      const deep = buried(condition(icd10, "B20"), Array.from({ length: 100_000 }, (_, n) => n % 2 === 0 ? "x" : 0))
      assert.deepStrictEqual(classify(deep), ["hiv"])
    }))

  it.effect.prop("never throws", [Schema.Union([Schema.Json, Schema.Array(OddNode)])], ([value]) =>
    Effect.sync(() => {
      const categories = classify(value)
      assert.deepStrictEqual(categories, SensitiveCategory.literals.filter((category) => categories.includes(category)))
    }))

  it.effect.prop("finds a security label beside any other content", [
    Schema.Literals(labels.map(([label]) => label)),
    Schema.Array(Coding)
  ], ([label, others]) =>
    Effect.sync(() => {
      const resource = { code: { coding: others.map(coding) }, meta: { security: [{ system: actcode, code: label }] } }
      const expected = labels.find(([known]) => known === label)![1]
      assert.includeMembers([...classify(resource)], [...expected])
    }))

  it.effect.prop(
    "lists the categories of all codings at any depth, each once and always in the same order",
    [Schema.Array(Schema.Struct({ n: Coding, path: Depth }))],
    ([parts]) =>
      Effect.sync(() => {
        const resource = { parts: parts.map(({ n, path }) => buried(coding(n), path)) }
        assert.deepStrictEqual(classify(resource), union(parts.map(({ n }) => n)))
        assert.deepStrictEqual(classify(reversed(resource)), classify(resource))
      })
  )

  it.effect("finds the code of each line of the code file, and each line has a source", () =>
    Effect.sync(() => {
      assert.match(codeSetVersion, /^sensitive-codes\/[0-9a-f]{16}$/)
      assert.strictEqual(new Set(rows.map((row) => row.slice(0, 4).join())).size, rows.length)
      for (const row of rows) {
        const [category = "", system = "", , code = ""] = row
        assert.strictEqual(row.filter((cell) => cell.trim() !== "").length, 6, row.join())
        assert.include([...classify(condition(uris[system], code))] as Array<string>, category, row.join())
      }
    }))
})
