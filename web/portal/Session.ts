import type { Effect } from "effect"
import { createContext, useContext } from "react"
import type { Provider } from "../../src/domain/Provider.ts"
import type { Client } from "../shared/Client.ts"

/** The provider's session. The access token is in memory alone, and no screen holds it. */
export interface Session {
  readonly provider: Provider
  /** Calls the service as the provider. A session that has ended takes the record off the screen (A9). */
  readonly call: <A, E>(use: (client: Client) => Effect.Effect<A, E>) => Effect.Effect<A, unknown>
  /** For the thread that reads the record: the service's origin and the header that says who asks. */
  readonly authorization: () => { readonly api: string; readonly authorization: string }
  /** For who was answered 401 beside `call`. */
  readonly end: () => void
  readonly signOut: () => void
}

export const SessionContext = createContext<Session | undefined>(undefined)

export const useSession = () => {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error("No screen of the portal is shown without a session.")
  return session
}
