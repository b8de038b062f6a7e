import { Context, Effect, Layer, Logger, Metric, References } from "effect"
import { describeCause } from "./Defects.ts"
import { isoTime } from "./IsoTime.ts"
import { Settings } from "./Settings.ts"

export type Level = "debug" | "info" | "warn" | "error" | "fatal"

/** The fields of a log line besides its time and level. Callers must not pass values that came with a request. */
export interface Fields {
  readonly message?: string
  readonly requestId?: string
  readonly [name: string]: unknown
}

type Take = (time: Date, level: Level, fields: Fields) => void

const flushEvery = "50 millis"

/**
 * Limit of the backlog while nobody reads standard output. The backlog is the stream's bytes and the characters not yet
 * written to it. Beyond the limit, lines are dropped and counted.
 */
const maxWaitingBytes = 1024 * 1024

const dropped = Metric.counter("log_lines_dropped_total", {
  description: "Lines of the log that were dropped, because nobody read standard output",
  incremental: true
})

/**
 * All standard output goes through here: `Effect.log`, one line per answer, Node's own warnings. Lines are written in
 * batches, because writing each by itself would halve the throughput.
 */
export class Log extends Context.Service<Log, {
  readonly write: (level: Level, fields: Fields) => void
  readonly flush: () => void
  /** Also passes each line to `take`, which may send it to a collector (layers/Telemetry.ts). */
  readonly tee: (take: Take) => void
}>()("vrss/services/platform/Log") {
  static readonly layer = Layer.effect(
    Log,
    Effect.gen(function*() {
      const { logFormat } = yield* Settings
      const format = formats[logFormat]
      const context = yield* Effect.context<never>()
      dropped.updateUnsafe(0, context)
      const others: Array<Take> = []
      let pending = ""
      let lost = 0
      const write = (level: Level, fields: Fields) => {
        const now = Date.now()
        for (const take of others) take(new Date(now), level, fields)
        if (process.stdout.writableLength + pending.length > maxWaitingBytes) {
          lost++
          dropped.updateUnsafe(1, context)
        } else pending += format(isoTime(now), level, fields)
      }
      const flush = () => {
        if (lost > 0 && process.stdout.writableLength === 0) {
          const message = `${lost} lines of the log were dropped, because nobody read standard output`
          pending += format(isoTime(Date.now()), "warn", { message })
          lost = 0
        }
        if (pending !== "") process.stdout.write(pending)
        pending = ""
      }
      yield* Effect.addFinalizer(() => Effect.sync(flush))
      yield* Effect.sync(flush).pipe(Effect.delay(flushEvery), Effect.forever, Effect.forkScoped)
      return Log.of({ write, flush, tee: (take) => void others.push(take) })
    })
  )

  /** Writes the lines of `Effect.log` to this log. A cause is described without its message (Defects.ts). */
  static readonly logger = Logger.layer([
    Effect.map(Log, ({ write }) =>
      Logger.make(({ cause, fiber, logLevel, message }) => {
        const said = [message].flat().filter((part) => typeof part !== "object").join(" ")
        const annotations = fiber.getRef(References.CurrentLogAnnotations)
        write(levels[logLevel] ?? "info", { message: said, ...annotations, ...describeCause(cause) })
      }))
  ])
}

const levels: Record<string, Level> = { Fatal: "fatal", Error: "error", Warn: "warn", Debug: "debug", Trace: "debug" }

/** A line is one JSON object, or text for people: time in UTC, level, message, then the other fields by name. */
const formats = {
  json: (time: string, level: Level, fields: Fields) =>
    `{"time":"${time}","level":"${level}",${JSON.stringify(fields).slice(1)}\n`,
  text: (time: string, level: Level, { message, ...fields }: Fields) => {
    const named = Object.entries(fields).map(([name, value]) =>
      value === undefined ? "" : ` ${name}=${typeof value === "string" ? value : JSON.stringify(value)}`
    )
    return `${time} ${level.toUpperCase().padEnd(5)}${message === undefined ? "" : ` ${message}`}${named.join("")}\n`
  }
}
