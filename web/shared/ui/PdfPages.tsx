import { type RefObject, useCallback, useEffect, useRef, useState } from "react"
import { useAnswer } from "../Answer.ts"
import { type PageSize, sizeOf } from "../pdf/PagePicture.ts"
import { openPdf, type PdfFile } from "../pdf/PdfFile.ts"
import { usePdfWords } from "../pdf/PdfWords.ts"
import { Button } from "./Button.tsx"
import { Loading } from "./Loading.tsx"
import { NotShown } from "./NotShown.tsx"
import { PdfContents } from "./PdfContents.tsx"
import { PdfPage } from "./PdfPage.tsx"
import { PdfSearch } from "./PdfSearch.tsx"
import "./pdf.css"

/** The most pages that are shown. */
const maxPages = 2_000

/** Width of a page at 100 %, in pixels. Longer lines would be hard to read. */
const widest = 900

const zooms = [50, 75, 100, 125, 150, 200, 300]

/** An open file, with the size of its first page. */
export interface OpenedPdf {
  readonly file: PdfFile
  readonly size: PageSize
}

export interface PdfProperties {
  /** The caller must not change them. */
  readonly bytes: Uint8Array
}

/** Opens the file in a separate thread, which ends when the component is removed. */
export const useOpenPdf = (bytes: Uint8Array): OpenedPdf | "failed" | undefined => {
  const [open, setOpen] = useState<OpenedPdf | "failed">()
  useEffect(() => {
    const leaving = new AbortController()
    const start = async () => {
      const file = await openPdf(bytes, leaving.signal)
      const size = sizeOf(await file.page(1))
      if (!leaving.signal.aborted) setOpen({ file, size })
    }
    start().catch(() => leaving.signal.aborted ? undefined : setOpen("failed"))
    return () => {
      leaving.abort()
      setOpen(undefined)
    }
  }, [bytes])
  return open
}

export const PdfPages = ({ bytes }: PdfProperties) => {
  const open = useOpenPdf(bytes)
  if (open === "failed") return <NotShown />
  return open === undefined ? <Opening /> : <OpenPages {...open} />
}

const Opening = () => <Loading>{usePdfWords().opening}</Loading>

/** The pages of an open file, with its contents and a search. */
export const OpenPages = ({ file, size }: OpenedPdf) => {
  const pdf = usePdfWords()
  const [zoom, setZoom] = useState(100)
  const [asText, setAsText] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const room = useWidth(place)
  const bookmarks = useAnswer(file.bookmarks) ?? []
  const at = zooms.indexOf(zoom)
  const shown = Math.min(file.pages, maxPages)
  const show = useCallback((page: number) => {
    const section = place.current?.querySelector<HTMLElement>(`[data-page="${page}"]`)
    section?.scrollIntoView()
    return section
  }, [])
  // Reading goes on at the page, also for a screen reader.
  const goTo = (page: number) => show(page)?.focus({ preventScroll: true })
  return (
    <div className={`pdf ${asText ? "as-text" : ""} ${bookmarks.length > 0 ? "has-contents" : ""}`}>
      <div className="pdf-tools row">
        <p role="status">{pdf.count(file.pages)}</p>
        {shown < 2 ? null : <PageChoice pages={shown} onGo={show} />}
        <div className="actions" role="group" aria-label={pdf.size}>
          <Button kind="outline" aria-label={pdf.smaller} busy={at === 0} onClick={() => setZoom(zooms[at - 1]!)}>
            −
          </Button>
          <span role="status">{zoom} %</span>
          <Button
            kind="outline"
            aria-label={pdf.larger}
            busy={at === zooms.length - 1}
            onClick={() => setZoom(zooms[at + 1]!)}
          >
            +
          </Button>
        </div>
        <Button kind="outline" aria-pressed={asText} onClick={() => setAsText(!asText)}>{pdf.asText}</Button>
        <PdfSearch file={file} onGo={show} />
      </div>
      {bookmarks.length === 0 ? null : <PdfContents of={bookmarks} onGo={goTo} />}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard (WCAG 2.1.1) */}
      <div ref={place} className="pdf-pages" role="region" aria-label={pdf.pages} tabIndex={0}>
        {room === 0
          ? null
          : Array.from(
            { length: shown },
            (_, index) => (
              <PdfPage
                key={index}
                file={file}
                number={index + 1}
                size={size}
                width={Math.round(Math.min(room, widest) * zoom / 100)}
              />
            )
          )}
      </div>
      {file.pages > maxPages ? <p>{pdf.more}</p> : null}
    </div>
  )
}

/**
 * A list of the page numbers, which shows the chosen page. The focus stays, because arrow keys choose one page after
 * another (WCAG 3.2.2).
 */
const PageChoice = ({ onGo, pages }: { readonly pages: number; readonly onGo: (page: number) => void }) => {
  const pdf = usePdfWords()
  const [chosen, setChosen] = useState("")
  return (
    <select
      className="usa-select"
      aria-label={pdf.goTo}
      value={chosen}
      onBlur={() => setChosen("")}
      onChange={({ target: { value } }) => {
        setChosen(value)
        onGo(Number(value))
      }}
    >
      <option value="">{pdf.goTo}</option>
      {Array.from({ length: pages }, (_, index) => <option key={index} value={index + 1}>{index + 1}</option>)}
    </select>
  )
}

/** The width of an element in pixels, 0 until it is measured. */
const useWidth = (place: RefObject<HTMLElement | null>) => {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    // A hidden element has no width. Its pages stay as they are.
    const observer = new ResizeObserver((entries) =>
      setWidth((before) => Math.floor(entries.at(-1)!.contentRect.width) || before)
    )
    observer.observe(place.current!)
    return () => observer.disconnect()
  }, [place])
  return width
}
