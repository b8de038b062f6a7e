import { Effect } from "effect"
import { readVaKeys } from "../account/session/VaKeySource.ts"
import { Settings } from "../platform/Settings.ts"
import { upstreamNames } from "../platform/Variables.ts"
import { check, error, errorIf } from "./Finding.ts"

const remedy = "Look at VA_KEYS (the VA's address, or a file that somebody keeps current), and whether this machine " +
  "may reach or read it."

/** Reads the VA's keys as the service does. Nobody is named to the VA, and no token is sent. */
export const vaKeysCheck = check(
  "keys of the VA",
  upstreamNames,
  Effect.gen(function*() {
    const { sandboxVaPort, va } = yield* Settings
    // The sandbox runs only together with the service.
    if (va === undefined || sandboxVaPort !== undefined) return []
    return yield* Effect.match(readVaKeys(va.keys), {
      onFailure: ({ why }) => [
        error(
          `VA_KEYS cannot be read (${why}).`,
          "Nobody can sign in with the VA: 503, at the latest a day after the keys could last be read.",
          remedy
        )
      ],
      onSuccess: (keys) =>
        errorIf(
          keys.length === 0,
          "VA_KEYS has no usable key: none for RS256 (from 2048 bits) or ES256 that has a kid.",
          "Nobody can sign in with the VA.",
          remedy
        )
    })
  })
)
