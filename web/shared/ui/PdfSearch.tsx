import { useEffect, useId, useState } from "react"
import type { PdfFile } from "../pdf/PdfFile.ts"
import { usePdfWords } from "../pdf/PdfWords.ts"
import { fewestLetters, type Found, search } from "../pdf/TextSearch.ts"
import { Button } from "./Button.tsx"

/** Milliseconds without a key before the search begins. */
const pause = 300

/** Searches the document's text. Enter goes to the next match, Shift and Enter to the one before. */
export const PdfSearch = ({ file, onGo }: { readonly file: PdfFile; readonly onGo: (page: number) => void }) => {
  const pdf = usePdfWords()
  const [query, setQuery] = useState("")
  const [found, setFound] = useState<Found>()
  const [at, setAt] = useState(0)
  const id = useId()
  useEffect(() => {
    setFound(undefined)
    setAt(0)
    if (query.trim().length < fewestLetters) return
    const leaving = new AbortController()
    let hasGone = false
    const tell = (found: Found) => {
      setFound(found)
      if (hasGone || found.matches[0] === undefined) return
      hasGone = true
      onGo(found.matches[0].page)
    }
    const timer = setTimeout(() => void search(file, query, tell, leaving.signal), pause)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [file, onGo, query])
  const matches = found?.matches ?? []
  const match = matches[at]
  const go = (step: number) => {
    if (matches.length === 0) return
    const next = (at + step + matches.length) % matches.length
    setAt(next)
    onGo(matches[next]!.page)
  }
  const isOver = found?.read === file.pages
  const unsearched = isOver && found.unsearched > 0 ? found.unsearched : undefined
  return (
    <div className="pdf-search" role="search">
      <label htmlFor={id}>{pdf.search}</label>
      <div className="row">
        <input
          id={id}
          className="usa-input"
          type="search"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={({ key, shiftKey }) => key === "Enter" ? go(shiftKey ? -1 : 1) : undefined}
        />
        <Button kind="outline" aria-label={pdf.previous} busy={matches.length === 0} onClick={() => go(-1)}>↑</Button>
        <Button kind="outline" aria-label={pdf.next} busy={matches.length === 0} onClick={() => go(1)}>↓</Button>
      </div>
      <div role="status" className="small">
        {found === undefined
          ? null
          : match === undefined
          ? unsearched !== undefined ? pdf.noneInText : isOver ? pdf.none : pdf.searching(found.read, file.pages)
          : (
            <>
              {pdf.found(at + 1, `${matches.length}${isOver ? "" : "+"}`, match.page)}{" "}
              <span className="soft" dir="auto">… {match.around} …</span>
            </>
          )} {unsearched === undefined ? null : pdf.unsearched(unsearched, file.pages)}
      </div>
    </div>
  )
}
