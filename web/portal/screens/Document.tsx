import { Effect } from "effect"
import { Fragment, type ReactNode, useMemo } from "react"
import type { Document as SharedDocument } from "../../../src/domain/Document.ts"
import { fileName } from "../../../src/domain/DocumentFileName.ts"
import { NotFound } from "../../../src/domain/Errors.ts"
import type { VeteranId } from "../../../src/domain/Id.ts"
import { useRead } from "../../shared/Call.ts"
import { dayWords } from "../../shared/Dates.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Facts } from "../../shared/ui/Facts.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Loading } from "../../shared/ui/Loading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import "../../shared/document/document.css"
import { fileKindWords } from "../../shared/document/FileKind.ts"
import { sizeWords } from "../../shared/document/FileSize.ts"
import { Preview } from "../../shared/document/Preview.tsx"
import { useDownload } from "../document/Download.ts"
import { NotShared } from "../patients/NotShared.tsx"
import { identityOf, nameOf, type Share } from "../patients/Share.ts"
import { useSharing } from "../record/SharingWatch.ts"
import { addressOf } from "../Route.ts"
import { useSession } from "../session/Session.ts"

const includesDocuments = ({ includeDocuments }: { readonly includeDocuments: boolean }) => includeDocuments

/** A document that a veteran shares. It leaves the screen when none of the grants includes documents any more. */
export const Document = (
  { documentId, veteranId: sent }: { readonly veteranId: string; readonly documentId: string }
) => {
  const veteranId = sent as VeteranId
  const { call } = useSession()
  const { sharing } = useSharing(veteranId, includesDocuments)
  const { again, state } = useRead(useMemo(() => {
    // Only the record's answer lists the documents. The limit keeps the other parts of that answer as small as
    // possible.
    const record = call(({ patients }) => patients.record({ params: { veteranId }, query: { limit: 1 } }))
    return Effect.flatMap(record, ({ documents }) => {
      const document = documents.find(({ id }) => id === documentId)
      return document === undefined ? Effect.fail(new NotFound()) : Effect.succeed(document)
    })
  }, [call, documentId, veteranId]))
  if (sharing.is === "ended" || (state.is === "failed" && state.problem.error === "consent_required")) {
    return <Withdrawn />
  }
  return (
    <section className="card stack document">
      <p>
        <a href={addressOf({ screen: "record", veteranId })}>Back to the record</a>
      </p>
      {state.is === "done" ?
        (
          <Opened
            document={state.value}
            loadedAt={state.at}
            veteranId={veteranId}
            patient={sharing.is === "shared" ? sharing.patient : undefined}
          />
        ) :
        (
          <>
            <Heading>Shared document</Heading>
            {state.is === "pending" ? <Loading /> : <Trouble problem={state.problem} again={again} />}
          </>
        )}
    </section>
  )
}

const Opened = ({ document, loadedAt, patient, veteranId }: {
  readonly document: SharedDocument
  readonly loadedAt: Date
  readonly veteranId: VeteranId
  readonly patient: Share | undefined
}) => {
  const { again, download } = useDownload(veteranId, document)
  const { byteSize, contentType, createdAt, title } = document
  if (download.is === "failed" && download.problem.error === "consent_required") return <Withdrawn />
  return (
    <>
      <Heading>
        <bdi>{title}</bdi>
      </Heading>
      <Offline loadedAt={loadedAt} />
      <Facts
        of={[
          ...patientFacts(patient),
          ["Kind", fileKindWords(contentType)],
          ["Size", sizeWords(byteSize)],
          ["Added", dayWords(createdAt)]
        ]}
      />
      {download.is === "done"
        ? (
          <>
            <Action onClick={() => saveFile(download.value, fileName(document))}>Download</Action>
            <Preview bytes={download.value} document={document} />
          </>
        )
        : download.is === "failed"
        ? <Trouble problem={download.problem} again={again} />
        : (
          <div>
            <Loading>Loading the document</Loading>
            <progress aria-label="Loaded" value={download.received} max={Math.max(1, byteSize)} />
          </div>
        )}
    </>
  )
}

/** A document in a tab must not be taken for another patient's: two identifiers (NPSG.01.01.01). */
const patientFacts = (patient: Share | undefined): ReadonlyArray<readonly [string, ReactNode]> =>
  patient === undefined ? [] : [[
    "Patient",
    <Fragment key="patient">
      <bdi>{nameOf(patient)}</bdi>
      {identityOf(patient).map((text) => `; ${text}`)}
    </Fragment>
  ]]

const Withdrawn = () => (
  <NotShared>
    <p>
      <a href={addressOf({ screen: "patients" })}>Back to your patients</a>
    </p>
  </NotShared>
)
