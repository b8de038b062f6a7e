import { Effect } from "effect"
import { useMemo } from "react"
import { allPages } from "../../shared/AllPages.ts"
import { useRead } from "../../shared/Call.ts"
import type { Client } from "../AppClient.ts"
import { useSession } from "../session/Session.ts"
import { draftOf } from "./Draft.ts"

/** Finds the grant that shall be changed. Returns undefined if it is no longer active. */
const find = ({ consent }: Client, id: string) =>
  Effect.map(
    allPages(
      (query) => consent.list({ params: { veteranId: "me" }, query }),
      (grants) => grants.some((grant) => grant.id === id)
    ),
    (grants) => {
      const grant = grants.find((one) => one.id === id)
      return grant?.status === "active" ? draftOf(grant) : undefined
    }
  )

/** The share that is changed or prolonged, as a draft. */
export const useReplaced = (id: string) => {
  const { call } = useSession()
  return useRead(useMemo(() => call((client) => find(client, id)), [call, id]))
}
