import type { Call } from "../support/Client.ts"
import { pick, type Random } from "../support/Random.ts"
import { blownText, magnitude } from "./BlownUp.ts"

/** A parameter of a type, as the CapabilityStatement names it. */
export interface SearchParam {
  readonly name: string
  readonly type: string
}

/** A value of a parameter that finds much. */
export const simpleValue = ({ type }: SearchParam) => type === "date" ? "ge2000" : type === "string" ? "a" : "final"

const listOf = (separator: string, most: number, random: Random, one: () => string) =>
  Array.from({ length: magnitude(1, most, random) }, one).join(separator)

const encoded = (text: string) => new URLSearchParams({ value: text }).toString().slice("value=".length)

/** A search form with a very long value, with many values, or with many parameters. */
export const searchForm = (parameters: ReadonlyArray<SearchParam>, random: Random) => {
  const name = () => encodeURIComponent(pick(parameters, random).name)
  const value = encoded(blownText(70_000, random)).slice(0, 70_000)
  const list = (separator: string, one: () => string) => listOf(separator, 20_000, random, one)
  return pick([
    () => `${name()}=${value}`,
    () => `_lastUpdated=${value}`,
    () => `${name()}=${list(",", () => "z")}`,
    () => `_lastUpdated=${list(",", () => "2020")}`,
    () => list("&", () => `${name()}=z`),
    () => list("&", () => `${name()}=${encodeURIComponent(blownText(200, random))}`),
    () => `${value}=x`,
    () => `${name()}:${value}=x`,
    () => list("&", () => "x=")
  ], random)()
}

/** A form that sorts, includes or asks for a page by a blown-up value, or does so very often. */
export const listForm = (random: Random) => {
  const value = encoded(blownText(17_000, random)).slice(0, 17_000)
  const include = () => pick(["_include=MedicationRequest:medication", "_revinclude=Provenance:target"], random)
  const order = () => pick(["date", "-date", "_lastUpdated", "-_lastUpdated", "code", "-", ""], random)
  const list = (separator: string, one: () => string) => listOf(separator, 2_000, random, one)
  return pick([
    () => `_sort=${value}`,
    () => `_sort=${pick(["date", "-"], random)}${value}`,
    () => `_sort=${list(",", order)}`,
    () => list("&", () => `_sort=${order()}`),
    () => `${include()}${value}`,
    () => `${include().replace("=", ":iterate=")}&_sort=-date`,
    () => `${include()}${list("", () => ":Medication")}`,
    () => `${list("&", include)}&_sort=${order()}`,
    () => `_sort=${order()}&_count=${pick(["0", "1", "-1", "1e9", value], random)}`,
    () => `_sort=${order()}&_cursor=${value}`
  ], random)()
}

const nested = (levels: number, one: string) => `${"{\"part\":[".repeat(levels)}${one}${"]}".repeat(levels)}`

/** A body of `POST $everything`, as a form or as Parameters, in which one part is blown up. */
export const everythingRequest = (headers: Call["headers"], random: Random): Call => {
  const text = blownText(17_000, random).toWellFormed()
  const name = pick(["_type", "_since", "_count", "_cursor", text], random)
  const form = (body: string): Call => ({
    headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
    body
  })
  const parameters = (list: string): Call => ({
    headers: { ...headers, "content-type": "application/fhir+json" },
    body: Buffer.from(`{"resourceType":"Parameters","parameter":${list}}`)
  })
  const one = (member: string, value: unknown) => JSON.stringify({ name, [member]: value })
  const member = pick(["valueString", "valueCode", "valueInstant", "valueInteger", "valueCoding", text], random)
  return pick([
    () => form(`${encoded(name)}=${encoded(text)}`),
    () => form(listOf("&", 3_000, random, () => "_type=Observation")),
    () => form(`_type=${listOf(",", 3_000, random, () => "Observation")}`),
    () => parameters(`[${one(member, text)}]`),
    () => parameters(`[${one(member, pick([0, -1, 1e308, 0.1, null, true, [text], { text }], random))}]`),
    () => parameters(`[${listOf(",", 500, random, () => one("valueCode", "Observation"))}]`),
    () => parameters(`[${nested(magnitude(1, 3_000, random), one("valueString", "x"))}]`),
    () => parameters("[".repeat(magnitude(1, 16_000, random))),
    () => parameters(`[${one("valueInteger", 1).replace(/1\}$/, `${"9".repeat(magnitude(1, 15_000, random))}}`)}]`)
  ], random)()
}
