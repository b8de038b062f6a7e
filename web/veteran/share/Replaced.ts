import { Effect } from "effect"
import { useMemo } from "react"
import { pageLimit } from "../../../src/domain/Page.ts"
import { useRead } from "../../shared/Call.ts"
import type { Client } from "../AppClient.ts"
import { useSession } from "../session/Session.ts"
import { type Draft, draftOf } from "./Draft.ts"

/** Finds the grant that shall be changed. Returns undefined if it is no longer active. */
const find = Effect.fnUntraced(function*({ consent }: Client, id: string) {
  let cursor: string | undefined
  do {
    const query = { limit: pageLimit.maximum, ...(cursor === undefined ? {} : { cursor }) }
    const page: Effect.Success<ReturnType<Client["consent"]["list"]>> = yield* consent.list({
      params: { veteranId: "me" },
      query
    })
    const grant = page.items.find((one) => one.id === id)
    if (grant !== undefined) return grant.status === "active" ? draftOf(grant) : undefined
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return undefined as Draft | undefined
})

/** The share that is changed or prolonged, as a draft. */
export const useReplaced = (id: string) => {
  const { call } = useSession()
  return useRead(useMemo(() => call((client) => find(client, id)), [call, id]))
}
