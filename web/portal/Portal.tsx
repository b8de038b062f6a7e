import { lazy, StrictMode, Suspense } from "react"
import { createRoot } from "react-dom/client"
// These imports remove Google's answer, or a link's token, from the address before any other part of the page runs.
import { takeGoogleReturn } from "./google/GoogleReturn.ts"
import { isPasswordPage } from "./password/PasswordToken.ts"
import "../shared/theme/uswds.scss"
import "../shared/theme/theme.css"
import "../shared/theme/controls.css"
import "../shared/theme/frame.css"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import pdfWorker from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url"
import { admitScripts } from "../shared/AdmittedScripts.ts"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import { Guard } from "../shared/ui/Guard.tsx"
import { Loading } from "../shared/ui/Loading.tsx"
import { Page } from "../shared/ui/Page.tsx"
import recordWorker from "./record/RecordWorker.ts?worker&url"
import { openSession } from "./session/OpenSession.ts"
import { SignedIn } from "./SignedIn.tsx"

admitScripts([pdfWorker, recordWorker])

const Password = lazy(() => import("./screens/Password.tsx").then(({ Password }) => ({ default: Password })))

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    {isPasswordPage
      ? (
        <Page narrow>
          <Guard>
            <Suspense fallback={<Loading />}>
              <Password />
            </Suspense>
          </Guard>
        </Page>
      )
      : <SignedIn keeper={openSession(takeGoogleReturn())} />}
  </StrictMode>
)
