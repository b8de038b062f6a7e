import { Effect } from "effect"
import type { PageRequest } from "../../../src/domain/Page.ts"
import type { Entry } from "../../../src/domain/SelfReportedEntry.ts"
import type { Client } from "../AppClient.ts"

export const params = { veteranId: "me" } as const

/** The largest page of the list. */
const limit = 200

/** The categories in their order: in the form, and in the list. */
export const categories: ReadonlyArray<Entry["category"]> = ["symptom", "medication", "allergy", "vital", "note"]

/** All entries, newest first. */
export const allEntries = ({ selfReported }: Client) =>
  Effect.gen(function*() {
    const entries: Array<Entry> = []
    let query: PageRequest = { limit }
    for (;;) {
      const { items, nextCursor } = yield* selfReported.list({ params, query })
      entries.push(...items)
      if (nextCursor === null) return entries as ReadonlyArray<Entry>
      query = { limit, cursor: nextCursor }
    }
  })
