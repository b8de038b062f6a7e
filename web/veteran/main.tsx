import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
// These two imports clean the address before any other part of the page runs.
import { takeVaReturn } from "./connect/VaReturn.ts"
// oxlint-disable-next-line import/no-unassigned-import -- it takes a desk's code out of the address
import "./connect/Invite.ts"
import "../shared/theme/uswds.scss"
import "../shared/theme/theme.css"
import "../shared/theme/controls.css"
import "../shared/theme/frame.css"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import pdfWorker from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url"
import { admitScripts } from "../shared/AdmittedScripts.ts"
import { preferred } from "../shared/language/Choice.ts"
import { App } from "./App.tsx"
import { chooseLanguage } from "./language/AppLanguage.ts"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import recordWorker from "./record/RecordWorker.ts?worker&url"
import { openSession } from "./session/OpenSession.ts"
import { openShell } from "./shell/Shell.ts"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import updateWorker from "./update/UpdateWorker.ts?worker&url"

admitScripts([recordWorker, updateWorker, pdfWorker, "/sw.js"])

const returned = takeVaReturn()

const keeper = openSession(returned)

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App keeper={keeper} />
  </StrictMode>
)

// The choice of a language goes along to the VA and back. The app does not wait for the words, which may not come.
const chosen = returned === undefined || returned.is === "foreign" ? undefined : returned.journey.language

void chooseLanguage(chosen ?? preferred(navigator.languages))

// Without a service worker the app works as well, but not without a connection.
openShell().catch(() => {})
