import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Logger, Option } from "effect"
import { MessageChannel } from "node:worker_threads"
import { ServiceUnavailable } from "../../../src/domain/Errors.ts"
import { makeWorkers, task } from "../../../src/services/platform/Workers.ts"
import type work from "./WorkersTrial.ts"

const trial = task<typeof work>(new URL("./WorkersTrial.ts", import.meta.url))

const failure = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined

const signal = () => new Int32Array(new SharedArrayBuffer(4))

const begins = (begun: Int32Array, count = 0) =>
  Effect.promise(async () => {
    while (Atomics.load(begun, 0) <= count) await Atomics.waitAsync(begun, 0, count).value
  })

describe("worker threads (findings H1)", () => {
  it.live("do the work elsewhere and answer what it made", () =>
    Effect.gen(function*() {
      const workers = yield* makeWorkers({ kind: "trial", queue: 10 })
      const values = ["text", new Uint8Array([1, 2]), new Map([["key", new Date(0)]]), null, undefined]
      const found = yield* Effect.forEach(values, (value) => workers.run(trial, { does: "echo", value }), {
        concurrency: "unbounded"
      })
      expect(found).toStrictEqual(values)
    }))

  it.live("give what a task throws back as a defect", () =>
    Effect.gen(function*() {
      const workers = yield* makeWorkers({ kind: "trial", queue: 0, size: 1 })
      const exit = yield* Effect.exit(workers.run(trial, { does: "throw" }))
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(new TypeError("a defect of the task"))
      expect(yield* workers.run(trial, { does: "echo", value: 1 })).toBe(1)
    }))

  it.live("write nothing of what they work on to the log, but how much they wrote", () => {
    const lines: Array<string> = []
    const logger = Logger.make(({ message }) => void lines.push(`${message}`))
    return Effect.gen(function*() {
      const workers = yield* makeWorkers({ kind: "trial", queue: 0, size: 1 })
      yield* workers.run(trial, { does: "write", value: "c4n4ry" })
      while (lines.length === 0) yield* Effect.sleep("5 millis")
      expect(lines).toEqual(["a worker thread wrote 6 bytes, not shown"])
    }).pipe(Effect.provide(Logger.layer([logger])))
  })

  it.live("fail the one task whose thread runs out of memory or ends, and do the next", () =>
    Effect.gen(function*() {
      const workers = yield* makeWorkers({ kind: "trial", queue: 8, size: 1, megabytes: 32 })
      const does = ["echo", "exhaust", "echo", "exit", "echo"] as const
      const exits = yield* Effect.forEach(does, (does) => Effect.exit(workers.run(trial, { does, value: does })), {
        concurrency: "unbounded"
      })
      expect(exits.map((exit) => Exit.isSuccess(exit) ? exit.value : failure(exit))).toEqual(
        does.map((does) => does === "echo" ? does : new ServiceUnavailable())
      )
    }))

  it.live("refuse what would wait beyond the bound, and take more once there is room", () =>
    Effect.gen(function*() {
      const workers = yield* makeWorkers({ kind: "trial", queue: 1, size: 1 })
      const begun = signal()
      const running = yield* Effect.forkChild(workers.run(trial, { does: "never", begun }))
      yield* begins(begun)
      const waiting = yield* Effect.forkChild(workers.run(trial, { does: "echo", value: "waited" }), {
        startImmediately: true
      })
      expect(failure(yield* Effect.exit(workers.run(trial, { does: "echo" })))).toBeInstanceOf(ServiceUnavailable)
      yield* Fiber.interrupt(running)
      expect(yield* Fiber.join(waiting)).toBe("waited")
      expect(yield* workers.run(trial, { does: "echo", value: "next" })).toBe("next")
    }))

  it.live("take a port along, on which the task tells more than its answer", () =>
    Effect.gen(function*() {
      const workers = yield* makeWorkers({ kind: "trial", queue: 0, size: 1 })
      const { port1, port2 } = new MessageChannel()
      const parts: Array<unknown> = []
      const closed = new Promise((resolve) => port1.on("message", (part) => parts.push(part)).on("close", resolve))
      expect(yield* workers.run(trial, { does: "stream", port: port2 }, [port2])).toBe("sent")
      yield* Effect.promise(() => closed)
      expect(parts).toEqual([1, 2, 3])
    }))
})
