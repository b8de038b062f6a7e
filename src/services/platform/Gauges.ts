import { Context, Effect, Metric, type Scope } from "effect"
import { PrometheusMetrics } from "effect/observability"

interface Described {
  readonly description: string
  /** Few values each: every combination is a series of its own. */
  readonly attributes?: Readonly<Record<string, string>>
}

/** What looks at something when the metrics are read, so that nothing is counted meanwhile. */
const Samplers = Context.Reference<Set<() => void>>("vrss/Samplers", { defaultValue: () => new Set() })

const whileOpen = Effect.fnUntraced(function*(sample: () => void): Effect.fn.Return<void, never, Scope.Scope> {
  const samplers = yield* Samplers
  yield* Effect.acquireRelease(
    Effect.sync(() => void samplers.add(sample)),
    () => Effect.sync(() => void samplers.delete(sample))
  )
})

/** Shows what `sample` answers when the metrics are read; nothing as long as that is undefined. */
export const sampleGauge = Effect.fnUntraced(
  function*(name: string, described: Described, sample: () => number | undefined) {
    const context = yield* Effect.context<never>()
    const gauge = Metric.gauge(name, described)
    yield* whileOpen(() => {
      const value = sample()
      if (value !== undefined) gauge.updateUnsafe(value, context)
    })
  }
)

/** The same for what only rises, from the start of the process. */
export const sampleCounter = Effect.fnUntraced(function*(name: string, described: Described, sample: () => number) {
  const context = yield* Effect.context<never>()
  const counter = Metric.counter(name, { ...described, incremental: true })
  let before = 0
  yield* whileOpen(() => {
    const now = sample()
    counter.updateUnsafe(now - before, context)
    before = now
  })
})

/** Counts in series that are there from the start, so that the first rise of each is seen. */
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

/** Everything that is counted and sampled, in the text format of Prometheus. */
export const readMetrics = Effect.gen(function*() {
  for (const sample of yield* Samplers) sample()
  return yield* PrometheusMetrics.format()
})
