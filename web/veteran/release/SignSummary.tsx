import type { Manifest } from "../../../src/domain/Manifest.ts"
import { dayWords, timeWords } from "../../shared/Dates.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { capitalized } from "../Moments.ts"
import { protectedWords } from "../sharing/SharingWords.ts"
import { lastMoment, type ReleaseDraft } from "./Draft.ts"
import { itemsOf } from "./Items.ts"
import { useReleaseWords } from "./Words.ts"

/** The release in short. How many items it carries is not known before it is made, but never more than these. */
export const SignSummary = ({ busy, draft, manifest, now, onLook, types }: {
  readonly draft: ReleaseDraft
  readonly busy: boolean
  readonly now: Date
  readonly types: ReadonlyArray<string>
  readonly manifest: Manifest
  readonly onLook: () => void
}) => {
  const { sign, what: carried } = useReleaseWords()
  const { categories, documents, recipient, until } = draft
  const end = lastMoment(until, now)
  const what = [
    sign.kinds(types.length),
    sign.atMost(itemsOf(manifest, types)),
    ...documents.length === 0 ? [] : [sign.documents(documents.length)]
  ].join(", ")
  return (
    <section className="card stack">
      <Facts
        of={[
          [
            sign.to,
            <>
              <bdi>{recipient.name}</bdi>
              {recipient.organization === "" ? null : (
                <>
                  , <bdi>{recipient.organization}</bdi>
                </>
              )}
              <br />
              <bdi>{recipient.email}</bdi>
            </>
          ],
          [sign.what, what],
          [carried.protectedParts,
            capitalized(protectedWords(categories.map(({ category }) => category))) || sign.noParts],
          [
            sign.until,
            until.is === "event"
              ? (
                <>
                  <bdi>{until.event}</bdi> {sign.latest(dayWords(end))}
                </>
              )
              : timeWords(end)
          ]
        ]}
      />
      <Action kind="outline" busy={busy} onClick={onLook}>{sign.look}</Action>
    </section>
  )
}
