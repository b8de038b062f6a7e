import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import "../shared/theme/uswds.scss"
import "../shared/theme/theme.css"
import "../shared/theme/controls.css"
import { Page } from "../shared/ui/Page.tsx"

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Page narrow>Link</Page>
  </StrictMode>
)
import { Effect } from "effect"
import { connectRecipient } from "./link/Recipient.ts"
import { problemOf } from "../shared/Problem.ts"
void Effect.runPromise(Effect.flatMap(connectRecipient, (c) => c.open({ payload: { token: "x" } })).pipe(Effect.catch(problemOf))).then((x) => document.title = JSON.stringify(x))
