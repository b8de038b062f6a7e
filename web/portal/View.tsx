import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import "../shared/theme/uswds.scss"
import "../shared/theme/theme.css"
import "../shared/theme/controls.css"
import "../shared/theme/frame.css"
import { warm } from "../shared/pdf/PdfFile.ts"
import { prepareThread } from "../shared/record/OpenRecord.ts"
import { saveBy } from "../shared/SaveFile.ts"
import { awaitChannel } from "./view/Channel.ts"
import { ReleaseView } from "./view/ReleaseView.tsx"
import { follow } from "./view/ViewLanguage.ts"

/** The sandboxed frame of the link's page. Both of its threads start while the mail with the code is awaited. */
warm()
prepareThread()

awaitChannel((channel) => {
  const root = createRoot(document.getElementById("root")!)
  saveBy((bytes, name) => channel.tell({ is: "save", name, bytes }))
  channel.hear((message) => {
    if (message.ask === "speak") follow(message.language)
    if (message.ask === "show") {
      root.render(
        <StrictMode>
          <ReleaseView channel={channel} release={message.release} />
        </StrictMode>
      )
    }
  })
})
