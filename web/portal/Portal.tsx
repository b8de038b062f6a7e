import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
// This import removes Google's answer from the address before any other part of the page runs.
import { takeGoogleReturn } from "./google/GoogleReturn.ts"
import "../shared/theme/uswds.scss"
import "../shared/theme/theme.css"
import "../shared/theme/controls.css"
import "../shared/theme/frame.css"
import { openSession } from "./session/OpenSession.ts"
import { SignedIn } from "./SignedIn.tsx"

const keeper = openSession(takeGoogleReturn())

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <SignedIn keeper={keeper} />
  </StrictMode>
)
