import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { ReadProgress } from "../../src/client/FhirReader.ts"
import { fixtures, folderOf, patients, readLines, readText } from "../support/Collection.ts"
import {
  bundle,
  condition,
  conditionServer,
  describeReader,
  entry,
  ok,
  read,
  readConditions,
  recorded,
  serve
} from "./Upstream.ts"

/** Reads from a patient's folder what a fetch of each type must return. */
const expectedOf = (folder: string) => {
  const description: {
    readonly counts: Record<string, number>
    readonly upstream?: Record<string, { readonly upstreamTotal: number | null }>
    readonly missingTypes?: ReadonlyArray<string>
  } = JSON.parse(readFileSync(join(folder, "patient.json"), "utf8"))
  const { counts, missingTypes = [], upstream = {} } = description
  return [...new Set([...Object.keys(counts), ...Object.keys(upstream), ...missingTypes])].map((resourceType) => {
    const file = join(folder, `${resourceType}.ndjson.gz`)
    const lines = existsSync(file) ? readLines(file) : []
    const resources = [...new Map(lines.map((line) => [JSON.parse(line).id, line])).values()]
    const { upstreamTotal = lines.length } = upstream[resourceType] ?? {}
    const status = missingTypes.includes(resourceType)
      ? "unavailable"
      : resources.length < (upstreamTotal ?? 0)
      ? "partial"
      : resources.length === 0
      ? "empty"
      : "complete"
    return { resourceType, status, resources }
  })
}

describeReader((reader, place) => {
  describe("FhirReader.read", () => {
    // Each of the three readers reads a third of the patients.
    for (const slug of patients.filter((_, index) => index % 3 === place)) {
      it.effect(`reads the whole record of the patient ${slug}`, () =>
        Effect.gen(function*() {
          const server = yield* serve(folderOf(slug))
          const expected = expectedOf(join(folderOf(slug), slug))
          const types = yield* read(server, slug, expected.map(({ resourceType }) => resourceType))
          assert.deepStrictEqual(types, expected as never)
        }).pipe(reader))
    }

    it.effect("returns empty for a type of which the patient has no resource", () =>
      Effect.gen(function*() {
        const [type] = yield* read(yield* serve(fixtures), "va-mock-986297", ["Procedure"])
        assert.deepStrictEqual(type, { resourceType: "Procedure", status: "empty", resources: [] })
      }).pipe(reader))

    it.effect("returns unavailable for the types of an unknown patient", () =>
      Effect.gen(function*() {
        const types = yield* read(yield* serve(fixtures), "nobody", ["Condition", "Observation"])
        assert.deepStrictEqual(types.map(({ status }) => status), ["unavailable", "unavailable"])
      }).pipe(reader))
  })

  describe("FhirReader", () => {
    it.effect("keeps every digit and space of a resource's text", () =>
      Effect.gen(function*() {
        const text = readText(join(fixtures, "awkward/obs-decimal.json.gz")).trim()
        assert.include(text, "-1.000000000000000000E+245")
        const server = yield* serve(fixtures)
        yield* server.script("Observation", [{ answer: ok(`\ufeff ${bundle([entry(text)])}\n`) }])
        const [type] = yield* read(server, "va-mock-986297", ["Observation"])
        assert.deepStrictEqual(type, { resourceType: "Observation", status: "complete", resources: [text] })
      }).pipe(reader))

    it.effect("keeps the exact texts of a recorded page", () =>
      Effect.gen(function*() {
        const server = yield* serve(fixtures)
        const answer = yield* recorded("200-page-1-of-2-Observation-sheba.json.gz")
        yield* server.script("Observation", [{ answer }])
        const [type] = yield* read(server, "va-mock-986297", ["Observation"])
        // The next page of this recording is at sandbox-api.va.gov, another origin.
        assert.strictEqual(type!.status, "partial")
        assert.lengthOf(type!.resources, 100)
        for (const resource of type!.resources) assert.include(answer.body as string, resource)
      }).pipe(reader))
  })

  describe("An entry", () => {
    const nested = (levels: number) =>
      `{"resourceType":"Condition","id":"n","x":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`
    it.effect.each(
      [
        `{"resource":{"resourceType":"OperationOutcome","id":"o","issue":[]},"search":{"mode":"outcome"}}`,
        `{"resource":{"resourceType":"OperationOutcome","issue":[]}}`,
        `{"resource":${condition("o")},"search":{"mode":"outcome"}}`,
        entry(`{"resourceType":"Patient","id":"p"}`),
        entry(`{"resourceType":"Condition"}`),
        entry(`{"resourceType":"Condition","id":7}`),
        entry(condition("")),
        entry(condition("a/b")),
        entry(condition("a\\n")),
        entry(condition("a".repeat(65))),
        entry(`{"resourceType":"Condition","id":"z","note":"\\u0000"}`),
        entry(`{"resourceType":"Condition","id":"z","note":"\\ud800"}`),
        entry(`{"resourceType":"Condition","id":"z","\\udc00":1}`),
        entry(nested(62)),
        `{"fullUrl":"urn:uuid:1"}`,
        `{"resource":null}`,
        "null",
        "7"
      ].map((text) => [text] as const)
    )("is left out when it is %s", ([text]) =>
      Effect.gen(function*() {
        const entries = [entry(condition("a")), text, entry(condition("b"))]
        const type = yield* readConditions(yield* conditionServer(0, { answer: ok(bundle(entries)) }))
        assert.deepStrictEqual(type, {
          resourceType: "Condition",
          status: "partial",
          resources: [condition("a"), condition("b")]
        })
        const alone = yield* readConditions(yield* conditionServer(0, { answer: ok(bundle([text])) }))
        assert.deepStrictEqual(alone, { resourceType: "Condition", status: "partial", resources: [] })
      }).pipe(reader))

    const issue = (severity: string, code: string) =>
      `{"resource":{"resourceType":"OperationOutcome","issue":[{"severity":"${severity}","code":"${code}"}]},` +
      `"search":{"mode":"outcome"}}`
    it.effect.each(
      [
        [issue("information", "informational"), "complete"],
        [issue("warning", "not-supported"), "complete"],
        [issue("warning", "incomplete"), "partial"],
        [issue("error", "processing"), "partial"],
        [`{"resource":{"resourceType":"Practitioner","id":"p"},"search":{"mode":"include"}}`, "complete"]
      ] as const
    )("%s beside the resources leaves the type %s", ([text, status]) =>
      Effect.gen(function*() {
        const entries = [entry(condition("a")), text]
        const type = yield* readConditions(yield* conditionServer(0, { answer: ok(bundle(entries, { total: 1 })) }))
        assert.deepStrictEqual(type, { resourceType: "Condition", status, resources: [condition("a")] })
      }).pipe(reader))

    const about = (id: string, reference: string) =>
      `{"resourceType":"Condition","id":"${id}","subject":{"reference":"${reference}"}}`

    const readAbout = Effect.fnUntraced(function*(...resources: ReadonlyArray<string>) {
      const progress: Array<ReadProgress> = []
      const type = yield* readConditions(yield* conditionServer(0, { answer: ok(bundle(resources.map(entry))) }), {
        onProgress: (event) => Effect.sync(() => progress.push(event))
      })
      return { type, done: progress.at(-1) }
    })

    it.effect("is left out when it names another patient; this is reported, and the type is complete", () =>
      Effect.gen(function*() {
        const own = [about("a", "Patient/veteran"), about("b", "https://fhir.example/Patient/veteran"), condition("c")]
        const { done, type } = yield* readAbout(...own, about("d", "Patient/other"), about("e", "Patient/third"))
        assert.deepStrictEqual(type, { resourceType: "Condition", status: "complete", resources: own })
        assert.deepInclude(done, { status: "complete", resources: 3, reason: "2 of another patient left out" })
      }).pipe(reader))

    it.effect("is kept when the server uses another id for the patient; more than one such id is reported", () =>
      Effect.gen(function*() {
        const others = [about("a", "Patient/1012"), about("b", "Patient/1012")]
        const { done, type } = yield* readAbout(...others)
        assert.deepStrictEqual(type, { resourceType: "Condition", status: "complete", resources: others })
        assert.deepInclude(done, { reason: undefined })
        const two = yield* readAbout(...others, about("c", "Patient/7"))
        assert.deepStrictEqual([two.type.status, two.type.resources.length], ["complete", 3])
        assert.deepInclude(two.done, { reason: "they name 2 patients, none by the id asked for" })
      }).pipe(reader))

    it.effect("is kept when its id, its nesting and its characters are just within the service's limits", () =>
      Effect.gen(function*() {
        const kept = [
          condition("A-z.9".padEnd(64, "9")),
          nested(61),
          `{"id":"u","note":"\\\\u0000 \\ud83d\\ude00 😀","resourceType":"Condition"}`
        ]
        const answer = ok(bundle(kept.map(entry)))
        const type = yield* readConditions(yield* conditionServer(0, { answer }))
        assert.deepStrictEqual(type, { resourceType: "Condition", status: "complete", resources: kept })
      }).pipe(reader))

    it.effect("is kept when it is the last of two entries with the same id", () =>
      Effect.gen(function*() {
        const last = `{"resourceType":"Condition","id":"c1","note":"last"}`
        const server = yield* conditionServer(0, {
          answer: ok(bundle([condition("c1"), condition("c2"), last].map(entry), { total: 2 }))
        })
        const type = yield* readConditions(server)
        assert.deepStrictEqual(type, {
          resourceType: "Condition",
          status: "complete",
          resources: [last, condition("c2")]
        })
      }).pipe(reader))
  })
})
