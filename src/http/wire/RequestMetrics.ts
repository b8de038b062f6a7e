import { Metric } from "effect"
import type { RequestLine } from "./RequestLog.ts"

const histograms = new Map<string, Metric.Histogram<number>>()

/** Each series is its own metric: with attributes Effect would compute the series' key at every update. */
export const durations = ({ method, route, status }: RequestLine) => {
  const series = `${method} ${route} ${status}`
  const existing = histograms.get(series)
  if (existing !== undefined) return existing
  const histogram = Metric.histogram("http_request_duration_seconds", {
    description: "Time to the answer's first byte, by route template, method and status",
    boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    attributes: { route, method, status: `${status}` }
  })
  histograms.set(series, histogram)
  return histogram
}
