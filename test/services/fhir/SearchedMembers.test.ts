import { assert, describe, test } from "vitest"
import { fhirTypes } from "../../../src/domain/FhirType.ts"
import { searchedMembers } from "../../../src/services/fhir/SearchedMembers.ts"
import { parametersOf, searchedNames } from "../../../src/services/fhir/SearchParameters.ts"
import { atOnce } from "../../../src/services/platform/Pace.ts"
import { isReadable } from "../../../src/services/record/ReadableJson.ts"
import { seededRandom } from "../../support/Random.ts"

/** The members of all parameters of all types. */
const names = searchedNames([...fhirTypes].flatMap((type) => [...parametersOf(type).values()]))

const read = (text: string) => atOnce(searchedMembers(Buffer.from(text), names))

/** Returns only the searched members of a value from `JSON.parse`. */
const lookedAt = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(lookedAt)
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).filter(([name]) => names.has(name)).map(([name, one]) => [name, lookedAt(one)])
    )
  }
  return typeof value === "string" || value === null ? value : 0
}

/** Writes random JSON: names and texts with escapes, repeated members, blanks in every place that allows them. */
const writer = (seed: number) => {
  const random = seededRandom(seed)
  const pick = <A>(all: ReadonlyArray<A>): A => all[Math.floor(random() * all.length)]!
  const blank = () => pick(["", "", "", " ", "\n\t", "\r\n  "])
  const escaped = (text: string) =>
    JSON.stringify(text).replaceAll(
      /[a-z]/g,
      (letter) => random() < 0.1 ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter
    )
  const anyNames = [...names, "id", "text", "__proto__", "toString", "", "a\"b", "}", "café"]
  const texts = ["", "x", "a\\b", "\"", "{[,:]}", "null", "é \u2028", "😀", "x".repeat(300)]
  const list = (depth: number, write: () => string) =>
    Array.from({ length: Math.floor(random() * (depth > 4 ? 1 : 5)) }, write).join(`${blank()},${blank()}`)
  const value = (depth: number): string => {
    const kind = random()
    if (depth === 0 || kind < 0.35) return `{${blank()}${list(depth, () => member(depth + 1))}${blank()}}`
    if (kind < 0.6) return `[${blank()}${list(depth, () => value(depth + 1))}${blank()}]`
    return kind < 0.85 ? string(pick(texts)) : pick(["0", "-1.50e+10", "true", "false", "null", "1e400"])
  }
  // A text with a backslash or quote gets no other escapes. So `a\\b` keeps a letter right after its escaped
  // backslash, and the two look like the escape `\b`.
  const string = (text: string) => text.includes("\\") || text.includes("\"") ? JSON.stringify(text) : escaped(text)
  const member = (depth: number) => `${string(pick(anyNames))}${blank()}:${blank()}${value(depth)}`
  return () => `${blank()}${value(0)}${blank()}`
}

describe("The searched members of a text", () => {
  test("are read like JSON.parse reads them", () => {
    const write = writer(22)
    for (let round = 0; round < 5000; round++) {
      const text = write()
      assert.deepStrictEqual(read(text), lookedAt(JSON.parse(text)), text)
    }
  })

  test("leave out a text longer than any search term may be", () => {
    const text = JSON.stringify({ code: { coding: [{ system: "x".repeat(200_000), code: "y" }] } })
    assert.deepStrictEqual(read(text), { code: { coding: [{ system: "", code: "y" }] } })
  })

  test.each([
    ["a text", `{"note":"${"x".repeat(8e6)}","code":"y"}`],
    ["a text of escapes", `{"note":"${"\\\"".repeat(4e6)}","code":"y"}`],
    ["empty lists", `{"note":[${"[],".repeat(2.6e6)}[]],"code":"y"}`],
    ["a number", `{"note":${"1".repeat(8e6)},"code":"y"}`],
    ["blanks", `{${" ".repeat(8e6)}"code":"y"}`]
  ])("are read in many short steps, even after megabytes of other text: %s", (_, text) => {
    const steps = searchedMembers(Buffer.from(text), names)
    let [count, step] = [0, steps.next()]
    for (; !step.done; step = steps.next()) count++
    assert.deepStrictEqual(step.value, { code: "y" })
    assert.isAtLeast(count, 100)
  })
})

describe("A readable resource", () => {
  const readable = (bytes: Uint8Array) => atOnce(isReadable(bytes))

  test("has at most 200,000 values and 32 MiB", () => {
    const values = (count: number) => Buffer.from(`[${"1,".repeat(count - 1)}1]${" ".repeat(200_000)}`)
    assert.isTrue(readable(values(200_000)))
    assert.isFalse(readable(values(200_001)))
    assert.isTrue(readable(Buffer.alloc(32 * 1024 * 1024, 0x20)))
    assert.isFalse(readable(Buffer.alloc(32 * 1024 * 1024 + 1, 0x20)))
  })
})
