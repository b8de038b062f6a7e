import { type PointerEvent, useEffect, useId, useRef } from "react"
import { Button } from "../../shared/ui/Button.tsx"
import { type Drawing, drawLines, hasRoom, noDrawing, paper, pictureOf, type Point } from "./Ink.ts"
import { useReleaseWords } from "./Words.ts"

/** A place to draw a signature by a finger, a pen or a mouse. Typing the name is enough without it (WCAG 2.5.7). */
export const DrawSignature = ({ drawing, onChange }: {
  readonly drawing: Drawing
  readonly onChange: (drawing: Drawing) => void
}) => {
  const { sign } = useReleaseWords()
  const id = useId()
  const canvas = useRef<HTMLCanvasElement>(null)
  /** The line under the pointer. */
  const line = useRef<Array<Point>>(undefined)
  const { lines } = drawing
  useEffect(() => drawLines(canvas.current!, lines), [lines])

  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const { height, left, top, width } = canvas.current!.getBoundingClientRect()
    return { x: (clientX - left) * paper.width / width, y: (clientY - top) * paper.height / height }
  }
  const begin = (event: PointerEvent) => {
    if (!event.isPrimary || event.button !== 0 || !hasRoom(lines)) return
    canvas.current!.setPointerCapture(event.pointerId)
    line.current = [pointOf(event)]
  }
  const go = (event: PointerEvent) => {
    if (line.current === undefined || !event.isPrimary || !hasRoom([...lines, line.current])) return
    line.current.push(pointOf(event))
    drawLines(canvas.current!, [...lines, line.current])
  }
  const end = () => {
    if (line.current === undefined) return
    const drawn = [...lines, line.current]
    line.current = undefined
    drawLines(canvas.current!, drawn)
    onChange({ lines: drawn, png: pictureOf(canvas.current!) })
  }
  return (
    <div className="stack tight">
      <p className="soft" id={`${id}-hint`}>{sign.drawHint}</p>
      <canvas
        ref={canvas}
        className="ink"
        {...paper}
        role="img"
        aria-label={sign.drawArea}
        aria-describedby={`${id}-hint`}
        onPointerDown={begin}
        onPointerMove={go}
        onPointerUp={end}
        onPointerCancel={end}
      />
      <div className="actions">
        <Button kind="outline" busy={lines.length === 0} onClick={() => onChange(noDrawing)}>{sign.clear}</Button>
        <span role="status" className="soft">{lines.length === 0 ? sign.notDrawn : sign.drawn}</span>
      </div>
    </div>
  )
}
