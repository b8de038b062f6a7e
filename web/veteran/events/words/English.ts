import type { Disclosure } from "../../../../src/domain/Disclosure.ts"

/** The sentence of an event of the record, in English, which is the source. The service writes it. */
export const english = {
  summary: ({ summary }: Pick<Disclosure, "actor" | "how" | "kind" | "resourceTypes" | "summary">) => summary
}

/** Every other language has the same keys. A missing one does not compile. */
export type EventWords = typeof english
