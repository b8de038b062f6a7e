import { Effect } from "effect"
import { pageLimit, type PageRequest } from "../../src/domain/Page.ts"

const limit = pageLimit.maximum

/** Reads the pages of a list, one after the other: all of them, or until `isEnough` of what was read. */
export const allPages = <Item, E>(
  list: (query: PageRequest) => Effect.Effect<
    { readonly items: ReadonlyArray<Item>; readonly nextCursor: string | null },
    E
  >,
  isEnough: (items: ReadonlyArray<Item>) => boolean = () => false
): Effect.Effect<ReadonlyArray<Item>, E> =>
  Effect.gen(function*() {
    const items: Array<Item> = []
    let query: PageRequest = { limit }
    for (;;) {
      const page = yield* list(query)
      items.push(...page.items)
      if (page.nextCursor === null || isEnough(items)) return items
      query = { limit, cursor: page.nextCursor }
    }
  })
