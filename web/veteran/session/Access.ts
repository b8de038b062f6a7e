import { Effect, Redacted } from "effect"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import { orProblem, Problem } from "../../shared/Problem.ts"
import { oneAtATime } from "../../shared/session/OneAtATime.ts"
import { configuration } from "../../shared/Transport.ts"
import type { Client } from "../AppClient.ts"

/** A token is renewed this long before it expires, in milliseconds. An update asks the same of it. */
const margin = 3 * 60_000

/** True if the answer means that the session has ended, or that this key may not renew it. */
export const isRefused = ({ error }: Problem) => error === "unauthenticated" || error === "invalid_device_proof"

/** The client is loaded for somebody who is signed in. If it cannot be loaded now, the next call tries again. */
const clientWith = (token: string) => {
  let made: Client | undefined
  return Effect.suspend(() =>
    made === undefined
      ? Effect.tryPromise(() => import("../AppClient.ts")).pipe(
        Effect.flatMap(({ connect }) => connect(Redacted.make(token))),
        Effect.tap((client) =>
          Effect.sync(() => {
            made = client
          })
        )
      )
      : Effect.succeed(made)
  )
}

/** Keeps and renews the access token of a session, in memory only. `renewal` asks by the device's key. */
export const makeAccess = (first: AppAccess, renewal: Effect.Effect<AppAccess, Problem>) => {
  const { previousSessionAt, sessionEndsAt, veteran } = first
  let [token, sessionId] = ["", ""]
  let confirmedUntil: Date | null = null
  let client: Effect.Effect<Client, unknown> = Effect.never
  let [expiresAt, renewAt] = [0, 0]

  const take = (answer: AppAccess) => {
    token = answer.accessToken
    sessionId = answer.sessionId
    confirmedUntil = answer.confirmedUntil
    client = clientWith(token)
    const life = answer.expiresIn * 1_000
    expiresAt = Date.now() + life
    renewAt = Date.now() + Math.max(life - margin, life / 2)
  }
  take(first)

  const { isRunning, shared: renewed } = oneAtATime(renewal.pipe(
    // Another window has signed somebody else in.
    Effect.filterOrFail((answer) => answer.veteran.id === veteran.id, () => Problem.make({ error: "unauthenticated" })),
    Effect.map(take),
    Effect.tapError(() =>
      Effect.sync(() => {
        renewAt = Date.now() + 30_000
      })
    )
  ))

  const authorization = () => ({
    api: Effect.runSync(configuration).api,
    authorization: `Bearer ${token}`
  })

  return {
    veteran,
    previousSessionAt,
    sessionId: () => sessionId,
    token: () => token,
    /** As of the last renewal. */
    confirmedUntil: () => confirmedUntil,
    /** Renews a token that has expired by this device's clock, and once more if the service refuses it. */
    call: <A, E>(use: (client: Client) => Effect.Effect<A, E>): Effect.Effect<A, Problem> => {
      const used = Effect.suspend(() => client).pipe(Effect.flatMap(use), orProblem)
      return Effect.suspend(() => Date.now() < expiresAt ? Effect.void : renewed).pipe(
        Effect.andThen(used),
        Effect.catchIf(({ error }) => error === "unauthenticated", () => Effect.andThen(renewed, used))
      )
    },
    authorization,
    /** True after the session's 12 hours, by this device's clock. */
    isOver: () => Date.now() >= sessionEndsAt.getTime(),
    isDue: () => Date.now() >= renewAt && !isRunning(),
    renewed: Effect.map(renewed, () => ({
      authorization: authorization().authorization,
      expiresAt: new Date(expiresAt)
    }))
  }
}

export type Access = ReturnType<typeof makeAccess>
