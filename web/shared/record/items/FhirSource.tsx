import { useEffect, useState } from "react"
import { isSandboxed } from "../../TrustedTypes.ts"
import type { OpenRecord } from "../OpenRecord.ts"
import { useReaderWords } from "../ReaderWords.ts"
import { indentedJson } from "./IndentedJson.ts"

/** The most characters of a source that are shown. The copy button copies the whole source. */
const shown = 200_000

/** The resource exactly as it was received. */
export const FhirSource = ({ of, record }: { readonly record: OpenRecord; readonly of: number }) => {
  const [source, setSource] = useState<string>()
  const [copied, setCopied] = useState("")
  const { sourceName } = useReaderWords()
  useEffect(() => {
    let awaited = true
    void record.source(of).then((source) => awaited ? setSource(source) : undefined)
    return () => {
      awaited = false
    }
  }, [record, of])
  if (source === undefined) return null
  const copy = () =>
    navigator.clipboard.writeText(source).then(
      () => setCopied("Copied."),
      () => setCopied("This browser does not let us copy. Select the text and copy it.")
    )
  return (
    <div className="stack tight">
      <pre
        className="source"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards must be able to scroll it (WCAG 2.1.1)
        tabIndex={0}
        role="group"
        aria-label={sourceName}
      >{indentedJson(source.slice(0, shown))}</pre>
      {source.length > shown
        ? (
          <p className="soft small">
            This is only the beginning. {isSandboxed ? "Save the record" : "Copy the source"} to get all of it.
          </p>
        )
        : null}
      {/* The clipboard is not open to a sandboxed frame. */}
      {isSandboxed ? null : (
        <div className="row">
          <button type="button" className="link" onClick={copy}>Copy the source</button>
          <span role="status">{copied}</span>
        </div>
      )}
    </div>
  )
}
