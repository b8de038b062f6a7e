import { Effect, Layer, Metric, Redacted, Tracer } from "effect"
import { FetchHttpClient, HttpClient, HttpMiddleware } from "effect/http"
import { OtlpExporter, OtlpResource, OtlpSerialization, OtlpTracer } from "effect/observability"
import { type Fields, type Level, Log } from "../services/platform/Log.ts"
import { safeTracer } from "../services/platform/SafeTracer.ts"
import { Settings } from "../services/platform/Settings.ts"

/** Time limit for a batch of 1,000 spans or lines. */
const batchTimeout = "5 seconds"

/** Maximum number of batches sent at a time. Further batches are dropped, so that a slow collector costs no memory. */
const maxInFlight = 4

const failures = Metric.counter("telemetry_export_failures_total", {
  description: "Batches of traces or log lines that the collector did not take",
  incremental: true
})

/**
 * The exporter retries a batch three times after a temporary error. A batch that is not answered in time, or exceeds
 * `maxInFlight`, fails with a defect and is not retried. After a lost batch the exporter pauses for a minute.
 */
const boundedClient = Effect.gen(function*() {
  yield* Metric.update(failures, 0)
  let underWay = 0
  let failing = false
  const failed = (why: string) =>
    Effect.suspend(() => {
      const began = !failing
      failing = true
      return Effect.andThen(
        Metric.update(failures, 1),
        began ? Effect.logWarning(`telemetry: OTEL_EXPORTER_OTLP_ENDPOINT ${why}`) : Effect.void
      )
    })
  const client = HttpClient.filterStatusOk(yield* HttpClient.HttpClient)
  return HttpClient.transform(client, (send) =>
    Effect.suspend(() => {
      if (underWay >= maxInFlight) return Effect.andThen(failed("is too slow"), Effect.die("too slow"))
      underWay++
      return send.pipe(
        Effect.tap(() => Effect.sync(() => failing = false)),
        Effect.tapError(() => failed("cannot be reached or refuses the data")),
        Effect.timeoutOrElse({
          duration: batchTimeout,
          orElse: () => Effect.andThen(failed("did not answer in time"), Effect.die("no answer"))
        }),
        Effect.ensuring(Effect.sync(() => underWay--))
      )
    }))
})

const severities: Record<Level, 5 | 9 | 13 | 17 | 21> = { debug: 5, info: 9, warn: 13, error: 17, fatal: 21 }

const logRecord = (time: Date, level: Level, { message, traceId, ...fields }: Fields) => {
  const timeUnixNano = `${time.getTime()}000000`
  const named = Object.entries(fields).filter(([, value]) => value !== undefined)
  return {
    timeUnixNano,
    observedTimeUnixNano: timeUnixNano,
    severityNumber: severities[level],
    severityText: level,
    body: OtlpResource.unknownToAttributeValue(message ?? `${fields["method"]} ${fields["route"]}`),
    attributes: OtlpResource.entriesToAttributes(named),
    droppedAttributesCount: 0,
    ...(typeof traceId === "string" ? { traceId } : {})
  }
}

/** Sends traces and log lines to a collector (OTLP over HTTP, as JSON), if one is configured. */
export const Telemetry = Layer.unwrap(Effect.gen(function*() {
  const { collector } = yield* Settings
  if (collector === undefined) return Layer.empty
  const { serviceName, share, url } = collector
  const headers = collector.headers === undefined ? undefined : Redacted.value(collector.headers)
  const tracer = Layer.effect(
    Tracer.Tracer,
    Effect.map(
      OtlpTracer.make({ url: `${url}/v1/traces`, headers, resource: { serviceName } }),
      (tracer) => safeTracer(tracer, share)
    )
  )
  const logs = Layer.effectDiscard(
    Effect.gen(function*() {
      const log = yield* Log
      const serialization = yield* OtlpSerialization.OtlpSerialization
      const resource = OtlpResource.make({ serviceName })
      const { push } = yield* OtlpExporter.make({
        label: "Log",
        url: `${url}/v1/logs`,
        headers,
        exportInterval: "1 second",
        maxBatchSize: 1000,
        shutdownTimeout: "3 seconds",
        body: (logRecords) => [
          serialization.logs({ resourceLogs: [{ resource, scopeLogs: [{ scope: { name: "vrss" }, logRecords }] }] }),
          Effect.void
        ]
      })
      log.tee((time, level, fields) => push(logRecord(time, level, fields)))
    })
  )
  return Layer.mergeAll(tracer, logs, HttpMiddleware.layerTracerDisabledForUrls(["/health", "/api/ready"])).pipe(
    Layer.provide([OtlpExporter.layerFlusher, OtlpSerialization.layerJson]),
    Layer.provide(Layer.effect(HttpClient.HttpClient, boundedClient).pipe(Layer.provide(FetchHttpClient.layer)))
  )
}))
