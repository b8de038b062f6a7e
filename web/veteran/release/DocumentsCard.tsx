import { Effect } from "effect"
import type { DocumentId } from "../../../src/domain/Id.ts"
import { allPages } from "../../shared/AllPages.ts"
import { dayWords } from "../../shared/Dates.ts"
import { Reading } from "../../shared/ui/Reading.tsx"
import type { Client } from "../AppClient.ts"
import { me, useOwnRead } from "../session/Own.ts"
import { Choice } from "../share/Choice.tsx"
import { useReleaseWords } from "./Words.ts"

const readUploads = ({ documents }: Client) =>
  Effect.map(
    allPages((query) => documents.list({ params: me, query })),
    (all) => all.filter(({ kind }) => kind === "upload")
  )

/** The files that the veteran added, the newest first. */
const useUploads = () => useOwnRead(readUploads)

/** The veteran's files, each of which may go into the release. */
export const DocumentsCard = ({ chosen, error, onChange }: {
  readonly chosen: ReadonlyArray<DocumentId>
  readonly error: string | undefined
  readonly onChange: (id: DocumentId, on: boolean) => void
}) => {
  const { what } = useReleaseWords()
  const reading = useUploads()
  const { state } = reading
  const uploads = state.is === "done" ? state.value : []
  // A chosen document that is gone cannot be released: it is offered, so that it can be taken out.
  const gone = state.is === "done" ? chosen.filter((id) => !uploads.some((one) => one.id === id)) : []
  return (
    <section className="card stack">
      <h2>{what.documents}</h2>
      {error === undefined ? null : <span className="usa-error-message">{error}</span>}
      <Reading of={reading} />
      {state.is === "done" && uploads.length + gone.length === 0 ? <p className="soft">{what.noDocuments}</p> : null}
      {uploads.length + gone.length === 0 ? null : (
        <fieldset>
          <legend>{what.documentsHint}</legend>
          {uploads.map(({ createdAt, id, title }, index) => (
            <Choice
              key={id}
              {...index === 0 ? { "data-place": "documents" } : {}}
              type="checkbox"
              label={
                <>
                  <bdi>{title}</bdi> <span className="soft">({dayWords(createdAt)})</span>
                </>
              }
              checked={chosen.includes(id)}
              onChange={({ target }) => onChange(id, target.checked)}
            />
          ))}
          {gone.map((id) => (
            <Choice
              key={id}
              type="checkbox"
              label={what.gone}
              checked
              onChange={() => onChange(id, false)}
            />
          ))}
        </fieldset>
      )}
    </section>
  )
}
