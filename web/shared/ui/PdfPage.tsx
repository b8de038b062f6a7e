import { useCallback, useEffect, useRef, useState } from "react"
import { useAnswer } from "../Answer.ts"
import { draw, type PageSize } from "../pdf/PagePicture.ts"
import type { PdfFile } from "../pdf/PdfFile.ts"
import { usePdfWords } from "../pdf/PdfWords.ts"
import { PdfText } from "./PdfText.tsx"

/** A page is drawn when it is this close to the screen, and its picture is dropped when it is farther away. */
const near = "600px 0px"

/**
 * A page: its picture while it is near the screen, and always its text. `width` is the width of the picture in pixels.
 */
export const PdfPage = ({ file, number, size, width }: {
  readonly file: PdfFile
  readonly number: number
  /** The size of the first page, until this page's size is known. */
  readonly size: PageSize
  readonly width: number
}) => {
  const section = useRef<HTMLElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  const [own, setOwn] = useState(size)
  const text = useAnswer(useCallback(() => file.text(number), [file, number]))
  const [failed, setFailed] = useState(false)
  const pdf = usePdfWords()

  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)!.isIntersecting), {
      // Without a root, the margin does not count in a frame of another origin.
      root: document,
      rootMargin: near
    })
    observer.observe(section.current!)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    if (!isNear) return
    return draw(file, number, width, sheet.current!, setOwn, () => setFailed(true))
  }, [file, isNear, number, width])

  return (
    <section
      ref={section}
      className="pdf-page"
      data-page={number}
      tabIndex={-1}
      aria-label={pdf.page(number, file.pages)}
    >
      <div
        ref={sheet}
        className="sheet"
        aria-hidden="true"
        style={{ width, aspectRatio: `${own.width} / ${own.height}` }}
      >
        {failed ? <p>{pdf.pageFailed}</p> : null}
      </div>
      <div className="words">{text === undefined ? null : <PdfText text={text} />}</div>
      <p className="soft small" aria-hidden="true">{pdf.page(number, file.pages)}</p>
    </section>
  )
}
