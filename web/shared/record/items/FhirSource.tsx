import { useCallback, useState } from "react"
import { useAnswer } from "../../Answer.ts"
import { isSandboxed } from "../../TrustedTypes.ts"
import type { OpenRecord } from "../OpenRecord.ts"
import { useReaderWords } from "../ReaderWords.ts"
import { useRecordWords } from "../RecordLanguage.ts"
import { indentedJson } from "./IndentedJson.ts"

/** The most characters of a source that are shown. The copy button copies the whole source. */
const shown = 200_000

/** The resource exactly as it was received. */
export const FhirSource = ({ of, record }: { readonly record: OpenRecord; readonly of: number }) => {
  const source = useAnswer(useCallback(() => record.source(of), [record, of]))
  const [copied, setCopied] = useState("")
  const { sourceName } = useReaderWords()
  const words = useRecordWords().item
  if (source === undefined) return null
  const copy = () =>
    navigator.clipboard.writeText(source).then(
      () => setCopied(words.copied),
      () => setCopied(words.notCopied)
    )
  return (
    <div className="stack tight">
      <pre
        className="source"
        lang="en"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards must be able to scroll it (WCAG 2.1.1)
        tabIndex={0}
        role="group"
        aria-label={sourceName}
      >{indentedJson(source.slice(0, shown))}</pre>
      {source.length > shown
        ? <p className="soft small">{words.beginning(isSandboxed)}</p>
        : null}
      {/* The clipboard is not open to a sandboxed frame. */}
      {isSandboxed ? null : (
        <div className="row">
          <button type="button" className="link" onClick={copy}>{words.copy}</button>
          <span role="status">{copied}</span>
        </div>
      )}
    </div>
  )
}
