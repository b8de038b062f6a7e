/**
 * Draws the newest values as a line. Screen readers skip the line: the newest value is beside it, and the open item has
 * a table of values.
 */
export const Sparkline = ({ of }: { readonly of: ReadonlyArray<number> }) => {
  if (of.length < 3) return null
  const [low, high] = [Math.min(...of), Math.max(...of)]
  const x = (index: number) => 3 + index * 74 / (of.length - 1)
  const y = (value: number) => high === low ? 13 : 22 - (value - low) / (high - low) * 18
  const path = of.map((value, index) => `${index === 0 ? "M" : "L"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join(
    ""
  )
  return (
    <svg className="spark" viewBox="0 0 80 26" aria-hidden="true">
      <path d={path} />
      <circle cx={x(of.length - 1)} cy={y(of.at(-1)!)} r="2.5" />
    </svg>
  )
}
