import type { Sharing } from "../../../src/domain/Sharing.ts"
import { Reading } from "../../shared/ui/Reading.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { NewLink } from "../account/NewLink.tsx"
import { addressOf } from "../Route.ts"
import type { ActiveSharing } from "../sharing/ActiveSharing.ts"
import { HolderName } from "../sharing/HolderName.tsx"
import { latestOf } from "../sharing/LinkSteps.ts"
import { endsSoon, kindWords, leftWords, protectedWords } from "../sharing/SharingWords.ts"
import { useHomeWords } from "./Words.ts"
import type { HomeWords } from "./words/English.ts"

/** The number of holders that fit here. */
const shown = 3

/** The newest of those who can read the record now. */
export const HoldersCard = ({ reading }: { readonly reading: ActiveSharing }) => {
  const { holders } = useHomeWords()
  return (
    <section className="card stack">
      <h2>{holders.title}</h2>
      <Reading of={reading}>{(active, now) => <Holders active={active} now={now} />}</Reading>
      <div className="actions">
        {reading.state.is === "done" && reading.state.value.length === 0
          ? null
          : (
            <a className="usa-button usa-button--outline" href={addressOf({ screen: "sharing" })}>
              {holders.all}
            </a>
          )}
        <NewLink to={{ screen: "share" }}>{holders.share}</NewLink>
      </div>
    </section>
  )
}

const Holders = ({ active, now }: { readonly active: ReadonlyArray<Sharing>; readonly now: Date }) => {
  const { holders } = useHomeWords()
  if (active.length === 0) return <p>{holders.nobody}</p>
  return (
    <>
      <ul className="rows">
        {active.slice(0, shown).map((sharing) => {
          const left = leftWords(sharing.until, now)
          return (
            <li key={sharing.id}>
              <div className="what">
                <strong>
                  <HolderName {...sharing} />
                </strong>
                <Where {...sharing} />
                <p className="soft">{doesWords(sharing, holders)}</p>
              </div>
              {left === undefined ? null : <Tag {...endsSoon(sharing, now) ? { kind: "warn" } : {}}>{left}</Tag>}
            </li>
          )
        })}
      </ul>
      {active.length > shown ? <p className="soft">{holders.more(active.length - shown)}</p> : null}
    </>
  )
}

const Where = ({ kind, who }: Sharing) => {
  const { holders } = useHomeWords()
  return kind === "app" ? holders.app : kind === "link" || who.organization === null ? null : (
    <>
      , <bdi>{who.organization}</bdi>
    </>
  )
}

type Words = HomeWords["holders"]

const doesWords = ({ kind, steps, what: { resourceTypes, sensitiveCategories } }: Sharing, words: Words) => {
  if (kind === "release") return words.release
  if (steps !== null) return words.link[latestOf(steps)]
  if (resourceTypes === null) {
    return sensitiveCategories.length === 0
      ? words.allButProtected
      : words.allWith(protectedWords(sensitiveCategories))
  }
  if (resourceTypes.length === 0) return words.nothing
  return resourceTypes.length > 3
    ? words.manyKinds(resourceTypes.length)
    : words.kinds(kindWords(resourceTypes).toLowerCase())
}
