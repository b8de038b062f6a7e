import { type ReactNode, useMemo } from "react"
import type { Document } from "../../../src/domain/Document.ts"
import { NotShown } from "../ui/NotShown.tsx"
import { Pdf } from "../ui/Pdf.tsx"
import { Untrusted } from "../ui/Untrusted.tsx"
import { useFileWords } from "./FileLanguage.ts"
import { Picture } from "./Picture.tsx"

/** The most characters of a text that are shown. */
const maxTextLength = 500_000

/** Shows a document if the page can do so without running any of its content. */
export const Preview = ({ bytes, document: { contentType, title } }: {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly document: Pick<Document, "contentType" | "title">
}): ReactNode => {
  switch (contentType) {
    case "application/pdf":
      return <Pdf bytes={bytes} />
    case "image/png":
    case "image/jpeg":
      return <Picture bytes={bytes} contentType={contentType} title={title} />
    case "text/plain":
      return <Text bytes={bytes} />
    case "text/html":
      return <Page bytes={bytes} type="html" title={title} />
    case "application/xml":
      return <Page bytes={bytes} type="xml" title={title} />
    default:
      return <NotShown />
  }
}

/** Stored texts are UTF-8. */
const useText = (bytes: Uint8Array) => useMemo(() => new TextDecoder().decode(bytes), [bytes])

const Text = ({ bytes }: { readonly bytes: Uint8Array }) => {
  const text = useText(bytes)
  const words = useFileWords()
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards must be able to scroll it (WCAG 2.1.1) */}
      <pre className="text" dir="auto" tabIndex={0} role="region" aria-label={words.kinds["text/plain"]}>
        {text.slice(0, maxTextLength)}
      </pre>
      {text.length > maxTextLength ? <p>{words.longText}</p> : null}
    </>
  )
}

const Page = ({ bytes, title, type }: {
  readonly bytes: Uint8Array
  readonly title: string
  readonly type: "html" | "xml"
}) => <Untrusted source={useText(bytes)} type={type} title={title} />
