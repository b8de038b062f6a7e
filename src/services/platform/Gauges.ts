import { Context, Effect, Metric, type Scope } from "effect"
import { PrometheusMetrics } from "effect/observability"

/** A metric's labels. Use few different values: every combination becomes a time series. */
type Attributes = Readonly<Record<string, string>>

/** Functions that measure something only when the metrics are read. In between, they cost nothing. */
const Samplers = Context.Reference<Set<() => void>>("vrss/services/platform/Gauges/Samplers", {
  defaultValue: () => new Set()
})

const whileOpen = Effect.fnUntraced(function*(sample: () => void): Effect.fn.Return<void, never, Scope.Scope> {
  const samplers = yield* Samplers
  yield* Effect.acquireRelease(
    Effect.sync(() => void samplers.add(sample)),
    () => Effect.sync(() => void samplers.delete(sample))
  )
})

/** Shows what `sample` returns when the metrics are read. While it returns undefined, the last value stays. */
export const sampleGauge = Effect.fnUntraced(
  function*(name: string, description: string, sample: () => number | undefined, attributes: Attributes = {}) {
    const context = yield* Effect.context<never>()
    const gauge = Metric.gauge(name, { description, attributes })
    yield* whileOpen(() => {
      const value = sample()
      if (value !== undefined) gauge.updateUnsafe(value, context)
    })
  }
)

/** Shows a value that only rises, counted from the start of the process. */
export const sampleCounter = Effect.fnUntraced(function*(name: string, description: string, sample: () => number) {
  const context = yield* Effect.context<never>()
  const counter = Metric.counter(name, { description, incremental: true })
  let before = 0
  yield* whileOpen(() => {
    const now = sample()
    counter.updateUnsafe(now - before, context)
    before = now
  })
})

/** Makes one counter per value. All start at 0, so that monitoring sees the first increase of each. */
export const counters = <const Value extends string>(
  name: string,
  { description, label, values }: {
    readonly description: string
    readonly label: string
    readonly values: ReadonlyArray<Value>
  }
) => {
  const series = new Map(values.map((value) => {
    const counter = Metric.counter(name, { description, attributes: { [label]: value }, incremental: true })
    counter.updateUnsafe(0, Context.empty())
    return [value, counter]
  }))
  return (value: Value) => series.get(value)!.updateUnsafe(1, Context.empty())
}

/** Returns all counters and samples in the text format of Prometheus. */
export const readMetrics = Effect.gen(function*() {
  for (const sample of yield* Samplers) sample()
  return yield* PrometheusMetrics.format()
})
