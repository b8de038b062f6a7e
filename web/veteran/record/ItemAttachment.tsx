import { useId, useMemo, useState } from "react"
import type { InlineFile } from "../../../src/clinical/Row.ts"
import { bytesOf, ItemFile } from "../../shared/record/items/ItemFile.tsx"
import { useRecordWords } from "../../shared/record/RecordLanguage.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Untrusted } from "../../shared/ui/Untrusted.tsx"
import { useOwnWords } from "./Words.ts"

/** The most characters of a text that are shown. */
const longest = 200_000

const pages: Readonly<Record<string, "html" | "xml">> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "application/xml": "xml",
  "text/xml": "xml"
}

/** A file inside an item. A text is read in place, in the sandbox if it is a page; every file can be saved. */
export const ItemAttachment = ({ file }: { readonly file: InlineFile }) => {
  const { item: words } = useOwnWords()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const type = /^[^;\s]*/.exec(file.contentType?.toLowerCase() ?? "")![0]
  const isText = type === "text/plain" || Object.hasOwn(pages, type)
  return (
    <div className="stack tight">
      <div className="row">
        {isText
          ? (
            <Button kind="link" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
              {words.read} <bdi>{file.title}</bdi>
            </Button>
          )
          : null}
        <ItemFile file={file} />
      </div>
      <div id={id}>{isOpen ? <Text file={file} page={pages[type]} /> : null}</div>
    </div>
  )
}

const Text = ({ file, page }: { readonly file: InlineFile; readonly page: "html" | "xml" | undefined }) => {
  const { item: words } = useOwnWords()
  const { ofSource } = useRecordWords()
  const text = useMemo(() => new TextDecoder().decode(bytesOf(file)), [file])
  if (page !== undefined) return <Untrusted source={text} type={page} title={file.title} />
  return (
    <>
      <p className="written" dir="auto" lang={ofSource}>{text.slice(0, longest)}</p>
      {text.length > longest ? <p>{words.longText}</p> : null}
    </>
  )
}
