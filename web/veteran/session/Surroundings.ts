import type { Effect } from "effect"
import type { AppAccess } from "../../../src/domain/DeviceSession.ts"
import type { Problem } from "../../shared/Problem.ts"
import type { Route } from "../Route.ts"
import type { Access } from "./Access.ts"
import type { News } from "./SessionNews.ts"

/** What a keeper uses of the browser and of the service. */
export interface Surroundings {
  readonly isVisible: () => boolean
  readonly cover: (covered: boolean) => void
  readonly away: { readonly remember: () => void; readonly take: () => boolean }
  readonly windows: {
    readonly hold: (isSignedIn: boolean) => void
    readonly isAnySignedIn: Effect.Effect<boolean>
    readonly tell: (news: News) => void
  }
  readonly device: {
    /** The id of the session, empty after a lock, undefined if nobody has signed in here. */
    readonly sessionId: Effect.Effect<string | undefined>
    readonly forgetSession: (sessionId: string) => Effect.Effect<void>
    /** Forgets the key, which has opened nothing. */
    readonly forgetKey: Effect.Effect<void>
    /** Removes all that the app keeps on the device. */
    readonly forget: Effect.Effect<void>
  }
  readonly drafts: { readonly keepFor: (veteranId: string) => void; readonly forget: () => void }
  /** Forgets the VA's grant, and the drafts that hold health data. */
  readonly forgetHealth: () => void
  readonly goTo: (route: Route) => void
  readonly service: {
    /** Renews the session whose id the device keeps. */
    readonly renewed: Effect.Effect<AppAccess, Problem>
    /** Ends a session, by its token or, without one that counts, by the device's key. */
    readonly ended: (sessionId: string, token?: string) => Effect.Effect<void, Problem>
    readonly makeAccess: (answer: AppAccess) => Access
  }
}
