import { useCallback, useEffect, useState } from "react"
import type { PdfAttachment, PdfFile } from "../../shared/pdf/PdfFile.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import { Pdf } from "../../shared/ui/Pdf.tsx"
import { sizeWords } from "../document/FileWords.ts"
import type { End } from "./End.ts"
import type { ReceivedRelease } from "./EnterCode.tsx"
import { Inside } from "./Inside.tsx"
import { useWatch } from "./Watch.ts"

/**
 * Shows the document and offers to save it. The document is only in memory, so the browser asks before the recipient
 * leaves the page with an unsaved document.
 */
export const Read = ({ onEnd, onSaved, received: { release, viewSession } }: {
  readonly onEnd: (end: End) => void
  readonly onSaved: () => void
  readonly received: ReceivedRelease
}) => {
  const [saved, setSaved] = useState(false)
  const [inside, setInside] = useState<ReadonlyArray<PdfAttachment>>([])
  const list = useCallback((file: PdfFile) => void file.attachments().then(setInside, () => {}), [])
  useEffect(() => {
    if (saved) return
    const ask = (event: Event) => event.preventDefault()
    addEventListener("beforeunload", ask)
    return () => removeEventListener("beforeunload", ask)
  }, [saved])
  useEffect(() => {
    // Closes the document when the page is left. Otherwise the browser could keep the page, and show it to the next
    // person who goes back.
    const leave = () => onEnd("closed")
    addEventListener("pagehide", leave)
    return () => removeEventListener("pagehide", leave)
  }, [onEnd])
  useWatch(viewSession, onEnd)
  const save = () => {
    // The veteran's name is in the document, but must not be in a list of downloads.
    saveFile(release, "release-of-information.pdf")
    setSaved(true)
    onSaved()
  }
  return (
    <>
      <section className="card stack">
        <Heading>Your document is open</Heading>
        <p>Save it now. For the veteran's privacy, this page can't open it again without a new code.</p>
        <div className="actions">
          <Button onClick={save}>Save the PDF ({sizeWords(release.length)})</Button>
          <span className="soft">The veteran can see that you opened it.</span>
        </div>
        <p role="status">{saved ? "Saved. Look in your downloads." : ""}</p>
        {inside.length > 0 ? <Inside files={inside} /> : null}
      </section>
      <section className="card stack" aria-labelledby="pages">
        <h2 id="pages">The document</h2>
        <Pdf bytes={release} onOpen={list} />
      </section>
    </>
  )
}
