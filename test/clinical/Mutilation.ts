import { pick, type Random } from "../support/Random.ts"

/** Replacements for any value: other types, empty or huge values, and names of members that every object inherits. */
const strangers: ReadonlyArray<(value: unknown, random: Random) => unknown> = [
  () => null,
  () => true,
  () => false,
  () => 0,
  () => 1e300,
  () => "",
  () => " \n ",
  () => "constructor",
  () => "__proto__",
  () => "x".repeat(100_000),
  () => "𝔊".repeat(5000),
  () => [],
  () => ({}),
  () => [null, [null, [[]]], {}],
  () => ({ constructor: 1, toString: null, valueOf: [], coding: null, text: {}, value: [], start: 1, reference: true }),
  (value) => [value],
  (value) => [value, value, null],
  (value) => ({ value }),
  (value) => isSmall(value) ? { text: value, reference: value, coding: value, value } : [],
  (value) => isSmall(value) ? Array.from({ length: 300 }, () => value) : [value, value],
  (value) => typeof value === "number" ? String(value) : "text",
  (value, random) => {
    let nested = value
    for (let level = Math.floor(random() * 40); level >= 0; level--) {
      nested = random() < 0.5 ? [nested] : { item: nested }
    }
    return nested
  }
]

const isSmall = (value: unknown) => (JSON.stringify(value) ?? "").length < 1000

/** Returns the JSON with one to four members removed, retyped, nested, repeated, renamed or emptied. */
export const mutilate = (json: unknown, random: Random): unknown => {
  const root = { json: structuredClone(json) }
  for (let times = 1 + Math.floor(random() * 4); times > 0; times--) {
    const places: Array<readonly [Record<string, unknown>, string]> = []
    const walk = (node: unknown) => {
      if (typeof node === "object" && node !== null && places.length < 2000) {
        for (const key of Object.keys(node)) {
          places.push([node as Record<string, unknown>, key])
          walk((node as Record<string, unknown>)[key])
        }
      }
    }
    walk(root)
    const [parent, key] = pick(places, random)
    if (random() < 0.2 && parent !== root) delete parent[key]
    else if (random() < 0.1) parent[""] = parent[key]
    else parent[key] = pick(strangers, random)(parent[key], random)
  }
  return root.json
}
