import { useEffect, useState } from "react"
import type { Document } from "../../../src/domain/Document.ts"
import { Reading } from "../../shared/ui/Reading.tsx"
import "../../shared/document/document.css"
import { useOffReason } from "../../shared/Online.ts"
import { Action } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Trouble } from "../../shared/ui/Trouble.tsx"
import { Done } from "../account/Done.tsx"
import { AddFile } from "../documents/AddFile.tsx"
import { useAdding } from "../documents/Adding.ts"
import { AddingNews } from "../documents/AddingNews.tsx"
import { ChosenForm } from "../documents/ChosenForm.tsx"
import { useDocuments, useLinks } from "../documents/DocumentList.ts"
import "../documents/documents.css"
import { titleOf } from "../documents/DocumentTitle.ts"
import { Releases } from "../documents/Releases.tsx"
import { RemoveDocument } from "../documents/RemoveDocument.tsx"
import { Uploads } from "../documents/Uploads.tsx"
import { useDocumentsWords } from "../documents/Words.ts"
import "../sharing/sharing.css"

/** S14: what the veteran added, and what the veteran signed. */
export const Documents = () => {
  const words = useDocumentsWords()
  const off = useOffReason()
  const reading = useDocuments()
  const { busy, hasMore, items, more, problem, refresh, state } = reading
  const links = useLinks()
  const [removing, setRemoving] = useState<Document>()
  const [removed, setRemoved] = useState<string>()
  const adding = useAdding(() => {
    setRemoved(undefined)
    refresh()
  })
  const { chosen, news } = adding
  const isSaved = news?.is === "saved" || news?.is === "savedMeanwhile"
  // The form or the dialog is gone, and the focus must not be lost with it (WCAG 2.4.3).
  useEffect(() => {
    if (isSaved || removed !== undefined) document.querySelector<HTMLElement>("h1")?.focus()
  }, [isSaved, removed])
  const list = { hasMore, off, onRemove: setRemoving }
  return (
    <>
      <Heading>{words.title}</Heading>
      <Offline loadedAt={state.is === "done" ? state.at : undefined} />
      <p>{words.sharing}</p>
      <AddingNews adding={adding} />
      <Done>
        {removed === undefined || news !== undefined ? undefined : (
          <>
            {words.news.deleted} <bdi>{removed}</bdi>
          </>
        )}
      </Done>
      {chosen === undefined
        ? <AddFile adding={adding} off={off} />
        : <ChosenForm adding={adding} chosen={chosen} off={off} />}
      <Reading of={reading} refresh={refresh}>
        {() => (
          <>
            <Uploads {...list} documents={items.filter(({ kind }) => kind === "upload")} />
            <Releases {...list} documents={items.filter(({ kind }) => kind === "roi")} links={links} />
            <Trouble problem={problem} again={more} />
            {hasMore
              ? <Action kind="outline" busy={busy} off={off} onClick={more}>{words.more}</Action>
              : null}
          </>
        )}
      </Reading>
      {removing === undefined ? null : (
        <RemoveDocument
          document={removing}
          onKeep={() => setRemoving(undefined)}
          onRemoved={() => {
            setRemoving(undefined)
            setRemoved(titleOf(removing))
            adding.quiet()
            refresh()
          }}
        />
      )}
    </>
  )
}
