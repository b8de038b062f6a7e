import { Effect } from "effect"
import { allPages } from "../../shared/AllPages.ts"
import type { Client } from "../AppClient.ts"
import { me, useOwnRead } from "../session/Own.ts"

const readUploads = ({ documents }: Client) =>
  Effect.map(
    allPages((query) => documents.list({ params: me, query })),
    (all) => all.filter(({ kind }) => kind === "upload")
  )

/** The files that the veteran added, the newest first. */
export const useUploads = () => useOwnRead(readUploads)
