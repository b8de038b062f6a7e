import { Effect } from "effect"
import type { ProviderAccess } from "../../../src/domain/Provider.ts"
import { type Client, connect, connectWithCookie } from "../../shared/Client.ts"
import { orProblem, type Problem } from "../../shared/Problem.ts"
import { makeAccessToken } from "../../shared/session/AccessToken.ts"

/** The longest life of a token. Only the last token of a session has a shorter one: both end together. */
const longest = 60 * 60_000

const renewedAfter = 55 * 60_000

/** True if the answer means that the provider is no longer signed in. */
export const isRefused = ({ error }: Problem) => error === "unauthenticated" || error === "forbidden"

/** Resumes the session of the browser's cookie. */
export const resumeSession: Effect.Effect<ProviderAccess, Problem> = Effect.flatMap(
  connectWithCookie(),
  ({ providerResumption }) => providerResumption.resume()
).pipe(orProblem)

const refreshed = (token: string) =>
  Effect.flatMap(connectWithCookie(token), ({ providerSession }) => providerSession.refresh()).pipe(
    orProblem
  )

const logout = (token: string) =>
  Effect.flatMap(connectWithCookie(token), ({ providerSession }) => providerSession.logout()).pipe(orProblem)

const resumedLogout = Effect.flatMap(resumeSession, ({ accessToken }) => logout(accessToken))

/** Ends the session and deletes the cookie. */
export const endSession = (token: string | undefined) =>
  token === undefined ? resumedLogout : Effect.catchIf(logout(token), isRefused, () => resumedLogout)

/** The access of a session of 12 hours. */
export const makeAccess = (first: ProviderAccess) => {
  const access = makeAccessToken({
    first,
    personOf: ({ provider }) => provider.id,
    connect,
    renewal: (token) => token === undefined ? resumeSession : refreshed(token),
    renewAfter: (life) => life < longest ? Infinity : renewedAfter
  })

  const isOver = () => access.latest().expiresIn * 1_000 < longest && !access.isAlive()

  return {
    ...access,
    /** Before the call, renews a token that has expired by this computer's clock. */
    call: <A, E>(use: (client: Client) => Effect.Effect<A, E>): Effect.Effect<A, Problem> =>
      Effect.suspend(() => access.isAlive() || isOver() ? Effect.void : access.renewed).pipe(
        Effect.andThen(access.call(use))
      ),
    /** True after the session's 12 hours. Only the session's last token shows when they end (see `longest`). */
    isOver
  }
}

export type Access = ReturnType<typeof makeAccess>
