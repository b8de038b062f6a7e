import { Effect } from "effect"
import { makeGoogleIssuer } from "../account/provider/GoogleIssuer.ts"
import { Settings } from "../platform/Settings.ts"
import { check, error } from "./Finding.ts"

/** Reads Google's metadata if Google is configured. Only a sign-in shows whether Google knows the client. */
export const googleCheck = check(
  "sign-in with Google",
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET", "GOOGLE_ISSUER", "OAUTH_ISSUER"],
  Effect.gen(function*() {
    const { google, publicUrl } = yield* Settings
    if (google === undefined) return []
    return yield* makeGoogleIssuer(google, publicUrl).reach.pipe(
      Effect.as([]),
      Effect.catchTag("SignInRefused", ({ code, why }) =>
        Effect.succeed([
          error(
            `GOOGLE_ISSUER ${
              code === "google_unavailable" ? "gives no answer" : "is no OpenID Connect issuer"
            } (${why}).`,
            "Providers cannot sign in with Google, only by password.",
            "Look at GOOGLE_ISSUER (https://accounts.google.com), and whether this machine may reach it."
          )
        ]))
    )
  })
)
