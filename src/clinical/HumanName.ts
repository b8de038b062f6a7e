import type { HumanName } from "fhir/r4.js"
import { each, joined, members, text } from "./Members.ts"

/** A HumanName: its `text`, else its parts. A use such as `old` or `maiden` follows the name. */
export const humanName = (json: unknown): string | null => {
  const { family, given, prefix, suffix, text: written, use } = members<HumanName>(json)
  const name = text(json) ?? text(written) ??
    joined([each(prefix, text, " "), each(given, text, " "), text(family), each(suffix, text, " ")], " ")
  const remark = text(use)
  return name && remark && /^(old|maiden|nickname|anonymous|temp)$/.test(remark) ? `${name} (${remark})` : name
}

export const humanNames = (json: unknown): string | null => each(json, humanName)
