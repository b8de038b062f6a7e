import type { SecureLink } from "../../../src/domain/VeteranLink.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { lastBefore } from "../Moments.ts"
import { latestOf } from "../sharing/LinkSteps.ts"
import type { Links } from "./DocumentList.ts"
import { useDocumentsWords } from "./Words.ts"

/** The links that lead to a release: those that work with what became of them, the others by their number. */
export const ReleaseLinks = ({ id, links: { again, state } }: {
  readonly id: SecureLink["documentId"]
  readonly links: Links
}) => {
  const { releases: words } = useDocumentsWords()
  if (state.is === "failed") return <Trouble problem={state.problem} again={again} />
  if (state.is === "pending") return null
  const all = state.value.get(id) ?? []
  const active = all.filter(({ status }) => status === "active")
  const ended = all.length - active.length
  return (
    <div>
      {all.length === 0 ? <p className="soft">{words.noLinks}</p> : null}
      {active.length === 0 ? null : (
        <ul className="rows" aria-label={words.links}>
          {active.map((link) => (
            <li key={link.id}>
              <div className="what">
                {words.linkFor} <bdi>{link.recipientName}</bdi>
                <p className="soft">
                  {words.link[latestOf(link)]}, {words.linkUntil(dayWords(lastBefore(link.expiresAt)))}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {ended === 0 ? null : <p className="soft">{words.endedLinks(ended)}</p>}
    </div>
  )
}
