import { Effect, Redacted } from "effect"
import { Unauthenticated } from "../../../src/domain/Errors.ts"
import type { ProviderAccess } from "../../../src/domain/Provider.ts"
import { type Client, connect, connectWithCookie } from "../../shared/Client.ts"
import { orProblem, type Problem } from "../../shared/Problem.ts"
import { oneAtATime } from "../../shared/session/OneAtATime.ts"
import { configuration } from "../../shared/Transport.ts"

/** The longest life of a token, in seconds. Only the last token of a session has a shorter one: both end together. */
const longest = 3_600

const renewedAfter = 55 * 60_000

const withToken = (token: string) => ({ providerToken: Redacted.make(token) })

/** True if the answer means that the provider is no longer signed in. */
export const isRefused = ({ error }: Problem) => error === "unauthenticated" || error === "forbidden"

/** Resumes the session of the browser's cookie. */
export const resumed: Effect.Effect<ProviderAccess, Problem> = Effect.flatMap(
  connectWithCookie(),
  ({ providerResumption }) => providerResumption.resume()
).pipe(orProblem)

const logout = (token: string) =>
  Effect.flatMap(connectWithCookie(withToken(token)), ({ providerSession }) => providerSession.logout()).pipe(orProblem)

const resumedLogout = Effect.flatMap(resumed, ({ accessToken }) => logout(accessToken))

/** Ends the session and deletes the cookie. Succeeds too if the session has already ended. */
export const ended = (token: string | undefined) =>
  (token === undefined ? resumedLogout : Effect.catchIf(logout(token), isRefused, () => resumedLogout)).pipe(
    Effect.catchIf(isRefused, () => Effect.void)
  )

/** Keeps and renews the access token of a session, in memory only. */
export const makeAccess = (first: ProviderAccess) => {
  let token = ""
  let client: Effect.Effect<Client, unknown> = Effect.never
  let [expiresAt, renewAt, endsAt] = [0, 0, Infinity]

  const take = ({ accessToken, expiresIn }: ProviderAccess) => {
    const now = Date.now()
    token = accessToken
    client = Effect.runSync(Effect.cached(connect(withToken(token))))
    expiresAt = now + expiresIn * 1_000
    endsAt = expiresIn < longest ? expiresAt : Infinity
    renewAt = expiresIn < longest ? Infinity : now + renewedAfter
  }
  take(first)

  const isOver = () => Date.now() >= endsAt

  const renew = Effect.suspend(() => {
    const alive = Date.now() < expiresAt
    return Effect.flatMap(
      connectWithCookie(alive ? withToken(token) : {}),
      ({ providerResumption, providerSession }) => alive ? providerSession.refresh() : providerResumption.resume()
    )
  }).pipe(
    // If the browser's cookie now belongs to another provider, this session has ended.
    Effect.filterOrFail(({ provider }) => provider.id === first.provider.id, () => new Unauthenticated()),
    Effect.map(take),
    orProblem,
    Effect.tapError(() =>
      Effect.sync(() => {
        renewAt = Date.now() + 30_000
      })
    )
  )

  const { isRunning, shared: renewed } = oneAtATime(renew)

  return {
    provider: first.provider,
    token: () => token,
    /** Before the call, renews a token that has expired by this computer's clock. */
    call: <A, E>(use: (client: Client) => Effect.Effect<A, E>): Effect.Effect<A, Problem> =>
      Effect.suspend(() => Date.now() < expiresAt || isOver() ? Effect.void : renewed).pipe(
        Effect.andThen(Effect.suspend(() => client)),
        Effect.flatMap(use),
        orProblem
      ),
    authorization: () => ({
      api: Effect.runSync(configuration).api,
      authorization: `Bearer ${token}`
    }),
    /** True after the session's 12 hours. Only the session's last token shows when they end (see `longest`). */
    isOver,
    isDue: () => Date.now() >= renewAt && !isRunning(),
    renewed
  }
}

export type Access = ReturnType<typeof makeAccess>
