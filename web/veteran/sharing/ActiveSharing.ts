import { Effect } from "effect"
import { useMemo } from "react"
import { pageLimit } from "../../../src/domain/Page.ts"
import type { Sharing } from "../../../src/domain/Sharing.ts"
import { useRead } from "../../shared/Call.ts"
import type { Client } from "../AppClient.ts"
import { useSession } from "../session/Session.ts"

/** Reads everything that is shared now. "Stop everything" names numbers, so no page of the list may be missing. */
export const readActive = Effect.fnUntraced(function*({ sharing }: Client) {
  const items: Array<Sharing> = []
  let cursor: string | undefined
  do {
    const query = { limit: pageLimit.maximum, ...(cursor === undefined ? {} : { cursor }) }
    const page: { readonly items: ReadonlyArray<Sharing>; readonly nextCursor: string | null } = yield* sharing.list({
      params: { veteranId: "me" },
      query
    })
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return items as ReadonlyArray<Sharing>
})

/** Everybody who can read something now, the newest first. */
export const useActiveSharing = () => {
  const { call } = useSession()
  return useRead(useMemo(() => call(readActive), [call]))
}

export type ActiveSharing = ReturnType<typeof useActiveSharing>
