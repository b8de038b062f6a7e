import { allPages } from "../../shared/AllPages.ts"
import type { Client } from "../AppClient.ts"
import { me, useOwnRead } from "../session/Own.ts"

/** Reads everything that is shared now. "Stop everything" names numbers, so no page of the list may be missing. */
export const readActive = ({ sharing }: Client) => allPages((query) => sharing.list({ params: me, query }))

/** Everybody who can read something now, the newest first. */
export const useActiveSharing = () => useOwnRead(readActive)

export type ActiveSharing = ReturnType<typeof useActiveSharing>
