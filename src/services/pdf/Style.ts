export interface Style {
  readonly font: "regular" | "bold"
  readonly size: number
  /** At least 1.362 times the size (Noto Sans's ascent plus descent), or lines overlap. */
  readonly leading: number
  readonly color: string
}

const black = "0 0 0"

const blue = "0.1 0.22 0.42"

const gray = "0.3 0.3 0.3"

const red = "0.6 0.07 0.07"

/** Text has at least 11 points (roi-authorization.md), or 10 in tables (released-record.md). */
export const styles = {
  title: { font: "bold", size: 18, leading: 26, color: blue },
  heading: { font: "bold", size: 12.5, leading: 21, color: blue },
  subheading: { font: "bold", size: 11, leading: 17, color: blue },
  body: { font: "regular", size: 11, leading: 15, color: black },
  label: { font: "regular", size: 11, leading: 15, color: gray },
  warning: { font: "bold", size: 11, leading: 15, color: red },
  cell: { font: "regular", size: 10, leading: 14, color: black },
  strong: { font: "bold", size: 10, leading: 14, color: black },
  columnHeader: { font: "bold", size: 10, leading: 14, color: blue }
} as const satisfies Record<string, Style>
