import type { Sharing } from "../../../src/domain/Sharing.ts"
import type { LinkStep } from "./words/English.ts"

type Steps = NonNullable<Sharing["steps"]>

/** The four steps of a link, in their order. */
export const stepsOf = (
  { codeSentAt, notifiedAt, openedAt, viewedAt }: Steps
): ReadonlyArray<{ readonly step: LinkStep; readonly at: Date | null }> => [
  { step: "mailed", at: notifiedAt },
  { step: "opened", at: openedAt },
  { step: "codeSent", at: codeSentAt },
  { step: "read", at: viewedAt }
]

/** The latest step that a link has come to, or `made` if it has come to none. */
export const latestOf = (steps: Steps) => stepsOf(steps).findLast(({ at }) => at !== null)?.step ?? "made"

/** The links that nobody has read yet. Their steps may change at any moment. */
export const isUnread = ({ steps }: Pick<Sharing, "steps">) => steps !== null && steps.viewedAt === null

/** The latest step that each link has come to between two readings of the list. A new link has none. */
export const reachedBetween = (before: ReadonlyArray<Sharing>, after: ReadonlyArray<Sharing>) =>
  after.flatMap((link) => {
    const earlier = before.find(({ id }) => id === link.id)?.steps ?? undefined
    if (link.steps === null || earlier === undefined) return []
    const known = stepsOf(earlier)
    const latest = stepsOf(link.steps).findLast(({ at }, index) =>
      at !== null && at.getTime() !== known[index]!.at?.getTime()
    )
    return latest === undefined || latest.at === null ? [] : [{ link, step: latest.step, at: latest.at }]
  })
