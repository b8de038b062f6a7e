// The import of Token.ts removes the token from the address before anything else runs.
import { StrictMode, useState, useSyncExternalStore } from "react"
import { createRoot } from "react-dom/client"
import { lastOpened, onOpened } from "./link/Token.ts"
import "../shared/theme/uswds.scss"
import "../shared/theme/theme.css"
import "../shared/theme/controls.css"
import "../shared/theme/frame.css"
import "./link/link.css"
import { Button } from "../shared/ui/Button.tsx"
import { Dialog } from "../shared/ui/Dialog.tsx"
import { Offline } from "../shared/ui/Offline.tsx"
import { Page } from "../shared/ui/Page.tsx"
import { Ended } from "./link/Ended.tsx"
import { Flow } from "./link/Flow.tsx"

/** Shows the link that was opened last in this tab. An unsaved document stays until the reader agrees to leave it. */
const Link = () => {
  const last = useSyncExternalStore(onOpened, lastOpened)
  const [shown, setShown] = useState(last)
  const [unsaved, setUnsaved] = useState(false)
  const isOther = last.time !== shown.time
  // If the same link was opened again, this updates only the time. `Flow` has the token as its key, so it stays.
  if (isOther && (!unsaved || last.token === shown.token)) setShown(last)
  return (
    <Page narrow>
      <Offline />
      {shown.token === undefined
        ? <Ended key={shown.time} end="no_link" />
        : <Flow key={shown.token} token={shown.token} onUnsaved={setUnsaved} />}
      {isOther && unsaved && last.token !== shown.token
        ? (
          <Dialog title="Open the other link?" onCancel={() => setShown({ ...last, token: shown.token })}>
            <p>The document on this page is not saved. It closes when you open another link.</p>
            <div className="actions">
              <Button onClick={() => setShown({ ...last, token: shown.token })}>Keep this document</Button>
              <Button
                kind="outline"
                onClick={() => {
                  setUnsaved(false)
                  setShown(last)
                }}
              >
                Open the other link
              </Button>
            </div>
          </Dialog>
        )
        : null}
    </Page>
  )
}

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Link />
  </StrictMode>
)
