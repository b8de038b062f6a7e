import { useEffect, useState } from "react"
import { sizeWords } from "../../shared/document/FileSize.ts"
import { listen, useAskBeforeLeaving } from "../../shared/Listen.ts"
import type { PdfAttachment } from "../../shared/pdf/PdfFile.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import type { ReceivedRelease } from "./Download.ts"
import type { End } from "./End.ts"
import { Inside } from "./Inside.tsx"
import { useLinkWords } from "./LinkLanguage.ts"
import { Translate } from "./Translate.tsx"
import { useWatch } from "./Watch.ts"

/**
 * Offers the document for saving, above the frame that shows it. It is only in memory, so the browser asks before
 * leaving the page unless the document was saved.
 */
export const Read = ({ files, onEnd, onSaved, received: { release, viewSession } }: {
  readonly files: ReadonlyArray<PdfAttachment>
  readonly onEnd: (end: End) => void
  readonly onSaved: () => void
  readonly received: ReceivedRelease
}) => {
  const words = useLinkWords().read
  const [saved, setSaved] = useState(false)
  useAskBeforeLeaving(!saved)
  // Closes the document when the page is left. Otherwise the browser could keep the page, and show it to the next
  // person who goes back.
  useEffect(() => listen({ pagehide: () => onEnd("closed") }), [onEnd])
  useWatch(viewSession, onEnd)
  const save = () => {
    // The veteran's name is in the document, but must not be in a list of downloads.
    saveFile(release, "release-of-information.pdf")
    setSaved(true)
    onSaved()
  }
  return (
    <section className="card stack">
      <Heading>{words.title}</Heading>
      <p>{words.now}</p>
      <div className="actions">
        <Button onClick={save}>{words.save(sizeWords(release.length))}</Button>
        <span className="soft">{words.seen}</span>
      </div>
      <p role="status">{saved ? words.saved : ""}</p>
      {files.length > 0 ? <Inside files={files} /> : null}
      <Translate files={files} />
      <p className="soft">{words.print}</p>
    </section>
  )
}
