import type { Reference } from "fhir/r4.js"
import { identifier } from "./Identifier.ts"
import { each, members, text } from "./Members.ts"

/**
 * Returns the title of a referenced resource that is contained or in the same record. If the resource has no name, the
 * reference's `display` is what the source calls it.
 */
export type TitleOf = (reference: string, display?: string | null) => string | undefined

/** A Reference or a canonical in words: its target's name, else its own display, else its address. */
export const reference = (json: unknown, titleOf: TitleOf): string | null => {
  const { display, identifier: logical, reference: literal } = members<Reference>(json)
  const address = text(literal) ?? text(json)
  return (address && titleOf(address, text(display))) || text(display) || identifier(logical) || address
}

/** Like `reference`, but null if the reference has only an address, because an address is not a readable title. */
export const namedReference = (json: unknown, titleOf: TitleOf): string | null => {
  const said = reference(json, titleOf)
  return said === text(members<Reference>(json).reference) ? null : said
}

/** Joins the `reference` of each element. */
export const references = (json: unknown, titleOf: TitleOf): string | null =>
  each(json, (one) => reference(one, titleOf))
