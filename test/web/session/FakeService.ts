import { Effect } from "effect"
import { assert, vi } from "vitest"
import { Problem } from "../../../web/shared/Problem.ts"

export const minute = 60_000

export const unauthenticated = Problem.make({ error: "unauthenticated" })

export const unreachable = Problem.make({ error: "unreachable" })

/** What the fake service answers. A test changes it while the keeper runs. */
export const fakeService = <Answer>(answer: Answer) => ({
  renewed: Effect.succeed(answer) as Effect.Effect<Answer, Problem>,
  ended: Effect.void as Effect.Effect<void, Problem>,
  answers: Effect.void as Effect.Effect<void, Problem>,
  isOver: false,
  isDue: false
})

/** The access of a session at the fake service. */
export const fakeAccess = <Answer extends { readonly accessToken: string }>(
  service: Omit<ReturnType<typeof fakeService<unknown>>, "renewed">,
  answer: Answer
) => ({
  latest: () => answer,
  expiresAt: () => 0,
  isAlive: () => true,
  isOver: () => service.isOver,
  isDue: () => service.isDue,
  call: () => Effect.suspend(() => service.answers) as Effect.Effect<never, Problem>,
  authorization: () => ({ api: "", authorization: answer.accessToken }),
  renewed: Effect.suspend(() => service.answers)
})

export const settle = () => vi.advanceTimersByTimeAsync(0)

interface Keeper {
  readonly check: () => void
  readonly state: () => { readonly standing: { readonly is: string } }
}

type SignedIn<K extends Keeper> = Extract<
  ReturnType<K["state"]>["standing"],
  { readonly is: "signedIn"; readonly session: unknown }
>

const isSignedIn = <K extends Keeper>(standing: ReturnType<K["state"]>["standing"]): standing is SignedIn<K> =>
  standing.is === "signedIn"

/** What a test sees of a keeper. */
export const seen = <K extends Keeper>(keeper: K) => {
  const standing = (): ReturnType<K["state"]>["standing"] => keeper.state().standing
  return {
    standing,
    /** The signed-in session; fails if there is none. */
    session: (): SignedIn<K>["session"] => {
      const now = standing()
      assert(isSignedIn<K>(now))
      return now.session
    },
    /** Lets time pass, and calls `check` every ten seconds, as the browser's timer does. */
    pass: async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += 10_000) {
        await vi.advanceTimersByTimeAsync(10_000)
        keeper.check()
      }
      await settle()
    }
  }
}
