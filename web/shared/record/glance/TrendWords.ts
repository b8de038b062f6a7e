import type { GlanceResult } from "../../../../src/clinical/GlanceResults.ts"
import { rounded } from "../Figures.ts"
import { recordWords } from "../RecordLanguage.ts"

/** A sparkline shows no more values. */
const most = 12

/** The words for what a sparkline shows: `5 values, 0.6 to 3.5, last down`. */
export const trendWords = ({ spark, value }: Pick<GlanceResult, "spark" | "value">): string => {
  const [last, before] = [spark.at(-1), spark.at(-2)]
  const words = recordWords().results
  if (last === undefined) return words.noTrend
  if (before === undefined) return words.oneValue
  return words.spark({
    count: spark.length,
    isNewest: spark.length === most,
    isPressure: isPressure(value),
    low: rounded(Math.min(...spark)),
    high: rounded(Math.max(...spark)),
    last: last > before ? "up" : last < before ? "down" : "the same"
  })
}

/** The sparkline of a blood pressure has the systolic values alone. */
const isPressure = (value: string) => /^[\d.]+\/\d/.test(value)
