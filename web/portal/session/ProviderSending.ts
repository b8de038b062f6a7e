import { useSending } from "../../shared/Sending.ts"
import { useSession } from "./Session.ts"

/** Sends requests of the session, one at a time. */
export const useProviderSending = () => ({ ...useSending(), ...useSession() })
