import type { Labelled } from "./Row.ts"

/** Returns the texts that are present, each with its label, in the order of `texts`. */
export const labelled = (texts: Readonly<Record<string, string | null | undefined>>): ReadonlyArray<Labelled> =>
  Object.entries(texts).flatMap(([label, text]) => text ? [{ label, text }] : [])
