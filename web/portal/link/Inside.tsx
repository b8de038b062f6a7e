import { useState } from "react"
import type { PdfAttachment } from "../../shared/pdf/PdfFile.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"
import { useLinkWords } from "./LinkLanguage.ts"

/** The files that each release has (contract, part 6). Any other attachment is a document under its own name. */
const own: Readonly<Record<string, { readonly words: "record" | "authorization"; readonly saveAs: string }>> = {
  "record.fhir.json": { words: "record", saveAs: "release-of-information.fhir.json" },
  "authorization.json": { words: "authorization", saveAs: "release-of-information.authorization.json" }
}

/** Offers to save each file attached to the PDF. The record is first, because the recipient's programs can read it. */
export const Inside = ({ files }: { readonly files: ReadonlyArray<PdfAttachment> }) => {
  const words = useLinkWords().read
  const [unread, setUnread] = useState<string>()
  const save = ({ name, read }: PdfAttachment, saveAs: string) => {
    setUnread(undefined)
    read().then((bytes) => saveFile(bytes, saveAs), () => setUnread(name))
  }
  const inOrder = [...files].sort((one, other) => rank(one) - rank(other))
  return (
    <section className="stack" aria-labelledby="inside">
      <h2 id="inside">{words.inside}</h2>
      <ul className="inside">
        {inOrder.map((file, index) => {
          const known = Object.hasOwn(own, file.name) ? own[file.name] : undefined
          return (
            <li key={index}>
              <Button
                kind={rank(file) === 0 ? "outline" : "link"}
                onClick={() => save(file, known?.saveAs ?? file.name)}
              >
                {words.saveFile} {known === undefined ? <bdi>{file.name}</bdi> : words[known.words]}
              </Button>
            </li>
          )
        })}
      </ul>
      {unread === undefined ? null : <Notice kind="error" live>{words.unread(unread)}</Notice>}
    </section>
  )
}

const rank = ({ name }: PdfAttachment) => name === "record.fhir.json" ? 0 : name === "authorization.json" ? 2 : 1
