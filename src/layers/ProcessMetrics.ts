import { Effect, Layer } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { maxDescriptors, openDescriptors } from "../services/platform/Descriptors.ts"
import { sampleCounter, sampleGauge } from "../services/platform/Gauges.ts"

const resolution = 20

/** Metrics of the process, under the names that Prometheus uses for every process. */
export const ProcessMetrics = Layer.effectDiscard(Effect.gen(function*() {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  yield* Effect.addFinalizer(() => Effect.sync(() => delay.disable()))
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolution / 1000)
  yield* sampleGauge(
    "event_loop_delay_p99_seconds",
    "How late the event loop was since this was read last, 99 times of 100 at most",
    () => seconds(delay.percentile(99))
  )
  yield* sampleGauge("event_loop_delay_max_seconds", "How late it was at most since this was read last", () => {
    const latest = seconds(delay.max)
    delay.reset()
    return latest
  })
  yield* sampleGauge("process_resident_memory_bytes", "Resident memory", () => process.memoryUsage.rss())
  yield* sampleGauge("process_open_fds", "Files and connections that the process has open", openDescriptors)
  const most = maxDescriptors()
  yield* sampleGauge("process_max_fds", "Files and connections that it may have open", () => most)
  const started = Date.now() / 1000 - process.uptime()
  yield* sampleGauge("process_start_time_seconds", "Start of the process, in seconds since 1970", () => started)
  yield* sampleCounter("process_cpu_seconds_total", "Processor time of all its threads", () => {
    const { system, user } = process.cpuUsage()
    return (system + user) / 1e6
  })
}))
