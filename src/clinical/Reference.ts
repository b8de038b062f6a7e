import type { Reference } from "fhir/r4.js"
import { identifier } from "./Identifier.ts"
import { each, members, text } from "./Members.ts"

/** What the target of a reference is called, where it is contained in the resource or stands in the same record. */
export type TitleOf = (reference: string) => string | undefined

/** What a Reference, or a canonical, points to: its target's title, else what the reference itself says of it, else its address. */
export const reference = (json: unknown, titleOf: TitleOf): string | null => {
  const { display, identifier: logical, reference: literal } = members<Reference>(json)
  const address = text(literal) ?? text(json)
  return (address && titleOf(address)) || text(display) || identifier(logical) || address
}

/** `reference`, where it says more than an address: a title is made of words. */
export const named = (json: unknown, titleOf: TitleOf): string | null => {
  const said = reference(json, titleOf)
  return said === text(members<Reference>(json).reference) ? null : said
}

/** `reference` of each. */
export const references = (json: unknown, titleOf: TitleOf): string | null =>
  each(json, (one) => reference(one, titleOf))
