import { type ReactNode, useLayoutEffect, useRef, useState } from "react"
import { useRecordWords } from "../RecordLanguage.ts"

/**
 * Text from outside in at most four lines, with a button that shows the rest. `onWhole` opens the place of the whole
 * text; without it the text unfolds here. Paper has all of it.
 */
export const Clamped = ({ children, className = "", onWhole }: {
  readonly children: ReactNode
  readonly className?: string
  readonly onWhole?: () => void
}) => {
  const words = useRecordWords()
  const box = useRef<HTMLSpanElement>(null)
  const [isCut, setCut] = useState(false)
  const [isWhole, setWhole] = useState(false)
  useLayoutEffect(() => {
    const element = box.current!
    const look = () =>
      setCut((wasCut) => element.classList.contains("clamp") ? element.scrollHeight > element.clientHeight + 1 : wasCut)
    const observer = new ResizeObserver(look)
    observer.observe(element)
    look()
    return () => observer.disconnect()
  }, [])
  return (
    <>
      <span ref={box} className={`${className} ${isWhole ? "unclamped" : "clamp"}`} dir="auto">
        {children}
      </span>
      {isCut
        ? (
          <button
            type="button"
            className="link small"
            {...(onWhole === undefined ? { "aria-expanded": isWhole } : {})}
            onClick={onWhole ?? (() => setWhole(!isWhole))}
          >
            {isWhole ? words.showLess : words.showWhole}
          </button>
        )
        : null}
    </>
  )
}
