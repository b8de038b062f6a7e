import type { Effect } from "effect"
import { createContext, useContext } from "react"
import type { Problem } from "../../shared/Problem.ts"
import type { Client } from "../AppClient.ts"

/** The veteran's session. The access token is in memory only, and no screen holds it. */
export interface Session {
  readonly veteranId: string
  readonly callSign: string
  /** When the veteran signed in before, null at the first time. */
  readonly previousSessionAt: Date | null
  /** Calls the service as the veteran. A 401 is answered by one renewal; if that is refused, the app locks. */
  readonly call: <A, E>(use: (client: Client) => Effect.Effect<A, E>) => Effect.Effect<A, Problem>
  /** What a thread needs that calls the service by itself: its origin and the authorization header. */
  readonly authorization: () => { readonly api: string; readonly authorization: string }
  /** Until when the veteran counts as confirmed, as of the last renewal. Null if they do not. */
  readonly confirmedUntil: () => Date | null
  /** True just after the veteran signed in here for the first time ever. */
  readonly isFirst: boolean
  /** Renews the access token by the device's key, and returns the new authorization. */
  readonly renewed: Effect.Effect<{ readonly authorization: string; readonly expiresAt: Date }, Problem>
  /** To be called when a request outside `call` was answered with 401 even after a renewal. */
  readonly lock: () => void
  /** Ends the session on the service, and forgets it here. */
  readonly signOut: () => void
}

export const SessionContext = createContext<Session | undefined>(undefined)

export const useSession = () => {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error("No screen of the app is shown without a session.")
  return session
}
