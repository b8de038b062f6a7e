import { useEffect, useMemo, useRef, useState } from "react"
import uPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import type { Trend } from "../../../../src/clinical/Trend.ts"
import { recordedDay } from "../ClinicalDays.ts"
import { useRecordWords } from "../RecordLanguage.ts"
import { unitsInWords } from "./Units.ts"

const height = 180

/** The most values that the table shows, newest first. */
const inTable = 500

/** A test over time: a chart, and its values as a table. Loaded when it is first shown. */
const ItemTrend = ({ heading: Heading, title, trend }: {
  readonly trend: Trend
  readonly title: string
  readonly heading: "h2" | "h4"
}) => {
  const { lines, others, points, unit } = trend
  const [isOpen, setOpen] = useState(false)
  const words = useRecordWords().trend
  const units = unit === null ? "" : unitsInWords(unit)
  const [first, last] = [points[0], points.at(-1)]
  return (
    <div className="stack tight trend">
      <Heading>{words.heading}</Heading>
      {points.length < 2 || first === undefined || last === undefined
        ? <p className="soft">{words.oneValue}</p>
        : (
          <>
            <Plot trend={trend} label={words.of(title)} />
            <p className="soft small">
              {words.values(points.length, units, dayOf(first), dayOf(last))}
              {lines.length === 2 ? ` ${words.twoLines}` : ""}
            </p>
          </>
        )}
      {others.length === 0 ? null : (
        <p className="soft small">
          {words.others(others.length)} {points.length < 2 ? "" : words.inTable}
        </p>
      )}
      {points.length + others.length < 2 ?
        null :
        (
          <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
            <summary>{words.show}</summary>
            {isOpen ? <Values trend={trend} /> : null}
          </details>
        )}
    </div>
  )
}

export default ItemTrend

const dayOf = ({ date }: { readonly date: string }) => recordedDay(date.slice(0, 10))

const Values = ({ trend: { others, points } }: { readonly trend: Trend }) => {
  const { noDate, trend: words } = useRecordWords()
  const all = useMemo(
    () =>
      [...points.map((point) => ({ ...point, inLine: true })), ...others.map((other) => ({ ...other, inLine: false }))]
        .toSorted((a, b) => a.date < b.date ? 1 : a.date > b.date ? -1 : 0),
    [others, points]
  )
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards must be able to scroll it (WCAG 2.1.1) */}
      <div className="values" tabIndex={0} role="group" aria-label={words.table}>
        <table className="usa-table">
          <thead>
            <tr>
              <th scope="col">{words.date}</th>
              <th scope="col">{words.value}</th>
            </tr>
          </thead>
          <tbody>
            {all.slice(0, inTable).map(({ date, inLine, text }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the list never changes
              <tr key={index}>
                <td className="number">{date === "" ? noDate : dayOf({ date })}</td>
                <td className="number" dir="auto">
                  {unitsInWords(text)} {inLine ? null : <span className="soft">{words.notInLine}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {all.length > inTable ? <p className="soft small">{words.newest(inTable)}</p> : null}
    </>
  )
}

/**
 * Converts a sort key (`ClinicalDate.ts`) to seconds. The key is a day, followed by the exact moment if that is known.
 */
const secondsOf = (date: string) => Date.parse(date.length > 10 ? date.slice(11) : date) / 1000

const Plot = ({ label, trend: { lines, points } }: { readonly trend: Trend; readonly label: string }) => {
  const { below } = useRecordWords().trend
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current!
    const draw = () => {
      const { color } = getComputedStyle(element)
      const axis = { stroke: color, ticks: { show: false }, grid: { stroke: "rgb(128 128 128 / 30%)", width: 1 } }
      return new uPlot(
        {
          width: Math.max(200, element.clientWidth),
          height,
          legend: { show: false },
          cursor: { show: false },
          axes: [{ ...axis, grid: { show: false } }, { ...axis, size: 52, space: 28 }],
          series: [
            {},
            ...lines.map((_, index) => ({
              stroke: color,
              width: 2,
              ...(index === 0 ? {} : { dash: [6, 3] }),
              points: { show: points.length < 60, size: 6, fill: color, stroke: color }
            }))
          ]
        },
        [points.map(({ date }) => secondsOf(date)), ...lines.map((_, index) =>
          points.map(({ values }) => values[index]!)
        )],
        element
      )
    }
    let plot = draw()
    const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(200, element.clientWidth), height }))
    observer.observe(element)
    const scheme = matchMedia("(prefers-color-scheme: dark)")
    const again = () => {
      plot.destroy()
      plot = draw()
    }
    scheme.addEventListener("change", again)
    return () => {
      observer.disconnect()
      scheme.removeEventListener("change", again)
      plot.destroy()
    }
  }, [lines, points])
  return <div className="plot" ref={place} role="img" aria-label={below(label)} />
}
