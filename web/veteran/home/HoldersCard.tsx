import type { Sharing } from "../../../src/domain/Sharing.ts"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Tag } from "../../shared/ui/Tag.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { addressOf } from "../Route.ts"
import type { ActiveSharing } from "../sharing/ActiveSharing.ts"
import { HolderName } from "../sharing/HolderName.tsx"
import { endsSoon, kindWords, leftWords, protectedWords } from "../sharing/SharingWords.ts"

/** The number of holders that fit here. */
const shown = 3

/** The newest of those who can read the record now. */
export const HoldersCard = ({ reading: { again, state } }: { readonly reading: ActiveSharing }) => (
  <section className="card stack">
    <h2>Who has my record now</h2>
    <Loading when={state.is === "pending"} />
    {state.is === "failed" ? <Trouble problem={state.problem} again={again} /> : null}
    {state.is === "done" ? <Holders active={state.value} now={state.at} /> : null}
    <div className="actions">
      {state.is === "done" && state.value.length === 0
        ? null
        : (
          <a className="usa-button usa-button--outline" href={addressOf({ screen: "sharing" })}>
            See all and stop sharing
          </a>
        )}
      <a className="usa-button" href={addressOf({ screen: "share" })}>Share my record</a>
    </div>
  </section>
)

const Holders = ({ active, now }: { readonly active: ReadonlyArray<Sharing>; readonly now: Date }) =>
  active.length === 0 ? <p>Nobody can see your record.</p> : (
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
                <p className="soft">{doesWords(sharing)}</p>
              </div>
              {left === undefined ? null : <Tag {...endsSoon(sharing, now) ? { kind: "warn" } : {}}>{left}</Tag>}
            </li>
          )
        })}
      </ul>
      {active.length > shown ? <p className="soft">And {active.length - shown} more.</p> : null}
    </>
  )

const Where = ({ kind, who }: Sharing) =>
  kind === "app" ? ", an app" : kind === "link" || who.organization === null ? null : (
    <>
      , <bdi>{who.organization}</bdi>
    </>
  )

const doesWords = ({ kind, steps, what: { resourceTypes, sensitiveCategories } }: Sharing) => {
  if (kind === "release") return "can open a signed release"
  if (steps !== null) return linkWords(steps)
  if (resourceTypes === null) {
    return sensitiveCategories.length === 0
      ? "reads all but protected parts"
      : `reads all, with ${protectedWords(sensitiveCategories)}`
  }
  if (resourceTypes.length === 0) return "reads nothing from VA"
  return resourceTypes.length > 3
    ? `reads ${resourceTypes.length} kinds`
    : `reads ${kindWords(resourceTypes).toLowerCase()}`
}

const linkWords = ({ codeSentAt, notifiedAt, openedAt, viewedAt }: NonNullable<Sharing["steps"]>) =>
  viewedAt !== null
    ? "read"
    : codeSentAt !== null
    ? "opened, code sent, not read yet"
    : openedAt !== null
    ? "opened, not read yet"
    : notifiedAt === null
    ? "not opened yet"
    : "sent, not opened yet"
