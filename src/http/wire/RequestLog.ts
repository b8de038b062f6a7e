import { Cause, Context, Effect, Layer } from "effect"
import { describeDefect } from "../../services/platform/Defects.ts"
import { Log } from "../../services/platform/Log.ts"

export interface RequestLine {
  /** The route's template, never a path with its values. */
  readonly route: string
  readonly method: string
  readonly status: number
  readonly ms: number
  readonly requestId: string
  /** The trace's id in the collector, if one is configured. */
  readonly traceId?: string | undefined
}

export class RequestLog extends Context.Service<RequestLog, {
  readonly write: (line: RequestLine) => void
  /** Writes the kind and place of each failure, but no message: it may quote health data. */
  readonly writeDefects: (requestId: string, cause: Cause.Cause<unknown>) => void
}>()("vrss/http/RequestLog") {
  static readonly layer = Layer.effect(
    RequestLog,
    Effect.map(Log, (log) =>
      RequestLog.of({
        write: ({ ms, ...line }) =>
          log.write(line.status >= 500 ? "error" : "info", { ...line, ms: Math.round(ms * 10) / 10 }),
        writeDefects: (requestId, cause) => {
          for (const reason of cause.reasons) {
            if (Cause.isDieReason(reason)) log.write("error", { requestId, ...describeDefect(reason.defect) })
          }
        }
      }))
  )
}
