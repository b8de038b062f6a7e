import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
// This import removes Google's answer from the address before any other part of the page runs.
import { takeGoogleReturn } from "./google/GoogleReturn.ts"
import "../shared/theme/uswds.scss"
import "../shared/theme/theme.css"
import "../shared/theme/controls.css"
import "../shared/theme/frame.css"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import pdfWorker from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url"
import { admitScripts } from "../shared/AdmittedScripts.ts"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import recordWorker from "./record/RecordWorker.ts?worker&url"
import { openSession } from "./session/OpenSession.ts"
import { SignedIn } from "./SignedIn.tsx"

admitScripts([pdfWorker, recordWorker])

const keeper = openSession(takeGoogleReturn())

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <SignedIn keeper={keeper} />
  </StrictMode>
)
