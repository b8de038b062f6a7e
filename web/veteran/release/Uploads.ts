import { Effect } from "effect"
import { useMemo } from "react"
import type { Document } from "../../../src/domain/Document.ts"
import { pageLimit } from "../../../src/domain/Page.ts"
import { useRead } from "../../shared/Call.ts"
import type { Client } from "../AppClient.ts"
import { useSession } from "../session/Session.ts"

const readUploads = Effect.fnUntraced(function*({ documents }: Client) {
  const items: Array<Document> = []
  let cursor: string | undefined
  do {
    const query = { limit: pageLimit.maximum, ...(cursor === undefined ? {} : { cursor }) }
    const page: { readonly items: ReadonlyArray<Document>; readonly nextCursor: string | null } = yield* documents.list(
      {
        params: { veteranId: "me" },
        query
      }
    )
    items.push(...page.items.filter(({ kind }) => kind === "upload"))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return items as ReadonlyArray<Document>
})

/** The files that the veteran added, the newest first. */
export const useUploads = () => {
  const { call } = useSession()
  return useRead(useMemo(() => call(readUploads), [call]))
}
