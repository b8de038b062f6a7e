/**
 * The result in the address when the browser comes back from Google. It is removed from the address before any other
 * part of the page runs: `Portal.tsx` imports this file first, and this file imports nothing.
 */
export type GoogleReturn =
  | { readonly is: "code"; readonly code: string }
  | { readonly is: "refused"; readonly refusal: string; readonly retryAfterSeconds: number | undefined }

const parameters = new URLSearchParams(location.hash.slice(1))

const [code, refusal] = [parameters.get("google_code"), parameters.get("google_error")]

if (code !== null || refusal !== null) history.replaceState(null, "", location.pathname)

/** Anyone can put a number into the address: one that is no wait of at most a day is none. */
const secondsIn = (wait: string | null) => {
  const seconds = Number(wait)
  return Number.isInteger(seconds) && seconds > 0 && seconds <= 86_400 ? seconds : undefined
}

let returned: GoogleReturn | undefined = refusal !== null
  ? { is: "refused", refusal, retryAfterSeconds: secondsIn(parameters.get("retry_after")) }
  : code !== null
  ? { is: "code", code }
  : undefined

/** Returns the result on the first call only. */
export const takeGoogleReturn = () => {
  const taken = returned
  returned = undefined
  return taken
}
