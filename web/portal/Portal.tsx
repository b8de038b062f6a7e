// First: it cleans the address before any other part runs.
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { takeGoogleReturn } from "./google/GoogleReturn.ts"
import "../shared/theme/uswds.scss"
import "../shared/theme/theme.css"
import "../shared/theme/controls.css"
import "../shared/theme/frame.css"
import { startSession } from "./SessionKeeper.ts"
import { SignedIn } from "./SignedIn.tsx"

startSession(takeGoogleReturn())

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <SignedIn />
  </StrictMode>
)
