import { useId, useState } from "react"
import type { PdfAttachment } from "../../shared/pdf/PdfFile.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { useLinkWords } from "./LinkLanguage.ts"
// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import address from "./TranslationWorker.ts?worker&url"

/** Offers the record as C-CDA, which this device makes: the service is not asked, and learns nothing. */
export const Translate = ({ files }: { readonly files: ReadonlyArray<PdfAttachment> }) => {
  const words = useLinkWords().read.ccda
  const [title, about] = [useId(), useId()]
  const [state, setState] = useState<"ready" | "busy" | "failed">("ready")
  const [record, signed] = ["record.fhir.json", "authorization.json"].map((wanted) =>
    files.find(({ name }) => name === wanted)
  )
  if (record === undefined || signed === undefined) return null
  const make = async () => {
    const [bundle, authorization, { translate }] = await Promise.all([
      record.read(),
      signed.read(),
      import("./Translation.ts")
    ])
    saveFile(await translate(address, { bundle, authorization }), "release-of-information.ccda.xml")
  }
  const start = () => {
    setState("busy")
    make().then(() => setState("ready"), () => setState("failed"))
  }
  return (
    <section className="stack" aria-labelledby={title}>
      <h2 id={title}>{words.title}</h2>
      <div className="actions">
        <Button kind="outline" busy={state === "busy"} aria-describedby={about} onClick={start}>
          {state === "busy" ? words.busy : words.save}
        </Button>
      </div>
      <p id={about}>{words.exact}</p>
      {state === "failed" ? <Notice kind="error" live>{words.failed}</Notice> : null}
    </section>
  )
}
