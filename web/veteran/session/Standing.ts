import type { Problem } from "../../shared/Problem.ts"
import type { Ending } from "./Ending.ts"
import type { Session } from "./Session.ts"

/** What the app shows: a signed-in session, or the step that leads to one. */
export type Standing =
  /** The app is opening. `finishing`: the veteran has just come back from signing in at the VA. */
  | { readonly is: "starting"; readonly finishing: boolean }
  | { readonly is: "unreached"; readonly problem: Problem }
  /** Nobody has signed in on this device. `refusal` says why a sign-in failed, here and below. */
  | { readonly is: "unknown"; readonly refusal?: Problem }
  | { readonly is: "unpaired"; readonly pairingId: string }
  | { readonly is: "locked"; readonly ending?: Ending; readonly refusal?: Problem }
  | { readonly is: "signedIn"; readonly session: Session; readonly refusal?: Problem }
