import { Effect } from "effect"
import { useCallback } from "react"
import { allPages } from "../../shared/AllPages.ts"
import type { Client } from "../AppClient.ts"
import { usePages } from "../Pages.ts"
import { me, useOwnRead } from "../session/Own.ts"
import { useSession } from "../session/Session.ts"

/** Uploads and releases, the newest first. */
export const useDocuments = () => {
  const { call } = useSession()
  return usePages(useCallback(
    (cursor?: string) =>
      call(({ documents }) => documents.list({ params: me, query: cursor === undefined ? {} : { cursor } })),
    [call]
  ))
}

const readLinks = ({ secureLinks }: Client) =>
  Effect.map(
    allPages((query) => secureLinks.list({ params: me, query })),
    (links) => Map.groupBy(links, ({ documentId }) => documentId)
  )

/** All links by the release that they lead to. A release says how many links it has, so no page may be missing. */
export const useLinks = () => useOwnRead(readLinks)

export type Links = ReturnType<typeof useLinks>
