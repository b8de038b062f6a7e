/** A drawn signature: its lines, and the picture of them. Both are in memory only. */
export interface Drawing {
  readonly lines: ReadonlyArray<ReadonlyArray<Point>>
  /** A PNG in base64, empty if nothing is drawn. */
  readonly png: string
}

export interface Point {
  readonly x: number
  readonly y: number
}

export const noDrawing: Drawing = { lines: [], png: "" }

/** The size of the picture, in pixels. */
export const paper = { width: 600, height: 200 }

/** More points than a hand draws. A page that is left under a finger then stops to draw. */
const maxPoints = 20_000

export const hasRoom = (lines: Drawing["lines"]) => lines.reduce((sum, line) => sum + line.length, 0) < maxPoints

/** Draws the lines as ink on paper, which is white in dark mode too. */
export const drawLines = (canvas: HTMLCanvasElement, lines: Drawing["lines"]) => {
  const context = canvas.getContext("2d")
  if (context === null) return
  context.fillStyle = "#fff"
  context.fillRect(0, 0, paper.width, paper.height)
  context.strokeStyle = "#111"
  context.lineWidth = 3
  context.lineCap = "round"
  context.lineJoin = "round"
  for (const [first, ...others] of lines) {
    if (first === undefined) continue
    context.beginPath()
    context.moveTo(first.x, first.y)
    // A line to its own beginning is a dot.
    for (const { x, y } of others.length === 0 ? [first] : others) context.lineTo(x, y)
    context.stroke()
  }
}

/** The picture as the service takes it. */
export const pictureOf = (canvas: HTMLCanvasElement) =>
  canvas.toDataURL("image/png").slice("data:image/png;base64,".length)
