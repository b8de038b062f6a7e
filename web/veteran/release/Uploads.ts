import { Effect } from "effect"
import { useMemo } from "react"
import { allPages } from "../../shared/AllPages.ts"
import { useRead } from "../../shared/Call.ts"
import type { Client } from "../AppClient.ts"
import { useSession } from "../session/Session.ts"

const readUploads = ({ documents }: Client) =>
  Effect.map(
    allPages((query) => documents.list({ params: { veteranId: "me" }, query })),
    (all) => all.filter(({ kind }) => kind === "upload")
  )

/** The files that the veteran added, the newest first. */
export const useUploads = () => {
  const { call } = useSession()
  return useRead(useMemo(() => call(readUploads), [call]))
}
