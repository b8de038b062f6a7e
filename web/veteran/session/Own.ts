import type { Effect } from "effect"
import { useMemo } from "react"
import { useRead } from "../../shared/Call.ts"
import { useSending } from "../../shared/Sending.ts"
import type { Client } from "../AppClient.ts"
import { useSession } from "./Session.ts"

/** The signed-in veteran in the service's addresses. */
export const me = { veteranId: "me" } as const

/** Reads what is the veteran's own, at once and whenever `ask` changes (a function of the module, or memoized). */
export const useOwnRead = <A, E>(ask: (client: Client) => Effect.Effect<A, E>) => {
  const { call } = useSession()
  return useRead(useMemo(() => call(ask), [call, ask]))
}

/** Sends requests of the session, one at a time. */
export const useOwnSending = () => ({ ...useSending(), ...useSession() })
