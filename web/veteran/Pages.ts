import type { Effect } from "effect"
import { useMemo, useState } from "react"
import { useRead } from "../shared/Call.ts"
import { useSending } from "../shared/Sending.ts"

interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly nextCursor: string | null
}

/** A list that is read page by page: the first at once, the others on request. Memoize `pageOf`. */
export const usePages = <A>(pageOf: (cursor?: string) => Effect.Effect<Page<A>, unknown>) => {
  const { again, refresh, state } = useRead(useMemo(() => pageOf(), [pageOf]))
  const { busy, problem, send } = useSending()
  const [later, setLater] = useState<Page<A> & { readonly after: Page<A> }>()
  const first = state.is === "done" ? state.value : undefined
  // Pages that were read after an older first page do not belong to the present one.
  const rest = later !== undefined && later.after === first ? later : undefined
  const cursor = (rest ?? first)?.nextCursor ?? undefined
  const more = () => {
    if (first === undefined || cursor === undefined) return
    send(
      pageOf(cursor),
      ({ items, nextCursor }) => setLater({ items: [...rest?.items ?? [], ...items], nextCursor, after: first })
    )
  }
  return {
    state,
    again,
    refresh,
    items: first === undefined ? [] : [...first.items, ...rest?.items ?? []],
    hasMore: cursor !== undefined,
    more,
    busy,
    problem
  }
}
