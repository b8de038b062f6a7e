import type { Effect } from "effect"
import { createContext, useContext } from "react"
import type { Provider } from "../../../src/domain/Provider.ts"
import type { Client } from "../../shared/Client.ts"

/** The provider's session. The access token is in memory only, and no screen holds it. */
export interface Session {
  readonly provider: Provider
  /** Calls the service as the provider. If the session has ended, the record leaves the screen. */
  readonly call: <A, E>(use: (client: Client) => Effect.Effect<A, E>) => Effect.Effect<A, unknown>
  /** What the thread that reads the record needs: the service's origin and the authorization header. */
  readonly authorization: () => { readonly api: string; readonly authorization: string }
  /** To be called when a request outside `call` was answered with 401. */
  readonly end: () => void
  readonly signOut: () => void
}

export const SessionContext = createContext<Session | undefined>(undefined)

export const useSession = () => {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error("No screen of the portal is shown without a session.")
  return session
}
