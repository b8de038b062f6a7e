import type { GlanceResult } from "../../../../src/clinical/Glance.ts"
import { rounded } from "../Figures.ts"

/** A sparkline shows no more values. */
const most = 12

/** The words for what a sparkline shows: `5 values, 0.6 to 3.5, last down`. */
export const trendWords = ({ spark, value }: Pick<GlanceResult, "spark" | "value">): string => {
  const [last, before] = [spark.at(-1), spark.at(-2)]
  if (last === undefined) return "No trend"
  if (before === undefined) return "1 value"
  const [low, high] = [Math.min(...spark), Math.max(...spark)]
  const count = `${spark.length === most ? "newest " : ""}${spark.length} ${isPressure(value) ? "systolic " : ""}values`
  const turn = last > before ? "up" : last < before ? "down" : "the same"
  return `${count}, ${low === high ? `all ${rounded(low)}` : `${rounded(low)} to ${rounded(high)}`}, last ${turn}`
}

/** The sparkline of a blood pressure has the systolic values alone. */
const isPressure = (value: string) => /^[\d.]+\/\d/.test(value)
