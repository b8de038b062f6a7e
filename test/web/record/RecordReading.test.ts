import { assert, test } from "vitest"
import { RecordReading } from "../../../web/shared/record/RecordReading.ts"

const page = (...ids: ReadonlyArray<string>) => {
  const texts = ids.map((id) => JSON.stringify({ resourceType: "Condition", id, code: { text: id } }))
  let end = 0
  const received = texts.map((text, index) => ({
    fhirId: ids[index]!,
    span: { start: end, end: end += text.length, depth: 1 }
  }))
  return [received, new TextEncoder().encode(texts.join(""))] as const
}

test("Lines are marked as new or changed, whether their items arrive before or after the list of changes", () => {
  const reading = new RecordReading()
  const first = reading.add("Condition", ...page("a", "b"))
  assert.deepStrictEqual(first.map(({ how }) => how), [null, null])
  const marked = reading.mark({
    since: "2026-11-21T12:00:00.000Z",
    hows: new Map([["Condition/b", "changed"], ["Condition/c", "new"], ["Observation/a", "new"]])
  })
  assert.deepStrictEqual(marked.map(({ how, title }) => [title, how]), [["b", "changed"]])
  const second = reading.add("Condition", ...page("c", "d"))
  assert.deepStrictEqual(second.map(({ how, title }) => [title, how]), [["c", "new"], ["d", null]])
})
