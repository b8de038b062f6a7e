/**
 * What the address said when the browser came back from Google. It is taken out of the address before any other part of the page
 * runs: `Portal.tsx` names this file first, and this file names none.
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

/** It is told once. */
export const takeGoogleReturn = () => {
  const taken = returned
  returned = undefined
  return taken
}
