import { Effect } from "effect"
import { useCallback, useMemo } from "react"
import { allPages } from "../../shared/AllPages.ts"
import { useRead } from "../../shared/Call.ts"
import type { Client } from "../AppClient.ts"
import { usePages } from "../Pages.ts"
import { useSession } from "../session/Session.ts"

export const params = { veteranId: "me" } as const

/** Uploads and releases, the newest first. */
export const useDocuments = () => {
  const { call } = useSession()
  return usePages(useCallback(
    (cursor?: string) =>
      call(({ documents }) => documents.list({ params, query: cursor === undefined ? {} : { cursor } })),
    [call]
  ))
}

const readLinks = ({ secureLinks }: Client) =>
  Effect.map(
    allPages((query) => secureLinks.list({ params, query })),
    (links) => Map.groupBy(links, ({ documentId }) => documentId)
  )

/** All links by the release that they lead to. A release says how many links it has, so no page may be missing. */
export const useLinks = () => {
  const { call } = useSession()
  return useRead(useMemo(() => call(readLinks), [call]))
}

export type Links = ReturnType<typeof useLinks>
