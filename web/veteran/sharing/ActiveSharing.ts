import { useMemo } from "react"
import { allPages } from "../../shared/AllPages.ts"
import { useRead } from "../../shared/Call.ts"
import type { Client } from "../AppClient.ts"
import { useSession } from "../session/Session.ts"

/** Reads everything that is shared now. "Stop everything" names numbers, so no page of the list may be missing. */
export const readActive = ({ sharing }: Client) =>
  allPages((query) => sharing.list({ params: { veteranId: "me" }, query }))

/** Everybody who can read something now, the newest first. */
export const useActiveSharing = () => {
  const { call } = useSession()
  return useRead(useMemo(() => call(readActive), [call]))
}

export type ActiveSharing = ReturnType<typeof useActiveSharing>
