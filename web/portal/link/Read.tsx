import { useEffect, useState } from "react"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Heading } from "../../shared/ui/Heading.tsx"
import type { End } from "./End.ts"
import type { Received } from "./EnterCode.tsx"
import { useWatch } from "./Watch.ts"

/**
 * Offers the document for saving, and shows it. It is in memory alone: leaving the page forgets it, so the browser asks first unless
 * it was saved.
 */
export const Read = ({ onEnd, onSaved, received: { release, viewSession } }: {
  readonly onEnd: (end: End) => void
  readonly onSaved: () => void
  readonly received: Received
}) => {
  const [saved, setSaved] = useState(false)
  useEffect(() => {
    if (saved) return
    const ask = (event: Event) => event.preventDefault()
    addEventListener("beforeunload", ask)
    return () => removeEventListener("beforeunload", ask)
  }, [saved])
  useEffect(() => {
    // A browser may keep a page that was left, for the next one who goes back.
    const leave = () => onEnd("closed")
    addEventListener("pagehide", leave)
    return () => removeEventListener("pagehide", leave)
  }, [onEnd])
  useWatch(viewSession, onEnd)
  const save = () => {
    saveFile(release, "release-of-information.pdf")
    setSaved(true)
    onSaved()
  }
  return (
    <section className="card stack">
      <Heading>Your document is open</Heading>
      <p>Save it now. For the veteran's privacy, this page can't open it again without a new code.</p>
      <div className="actions">
        <Button onClick={save}>Save the PDF ({sizeWords(release.length)})</Button>
        <span className="soft">The veteran can see that you opened it.</span>
      </div>
      <p role="status">{saved ? "Saved. Look in your downloads." : ""}</p>
    </section>
  )
}

const sizeWords = (bytes: number) => bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
