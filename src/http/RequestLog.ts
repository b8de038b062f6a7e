import { Context, Effect, Layer } from "effect"

export interface RequestLine {
  /** The route's template: never a path with its values, a query, a body or a header. */
  readonly route: string
  readonly method: string
  readonly status: number
  readonly ms: number
  readonly requestId: string
}

const flushEvery = "50 millis"

/** One JSON line for each answer on standard output. Lines are written together: one by one they cost half the throughput. */
export class RequestLog extends Context.Service<RequestLog, { readonly write: (line: RequestLine) => void }>()(
  "vrss/http/RequestLog"
) {
  static readonly layer = Layer.effect(
    RequestLog,
    Effect.gen(function*() {
      let pending = ""
      const flush = Effect.sync(() => {
        if (pending !== "") process.stdout.write(pending)
        pending = ""
      })
      yield* Effect.addFinalizer(() => flush)
      yield* flush.pipe(Effect.delay(flushEvery), Effect.forever, Effect.forkScoped)
      return RequestLog.of({
        write: ({ ms, ...line }) => {
          const level = line.status >= 500 ? "error" : "info"
          pending += `${
            JSON.stringify({ time: new Date().toISOString(), level, ...line, ms: Math.round(ms * 10) / 10 })
          }\n`
        }
      })
    })
  )
}
