// The import of Token.ts removes the token from the address before anything else runs.
import { StrictMode, useState, useSyncExternalStore } from "react"
import { createRoot } from "react-dom/client"
import { admitScripts } from "../shared/AdmittedScripts.ts"
import { preferred } from "../shared/language/Choice.ts"
import { chooseLinkLanguage, useLinkWords } from "./link/LinkLanguage.ts"
import { lastOpened, linkIsRead, onOpened } from "./link/Token.ts"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import translationWorker from "./link/TranslationWorker.ts?worker&url"
import "../shared/theme/uswds.scss"
import "../shared/theme/theme.css"
import "../shared/theme/controls.css"
import "../shared/theme/frame.css"
import "./link/link.css"
import { LanguageSwitch } from "../shared/ui/LanguageSwitch.tsx"
import { Offline } from "../shared/ui/Offline.tsx"
import { Page } from "../shared/ui/Page.tsx"
import { Question } from "../shared/ui/Question.tsx"
import { endWords } from "./link/End.ts"
import { Ended } from "./link/Ended.tsx"
import { Flow } from "./link/Flow.tsx"

/** Shows the link that was opened last in this tab. An unsaved document stays until the reader agrees to leave it. */
const Link = () => {
  const last = useSyncExternalStore(onOpened, lastOpened)
  const [shown, setShown] = useState(last)
  const [unsaved, setUnsaved] = useState(false)
  const { otherLink } = useLinkWords()
  const isOther = last.time !== shown.time
  // If the same link was opened again, this updates only the time. `Flow` has the token as its key, so it stays.
  if (isOther && (!unsaved || last.token === shown.token)) setShown(last)
  return (
    <Page narrow navigation={<LanguageSwitch onChoice={chooseLinkLanguage} />}>
      <Offline />
      {shown.token === undefined
        ? <Ended key={shown.time} words={endWords("no_link")} />
        : <Flow key={shown.token} isForApps={shown.isForApps} token={shown.token} onUnsaved={setUnsaved} />}
      {isOther && unsaved && last.token !== shown.token
        ? (
          <Question
            title={otherLink.title}
            keep={[otherLink.keep, () => setShown({ ...shown, time: last.time })]}
            go={[otherLink.open, () => {
              setUnsaved(false)
              setShown(last)
            }]}
          >
            <p>{otherLink.text}</p>
          </Question>
        )
        : null}
    </Page>
  )
}

admitScripts([translationWorker])

void linkIsRead.then(() =>
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <Link />
    </StrictMode>
  )
)

// The page does not wait for the words of a language, which may not come.
void chooseLinkLanguage(preferred(navigator.languages))
