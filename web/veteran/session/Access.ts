import { Effect, Redacted } from "effect"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import type { Problem } from "../../shared/Problem.ts"
import { makeAccessToken } from "../../shared/session/AccessToken.ts"
import type { Client } from "../AppClient.ts"

/** A token is renewed this long before it expires, in milliseconds. An update asks the same of it. */
const margin = 3 * 60_000

/** True if the answer means that the session has ended, or that this key may not renew it. */
export const isRefused = ({ error }: Problem) => error === "unauthenticated" || error === "invalid_device_proof"

/** The client is loaded for somebody who is signed in. */
const connect = (token: string) =>
  Effect.flatMap(
    Effect.tryPromise(() => import("../AppClient.ts")),
    ({ connect }) => connect(Redacted.make(token))
  )

/** The access of a session of 12 hours. `renewal` asks by the device's key. */
export const makeAccess = (first: AppAccess, renewal: Effect.Effect<AppAccess, Problem>) => {
  const access = makeAccessToken({
    first,
    personOf: ({ veteran }) => veteran.id,
    connect,
    renewal: () => renewal,
    renewAfter: (life) => Math.max(life - margin, life / 2)
  })

  return {
    ...access,
    /** Renews a token that has expired by this device's clock, and once more if the service refuses it. */
    call: <A, E>(use: (client: Client) => Effect.Effect<A, E>): Effect.Effect<A, Problem> =>
      Effect.suspend(() => access.isAlive() ? Effect.void : access.renewed).pipe(
        Effect.andThen(access.call(use)),
        Effect.catchIf(
          ({ error }) => error === "unauthenticated",
          () => Effect.andThen(access.renewed, access.call(use))
        )
      ),
    /** True after the session's 12 hours, by this device's clock. */
    isOver: () => Date.now() >= first.sessionEndsAt.getTime()
  }
}

export type Access = ReturnType<typeof makeAccess>
