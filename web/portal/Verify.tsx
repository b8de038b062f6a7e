import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import "../shared/theme/uswds.scss"
import "../shared/theme/theme.css"
import "../shared/theme/controls.css"
import "../shared/theme/frame.css"
import { Page } from "../shared/ui/Page.tsx"
import { VerifyFile } from "./verify/VerifyFile.tsx"

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Page narrow>
      <VerifyFile />
    </Page>
  </StrictMode>
)
