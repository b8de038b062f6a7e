/**
 * The VA's answer in the address when the browser comes back. It is removed from the address, and what this tab kept
 * for it from the storage, before any other part of the page runs: `main.tsx` imports this file first, and this file
 * imports nothing.
 */
export type VaReturn =
  | KnownReturn
  /** The sign-in did not start in this tab: nothing is sent anywhere. */
  | { readonly is: "foreign" }

/** An answer to a sign-in that began in this tab. */
export type KnownReturn =
  | { readonly is: "code"; readonly code: string; readonly journey: Journey }
  | { readonly is: "refused"; readonly refusal: string; readonly journey: Journey }

/** What a sign-in at the VA is for, if not for a new session: it confirms the present one, or adds an account to it. */
export type Purpose = "confirms" | "adds"

/** What a tab keeps while the browser is at the VA. By itself it opens nothing. */
export interface Journey {
  readonly verifier: string
  readonly state: string
  readonly challenge: string
  /** The route to which the browser comes back. */
  readonly back: string
  /** A desk's code, which was in the address when the sign-in began. */
  readonly invite?: string
  readonly purpose?: Purpose
  /** The language that was chosen. */
  readonly language?: "en" | "es"
}

const key = "vrss-va"

export const keepJourney = (journey: Journey) => sessionStorage.setItem(key, JSON.stringify(journey))

/** Returns what this tab kept, once. */
export const takeJourney = (): Journey | undefined => {
  try {
    const kept = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return kept === null ? undefined : JSON.parse(kept)
  } catch {
    // Storage is turned off, so no sign-in began here.
    return undefined
  }
}

const answer = new URLSearchParams(location.search)

const [code, refusal, state] = [answer.get("code"), answer.get("error"), answer.get("state")]

const isReturn = code !== null || refusal !== null || state !== null

if (isReturn) history.replaceState(null, "", location.pathname)

const journey = takeJourney()

if (isReturn && journey !== undefined && journey.state === state) {
  history.replaceState(null, "", location.pathname + journey.back)
}

let returned: VaReturn | undefined = !isReturn
  ? undefined
  : journey === undefined || journey.state !== state
  ? { is: "foreign" }
  : code !== null && refusal === null
  ? { is: "code", code, journey }
  : { is: "refused", refusal: refusal ?? "", journey }

/** Returns the answer on the first call only. */
export const takeVaReturn = () => {
  const taken = returned
  returned = undefined
  return taken
}
