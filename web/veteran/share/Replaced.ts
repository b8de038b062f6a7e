import { Effect } from "effect"
import { useCallback } from "react"
import { allPages } from "../../shared/AllPages.ts"
import type { Client } from "../AppClient.ts"
import { me, useOwnRead } from "../session/Own.ts"
import { draftOf } from "./Draft.ts"

/** Finds the grant that shall be changed. Returns undefined if it is no longer active. */
const find = ({ consent }: Client, id: string) =>
  Effect.map(
    allPages(
      (query) => consent.list({ params: me, query }),
      (grants) => grants.some((grant) => grant.id === id)
    ),
    (grants) => {
      const grant = grants.find((one) => one.id === id)
      return grant?.status === "active" ? draftOf(grant) : undefined
    }
  )

/** The share that is changed or prolonged, as a draft. */
export const useReplaced = (id: string) => useOwnRead(useCallback((client: Client) => find(client, id), [id]))
