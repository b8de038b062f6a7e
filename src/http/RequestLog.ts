import { Cause, Context, Effect, Layer } from "effect"

export interface RequestLine {
  /** This is the route's template, never a path with its values, a query, a body or a header. */
  readonly route: string
  readonly method: string
  readonly status: number
  readonly ms: number
  readonly requestId: string
}

const flushEvery = "50 millis"

/** Writes one JSON line for each answer to standard output. One by one they would cost half the throughput. */
export class RequestLog extends Context.Service<RequestLog, {
  readonly write: (line: RequestLine) => void
  /** Says what failed and where, but never a message, which may quote what was sent or stored. */
  readonly writeDefects: (requestId: string, cause: Cause.Cause<unknown>) => void
}>()("vrss/http/RequestLog") {
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
      const append = (level: "info" | "error", line: object) => {
        pending += `{"time":"${new Date().toISOString()}","level":"${level}",${JSON.stringify(line).slice(1)}\n`
      }
      return RequestLog.of({
        write: ({ ms, ...line }) =>
          append(line.status >= 500 ? "error" : "info", { ...line, ms: Math.round(ms * 10) / 10 }),
        writeDefects: (requestId, cause) => {
          for (const reason of cause.reasons) {
            if (Cause.isDieReason(reason)) append("error", { requestId, ...describe(reason.defect) })
          }
        }
      })
    })
  )
}

const describe = (defect: unknown) => {
  const { _tag, name, reason, stack } = defect as {
    readonly _tag?: string
    readonly name?: string
    readonly stack?: string
    /** An `SqlError` has its kind here, and PostgreSQL's own error within. */
    readonly reason?: { readonly _tag?: string; readonly cause?: { readonly code?: string } }
  }
  return {
    defect: _tag ?? name ?? typeof defect,
    reason: reason?._tag,
    sqlState: reason?.cause?.code,
    at: stack?.split("\n").filter((line) => /^\s+at /.test(line)).slice(0, 8).map((line) => line.trim())
  }
}
