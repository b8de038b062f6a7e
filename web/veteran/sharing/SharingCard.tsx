import type { Sharing } from "../../../src/domain/Sharing.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { capitalized, lastBefore, momentWords } from "../Moments.ts"
import { addressOf, type Route } from "../Route.ts"
import { Face } from "./Face.tsx"
import { HolderName } from "./HolderName.tsx"
import { LinkTrack } from "./LinkTrack.tsx"
import type { LinkViewed } from "./LinkViews.ts"
import { endsSoon, leftWords, protectedWords, readsWords } from "./SharingWords.ts"
import { ViewedVia } from "./ViewedVia.tsx"
import { useSharingWords } from "./Words.ts"

/** One holder of the record: what they read, until when, and how to stop it. `off` is why it cannot be stopped now. */
export const SharingCard = ({ now, off, onShow, onStop, sharing, viewed }: {
  readonly now: Date
  readonly off: string | undefined
  readonly onStop: () => void
  /** Shows the signed release. */
  readonly onShow: () => void
  readonly sharing: Sharing
  /** How a link was read. */
  readonly viewed: LinkViewed | undefined
}) => {
  const { card, items } = useSharingWords()
  const { id, kind, looks, steps, until, what, who } = sharing
  const left = leftWords(until, now)
  const counted = what.items === null ? "" : items(what.items)
  const looked = looks.lastAt === null ? undefined : capitalized(momentWords(looks.lastAt, now))
  const way = (words: string, route: Route) => (
    <a className="usa-button usa-button--outline" href={addressOf(route)} aria-label={`${words}, ${who.name}`}>
      {words}
    </a>
  )
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
      <ViewedVia viewed={viewed} />
      <Facts
        of={[
          [card.canRead, readsWords(what) + counted],
          [card.protectedParts, capitalized(protectedWords(what.sensitiveCategories)) || card.none],
          ...(until === null ? [] : [[card.until, dayWords(lastBefore(until))] as const]),
          [
            card.lastLooked,
            looked === undefined
              ? card.notYet
              : <a href={addressOf({ screen: "looks", by: sharing })} aria-label={`${looked}, ${who.name}`}>{looked}</a>
          ]
        ]}
      />
      <div className="actions">
        <Button kind="stop" off={off} aria-label={`${card.stop[kind]}, ${who.name}`} onClick={onStop}>
          {card.stop[kind]}
        </Button>
        {kind === "provider" ? way(card.change, { screen: "share", replaces: id }) : null}
        {kind === "release" ? way(card.makeLink, { screen: "link", document: id }) : null}
        {what.documentId === null ?
          null :
          (
            <Button kind="outline" aria-label={`${card.showRelease}, ${who.name}`} onClick={onShow}>
              {card.showRelease}
            </Button>
          )}
        {kind === "release" ? way(card.changeRelease, { screen: "release", replaces: id }) : null}
      </div>
    </li>
  )
}

const Place = ({ kind, who }: Sharing) => {
  const { places } = useSharingWords()
  const at = kind === "link" ? who.email : who.organization
  return at === null
    ? capitalized(places[kind])
    : (
      <>
        <bdi>{at}</bdi> · {places[kind]}
      </>
    )
}
