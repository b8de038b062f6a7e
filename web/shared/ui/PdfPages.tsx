import { type RefObject, useEffect, useRef, useState } from "react"
import { type PageSize, sizeOf } from "../pdf/PagePicture.ts"
import { openPdf, type PdfFile } from "../pdf/PdfFile.ts"
import { Button } from "./Button.tsx"
import { Loading } from "./Loading.tsx"
import { NotShown } from "./NotShown.tsx"
import { PdfPage } from "./PdfPage.tsx"
import "./pdf.css"

export { warm } from "../pdf/PdfFile.ts"

/** The most pages that are shown. */
const maxPages = 2_000

/** Width of a page at 100 %, in pixels. Longer lines would be hard to read. */
const widest = 900

const zooms = [50, 75, 100, 125, 150, 200, 300]

interface OpenedPdf {
  readonly file: PdfFile
  readonly size: PageSize
}

export interface PdfProperties {
  /** The caller must not change them. */
  readonly bytes: Uint8Array
  /** Called with the open file, whose attachments the caller may read. It must be the same function in each render. */
  readonly onOpen?: ((file: PdfFile) => void) | undefined
}

/** Opens the file in a separate thread, which ends when this component is removed. */
export const PdfPages = ({ bytes, onOpen }: PdfProperties) => {
  const [open, setOpen] = useState<OpenedPdf | "failed">()
  useEffect(() => {
    const leaving = new AbortController()
    const start = async () => {
      const file = await openPdf(bytes, leaving.signal)
      const size = sizeOf(await file.page(1))
      if (leaving.signal.aborted) return
      setOpen({ file, size })
      onOpen?.(file)
    }
    start().catch(() => leaving.signal.aborted ? undefined : setOpen("failed"))
    return () => {
      leaving.abort()
      setOpen(undefined)
    }
  }, [bytes, onOpen])
  if (open === "failed") return <NotShown />
  return open === undefined ? <Loading>Opening the pages</Loading> : <Pages {...open} />
}

const Pages = ({ file, size }: OpenedPdf) => {
  const [zoom, setZoom] = useState(100)
  const [asText, setAsText] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const room = useWidth(place)
  const at = zooms.indexOf(zoom)
  const count = file.pages === 1 ? "1 page" : `${file.pages} pages`
  return (
    <div className={`pdf ${asText ? "as-text" : ""}`}>
      <div className="pdf-tools row">
        <p role="status">{count}</p>
        <div className="actions" role="group" aria-label="Size of the pages">
          <Button kind="outline" aria-label="Smaller" busy={at === 0} onClick={() => setZoom(zooms[at - 1]!)}>−</Button>
          <span role="status">{zoom} %</span>
          <Button
            kind="outline"
            aria-label="Larger"
            busy={at === zooms.length - 1}
            onClick={() => setZoom(zooms[at + 1]!)}
          >
            +
          </Button>
        </div>
        <Button kind="outline" aria-pressed={asText} onClick={() => setAsText(!asText)}>Show as text</Button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards must be able to scroll it (WCAG 2.1.1) */}
      <div ref={place} className="pdf-pages" role="region" aria-label="Pages" tabIndex={0}>
        {room === 0
          ? null
          : Array.from(
            { length: Math.min(file.pages, maxPages) },
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
      {file.pages > maxPages ? <p>There are more pages. Download the file to see them.</p> : null}
    </div>
  )
}

/** The width of an element in pixels, 0 until it is measured. */
const useWidth = (place: RefObject<HTMLElement | null>) => {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver((entries) => setWidth(Math.floor(entries.at(-1)!.contentRect.width)))
    observer.observe(place.current!)
    return () => observer.disconnect()
  }, [place])
  return width
}
