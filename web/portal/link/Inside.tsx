import { useState } from "react"
import type { PdfAttachment } from "../../shared/pdf/PdfFile.ts"
import { saveFile } from "../../shared/SaveFile.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Notice } from "../../shared/ui/Notice.tsx"

/** The files that each release has (contract, part 6). Any other attachment is a document under its own name. */
const own: Readonly<Record<string, { readonly words: string; readonly saveAs: string }>> = {
  "record.fhir.json": { words: "the record (FHIR)", saveAs: "release-of-information.fhir.json" },
  "authorization.json": { words: "the authorization (JSON)", saveAs: "release-of-information.authorization.json" }
}

/** Offers to save each file attached to the PDF. The record is first, because the recipient's programs can read it. */
export const Inside = ({ files }: { readonly files: ReadonlyArray<PdfAttachment> }) => {
  const [unread, setUnread] = useState<string>()
  const save = ({ name, read }: PdfAttachment, saveAs: string) => {
    setUnread(undefined)
    read().then((bytes) => saveFile(bytes, saveAs), () => setUnread(name))
  }
  const inOrder = [...files].sort((one, other) => rank(one) - rank(other))
  return (
    <section className="stack" aria-labelledby="inside">
      <h2 id="inside">Also inside the PDF</h2>
      <ul className="inside">
        {inOrder.map((file, index) => {
          const { saveAs, words } = Object.hasOwn(own, file.name)
            ? own[file.name]!
            : { words: <bdi>{file.name}</bdi>, saveAs: file.name }
          return (
            <li key={index}>
              <Button kind={rank(file) === 0 ? "outline" : "link"} onClick={() => save(file, saveAs)}>
                Save {words}
              </Button>
            </li>
          )
        })}
      </ul>
      {unread === undefined ? null : (
        <Notice kind="error" live>
          We can't take <bdi>{unread}</bdi> out of the PDF. It is in the PDF that you save.
        </Notice>
      )}
    </section>
  )
}

const rank = ({ name }: PdfAttachment) => name === "record.fhir.json" ? 0 : name === "authorization.json" ? 2 : 1
