import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import "../shared/theme/uswds.scss"
import "../shared/theme/theme.css"
import "../shared/theme/controls.css"
import "../shared/theme/frame.css"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import recordWorker from "../shared/record/RecordWorker.ts?worker&url"
import { admitScripts } from "../shared/TrustedTypes.ts"
import { App } from "./App.tsx"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import updateWorker from "./update/UpdateWorker.ts?worker&url"

admitScripts([recordWorker, updateWorker, "/sw.js"])

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>
)
