import type { Sharing } from "../../../src/domain/Sharing.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { capitalized, counted, momentWords } from "../Moments.ts"
import { addressOf } from "../Route.ts"
import { Face } from "./Face.tsx"
import { HolderName } from "./HolderName.tsx"
import { LinkTrack } from "./LinkTrack.tsx"
import { endsSoon, leftWords, placeWords, protectedWords, readsWords } from "./SharingWords.ts"
import { stopWords } from "./StopDialog.tsx"

/** One holder of the record: what they read, until when, and how to stop it. `off` is why it cannot be stopped now. */
export const SharingCard = ({ now, off, onStop, sharing }: {
  readonly now: Date
  readonly off: string | undefined
  readonly onStop: () => void
  readonly sharing: Sharing
}) => {
  const { kind, looks, steps, until, what, who } = sharing
  const left = leftWords(until, now)
  const items = what.items === null ? "" : ` (${counted(what.items, "item")})`
  const looked = looks.lastAt === null ? undefined : capitalized(momentWords(looks.lastAt, now))
  return (
    <li className="card stack">
      <div className="who">
        <Face name={who.name} />
        <div>
          <h2>
            <HolderName {...sharing} />
          </h2>
          <p className="soft">
            <Place {...sharing} />
          </p>
        </div>
        {left === undefined ? null : <Tag {...endsSoon(sharing, now) ? { kind: "warn" } : {}}>{left}</Tag>}
      </div>
      {steps === null ? null : <LinkTrack steps={steps} now={now} />}
      <Facts
        of={[
          ["Can read", readsWords(what) + items],
          ["Protected parts", capitalized(protectedWords(what.sensitiveCategories)) || "None"],
          ...(until === null ? [] : [["Until", dayWords(until)] as const]),
          [
            "Last looked",
            looked === undefined
              ? "Not yet"
              : <a href={addressOf({ screen: "looks", by: sharing })} aria-label={`${looked}, ${who.name}`}>{looked}</a>
          ]
        ]}
      />
      <div className="actions">
        <Button kind="stop" off={off} aria-label={`${stopWords[kind]}, ${who.name}`} onClick={onStop}>
          {stopWords[kind]}
        </Button>
        {kind === "provider"
          ? (
            <a
              className="usa-button usa-button--outline"
              href={addressOf({ screen: "share", replaces: sharing.id })}
              aria-label={`Change or extend, ${who.name}`}
            >
              Change or extend
            </a>
          )
          : null}
      </div>
    </li>
  )
}

const Place = ({ kind, who }: Sharing) => {
  const at = kind === "link" ? who.email : who.organization
  return at === null
    ? capitalized(placeWords[kind])
    : (
      <>
        <bdi>{at}</bdi> · {placeWords[kind]}
      </>
    )
}
