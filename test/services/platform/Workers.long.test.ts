import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Logger, Option } from "effect"
import { spawn } from "node:child_process"
import { createSecretKey, generateKeyPairSync } from "node:crypto"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { ServiceUnavailable } from "../../../src/domain/Errors.ts"
import { makeWorkers, task, type Workers } from "../../../src/services/platform/Workers.ts"
import { isRunning, workersOf } from "../../support/Processes.ts"
import { until } from "../../support/Until.ts"
import type work from "./WorkersTrial.ts"

const trial = task<typeof work>(new URL("./WorkersTrial.ts", import.meta.url))

type Trial = Parameters<typeof work>[0] extends { readonly hear: () => infer Asked } ? Asked : never

const ask = (workers: Workers, asked: Trial) =>
  Effect.scoped(Effect.flatMap(workers.open(trial), ({ ask }) => ask(asked)))

const failure = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined

/** Runs a test with a logger that keeps the logged lines. */
const logged = <A, E, R>(test: (lines: ReadonlyArray<string>) => Effect.Effect<A, E, R>) => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => void lines.push(`${message}`))
  return test(lines).pipe(Effect.provide(Logger.layer([logger])))
}

describe("Worker processes", () => {
  it.live("do the work in another process and return its result", () =>
    Effect.gen(function*() {
      const workers = yield* makeWorkers({ kind: "trial", queue: 10 })
      const values = ["text", new Uint8Array([1, 2]), new Uint8Array(0), new Map([["key", new Date(0)]]), null,
        undefined]
      const found = yield* Effect.forEach(values, (value) => ask(workers, { does: "echo", value }), {
        concurrency: "unbounded"
      })
      expect(found).toStrictEqual(values)
    }))

  it.live("accept and return megabytes anywhere in a message, and cryptographic keys", () =>
    Effect.gen(function*() {
      const workers = yield* makeWorkers({ kind: "trial", queue: 0, size: 1 })
      const large = new Uint8Array(9_000_001).fill(7)
      const [secret, { privateKey }] = [createSecretKey(large.subarray(0, 32)), generateKeyPairSync("ed25519")]
      const value = { first: [{ large }], keys: { secret, privateKey }, last: Buffer.from("end") }
      const echoed = (yield* ask(workers, { does: "echo", value })) as typeof value
      expect(Buffer.compare(echoed.first[0]!.large, large)).toBe(0)
      expect([echoed.keys.secret.equals(secret), Buffer.from(echoed.last).toString()]).toEqual([true, "end"])
      expect(echoed.keys.privateKey.equals(privateKey)).toBe(true)
    }))

  it.live("report a defect if a task throws an exception or returns without an answer", () =>
    Effect.gen(function*() {
      const workers = yield* makeWorkers({ kind: "trial", queue: 0, size: 1 })
      const exit = yield* Effect.exit(ask(workers, { does: "throw" }))
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(new TypeError("a defect of the task"))
      const left = yield* Effect.exit(ask(workers, { does: "leave" }))
      expect(Exit.isFailure(left) && Cause.squash(left.cause)).toEqual(new Error("a worker left its work"))
      expect(yield* ask(workers, { does: "echo", value: 1 })).toBe(1)
    }))

  it.live("are used again for the next task, unless they take more memory than they may keep", () =>
    logged((lines) =>
      Effect.gen(function*() {
        const workers = yield* makeWorkers({ kind: "trial", queue: 0, size: 1, large: 220 })
        const sizes = [1, 200_000_000, 1]
        const grown = yield* Effect.forEach(sizes, (value) => ask(workers, { does: "grow", value }))
        const [[first], [second], [third]] = grown as [[number], [number], [number]]
        expect([second === first, third === first]).toEqual([true, false])
        expect(lines).toEqual([])
      })
    ))

  it.live("fail the one task whose process runs out of memory or ends, and do the next", () =>
    logged((lines) =>
      Effect.gen(function*() {
        const workers = yield* makeWorkers({ kind: "trial", queue: 8, size: 1, megabytes: 32 })
        const does = ["echo", "exhaust", "echo", "exit", "echo"] as const
        const exits = yield* Effect.forEach(does, (does) => Effect.exit(ask(workers, { does, value: does })), {
          concurrency: "unbounded"
        })
        expect(exits.map((exit) => Exit.isSuccess(exit) ? exit.value : failure(exit))).toEqual(
          does.map((does) => does === "echo" ? does : new ServiceUnavailable())
        )
        expect(lines.filter((line) => line.startsWith("a worker process died"))).toEqual([
          "a worker process died: its memory was full (SIGABRT)",
          "a worker process died: it ended with 3"
        ])
      })
    ))

  it.live("log only the number of bytes that a task writes, and give no task to a process that died while idle", () =>
    logged((lines) =>
      Effect.gen(function*() {
        const workers = yield* makeWorkers({ kind: "trial", queue: 0, size: 1 })
        yield* ask(workers, { does: "write", value: "c4n4ry" })
        while (lines.length === 0) yield* Effect.sleep("5 millis")
        const wrote = "a worker process wrote 6 bytes, not shown"
        expect(lines).toEqual([wrote])
        const [, pid] = (yield* ask(workers, { does: "count" })) as [number, number]
        process.kill(pid, "SIGKILL")
        while (lines.length === 1) yield* Effect.sleep("5 millis")
        expect(lines).toEqual([wrote, "a worker process died: it was killed (SIGKILL)"])
        expect(yield* ask(workers, { does: "echo", value: "next" })).toBe("next")
      })
    ))

  it.live("refuse tasks beyond the limit of the queue, and accept more once there is room", () =>
    Effect.gen(function*() {
      const workers = yield* makeWorkers({ kind: "trial", queue: 1, size: 1 })
      const scope = yield* Effect.forkChild(Effect.scoped(Effect.gen(function*() {
        const { ask } = yield* workers.open(trial)
        yield* ask({ does: "never" })
        return yield* Effect.never
      })))
      yield* Effect.sleep("50 millis")
      const waiting = yield* Effect.forkChild(ask(workers, { does: "echo", value: "waited" }), {
        startImmediately: true
      })
      expect(failure(yield* Effect.exit(ask(workers, { does: "echo" })))).toBeInstanceOf(ServiceUnavailable)
      yield* Fiber.interrupt(scope)
      expect(yield* Fiber.join(waiting)).toBe("waited")
      expect(yield* ask(workers, { does: "echo", value: "next" })).toBe("next")
    }))

  it.live("keep running if an abandoned task ends soon, and are killed if it does not", () =>
    Effect.gen(function*() {
      const workers = yield* makeWorkers({ kind: "trial", queue: 0, size: 1 })
      const counted = Effect.scoped(Effect.gen(function*() {
        const { ask, hear } = yield* workers.open(trial)
        const [first, pid] = (yield* ask({ does: "count" })) as [number, number]
        expect(first).toBe(1)
        expect(yield* Effect.timeoutOption(hear, "10 millis")).toEqual(Option.none())
        return pid
      }))
      const pid = yield* counted
      expect(yield* counted).toBe(pid)
      expect(yield* ask(workers, { does: "never" })).toBe(pid)
      expect(isRunning(pid)).toBe(false)
      expect(yield* counted).not.toBe(pid)
    }))

  it.live("are started before their work if it is expected, do it, and end with the scope that made them", () =>
    Effect.gen(function*() {
      const pid = yield* Effect.scoped(Effect.gen(function*() {
        const workers = yield* makeWorkers({ kind: "expected", queue: 1, size: 1 })
        yield* workers.expect(trial)
        const started = yield* Effect.promise(() =>
          until("a process is started", async () => workersOf({ process }, "expected")[0])
        )
        const [part, pid] = (yield* ask(workers, { does: "count" })) as [number, number]
        expect([part, pid]).toEqual([1, started])
        yield* workers.expect(trial)
        const [, same] = (yield* ask(workers, { does: "count" })) as [number, number]
        expect(same).toBe(started)
        expect(isRunning(pid)).toBe(true)
        return pid
      }))
      expect(isRunning(pid)).toBe(false)
    }))

  it.live("end by themselves when the process that started them is killed, even while they are busy", () =>
    Effect.promise(async () => {
      const maker = spawn(process.execPath, [fileURLToPath(new URL("./WorkersMaker.ts", import.meta.url))])
      const [pid] = await once(maker.stdout, "data")
      expect(isRunning(Number(pid))).toBe(true)
      maker.kill("SIGKILL")
      await until("it has ended", async () => !isRunning(Number(pid)))
    }))
})
