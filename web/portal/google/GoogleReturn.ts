/**
 * The result in the address when the browser comes back from Google. It is removed from the address before any other
 * part of the page runs: `Portal.tsx` imports this file first, and this file imports nothing.
 */
export type GoogleReturn =
  | { readonly is: "code"; readonly code: string }
  | { readonly is: "refused"; readonly refusal: string; readonly retryAfterSeconds: number }

const parameters = new URLSearchParams(location.hash.slice(1))

const [code, refusal] = [parameters.get("google_code"), parameters.get("google_error")]

if (code !== null || refusal !== null) history.replaceState(null, "", location.pathname)

let returned: GoogleReturn | undefined = refusal !== null
  ? { is: "refused", refusal, retryAfterSeconds: Number(parameters.get("retry_after")) || 60 }
  : code !== null
  ? { is: "code", code }
  : undefined

/** Returns the result on the first call only. */
export const takeGoogleReturn = () => {
  const taken = returned
  returned = undefined
  return taken
}
