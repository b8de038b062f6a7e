import type { Labelled } from "./Row.ts"

/** The texts that are present, each with its label, in this order. */
export const labelled = (texts: Readonly<Record<string, string | null | undefined>>): ReadonlyArray<Labelled> =>
  Object.entries(texts).flatMap(([label, text]) => text ? [{ label, text }] : [])
