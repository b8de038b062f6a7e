import { useCallback } from "react"
import type { Sharing } from "../../../src/domain/Sharing.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Offline } from "../../shared/ui/Offline.tsx"
import { Pdf } from "../../shared/ui/Pdf.tsx"
import { Reading } from "../../shared/ui/Reading.tsx"
import type { Client } from "../AppClient.ts"
import { me, useOwnRead } from "../session/Own.ts"
import { Named } from "./Named.tsx"
import { useSharingWords } from "./Words.ts"

type Shown = Sharing & { readonly what: { readonly documentId: NonNullable<Sharing["what"]["documentId"]> } }

export const hasRelease = (sharing: Sharing): sharing is Shown => sharing.what.documentId !== null

/** The signed release of a card, as the veteran's own copy. It is in memory only while it is shown. */
export const ShownRelease = ({ of: { what: { documentId }, who }, onBack }: {
  readonly of: Shown
  readonly onBack: () => void
}) => {
  const { release } = useSharingWords()
  const reading = useOwnRead(useCallback(
    ({ documents }: Client) => documents.content({ params: { ...me, documentId } }),
    [documentId]
  ))
  const { state } = reading
  return (
    <>
      <Heading>
        <Named of={release.title} name={who.name} />
      </Heading>
      <Offline />
      <p className="soft">{release.copy}</p>
      <div className="actions">
        {state.is === "done"
          ? <Button onClick={() => saveFile(new Uint8Array(state.value), release.file)}>{release.save}</Button>
          : null}
        <Button kind="outline" onClick={onBack}>{release.back}</Button>
      </div>
      <Reading of={reading} loading={release.loading}>{(bytes) => <Pdf bytes={bytes} />}</Reading>
    </>
  )
}
