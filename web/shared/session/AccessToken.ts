import { Effect, Fiber } from "effect"
import { orProblem, Problem } from "../Problem.ts"
import { configuration } from "../Transport.ts"

interface Granted {
  readonly accessToken: string
  readonly expiresIn: number
}

/** Keeps and renews the access token of a session, in memory only. Each token has its client. */
export const makeAccessToken = <Answer extends Granted, Client>({ connect, first, personOf, renewAfter, renewal }: {
  readonly first: Answer
  readonly personOf: (answer: Answer) => string
  readonly connect: (token: string) => Effect.Effect<Client, unknown>
  /** The token is undefined if it has expired. */
  readonly renewal: (token: string | undefined) => Effect.Effect<Answer, Problem>
  /** After how many milliseconds a token is renewed that lives for `life` milliseconds. */
  readonly renewAfter: (life: number) => number
}) => {
  let latest = first
  let client: Client | undefined
  let [expiresAt, renewAt] = [0, 0]

  const take = (answer: Answer) => {
    const life = answer.expiresIn * 1_000
    latest = answer
    client = undefined
    expiresAt = Date.now() + life
    renewAt = Date.now() + renewAfter(life)
  }
  take(first)

  const isAlive = () => Date.now() < expiresAt

  const asked = Effect.suspend(() => renewal(isAlive() ? latest.accessToken : undefined))

  const { isRunning, shared: renewed } = oneAtATime(asked.pipe(
    // Another window has signed somebody else in.
    Effect.filterOrFail(
      (answer) => personOf(answer) === personOf(first),
      () => Problem.make({ error: "unauthenticated" })
    ),
    Effect.map(take),
    Effect.tapError(() =>
      Effect.sync(() => {
        renewAt = Date.now() + 30_000
      })
    )
  ))

  /** If the client cannot be made now, the next call tries again. */
  const connected = Effect.suspend(() => {
    const { accessToken } = latest
    return client === undefined
      ? Effect.tap(connect(accessToken), (made) =>
        Effect.sync(() => {
          if (accessToken === latest.accessToken) client = made
        }))
      : Effect.succeed(client)
  })

  return {
    latest: () => latest,
    expiresAt: () => expiresAt,
    isAlive,
    isDue: () => Date.now() >= renewAt && !isRunning(),
    renewed,
    call: <A, E>(use: (client: Client) => Effect.Effect<A, E>): Effect.Effect<A, Problem> =>
      Effect.flatMap(connected, use).pipe(orProblem),
    authorization: () => ({
      api: Effect.runSync(configuration).api,
      authorization: `Bearer ${latest.accessToken}`
    })
  }
}

/** Runs an effect at most once at a time. All callers share one run, which continues even if they stop waiting. */
const oneAtATime = <A, E>(effect: Effect.Effect<A, E>) => {
  let running: Fiber.Fiber<A, E> | undefined
  const shared = Effect.suspend(() => {
    running ??= Effect.runFork(Effect.ensuring(
      effect,
      Effect.sync(() => {
        running = undefined
      })
    ))
    return Fiber.join(running)
  })
  return { shared, isRunning: () => running !== undefined }
}
