import type { HumanName } from "fhir/r4.js"
import { each, joined, list, members, text } from "./Members.ts"

/** A HumanName: its `text`, else its parts. A use such as `old` or `maiden` follows the name. */
export const humanName = (json: unknown): string | null => {
  const { family, given, prefix, suffix, text: written, use } = members<HumanName>(json)
  const name = text(json) ?? text(written) ??
    joined([each(prefix, text, " "), each(given, text, " "), text(family), each(suffix, text, " ")], " ")
  const remark = text(use)
  return name && remark && /^(old|maiden|nickname|anonymous|temp)$/.test(remark) ? `${name} (${remark})` : name
}

export const humanNames = (json: unknown): string | null => each(json, humanName)

/** Prefers the name of use `official`, then `usual`, then the first that is not old. A name without words is none. */
export const namesOf = (json: unknown) => {
  const all = list(json).filter((name) => humanName(name) !== null)
  const use = (name: unknown) => text(members<HumanName>(name).use)
  const called = all.find((name) => use(name) === "official") ?? all.find((name) => use(name) === "usual") ??
    all.find((name) => use(name) !== "old" && use(name) !== "maiden") ?? all[0]
  return { called, others: all.filter((name) => name !== called) }
}
