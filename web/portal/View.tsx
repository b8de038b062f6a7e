import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import "../shared/theme/uswds.scss"
import "../shared/theme/theme.css"
import "../shared/theme/controls.css"
import "../shared/theme/frame.css"
// oxlint-disable-next-line import/default -- the build answers the script's text (web/vite.config.ts)
import pdfScript from "../shared/pdf/PdfWorker.ts?worker&inline"
import { saveBy } from "../shared/SaveFile.ts"
// oxlint-disable-next-line import/default -- the build answers the script's text (web/vite.config.ts)
import recordScript from "./record/RecordWorker.ts?worker&inline"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import pdfWorker from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url"
import { admitScripts } from "../shared/AdmittedScripts.ts"
import { bringWorker, prepareWorker } from "../shared/TrustedTypes.ts"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import recordWorker from "./record/RecordWorker.ts?worker&url"
import { awaitChannel } from "./view/Channel.ts"
import { ReleaseView } from "./view/ReleaseView.tsx"
import { followLanguage } from "./view/ViewLanguage.ts"

admitScripts([pdfWorker, recordWorker])
bringWorker(pdfWorker, pdfScript as unknown as string)
bringWorker(recordWorker, recordScript as unknown as string)

/** The sandboxed frame of the link's page. Both of its threads start while the mail with the code is awaited. */
prepareWorker(pdfWorker)
prepareWorker(recordWorker)

awaitChannel((channel) => {
  const root = createRoot(document.getElementById("root")!)
  saveBy((file, name) =>
    void new Response(file).arrayBuffer().then((bytes) =>
      channel.tell({ is: "save", name, bytes: new Uint8Array(bytes) })
    )
  )
  channel.hear((message) => {
    if (message.ask === "speak") followLanguage(message.language)
    if (message.ask === "show") {
      root.render(
        <StrictMode>
          <ReleaseView channel={channel} release={message.release} />
        </StrictMode>
      )
    }
  })
})
