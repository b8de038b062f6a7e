import { Effect, Stream } from "effect"
import { HttpClientResponse } from "effect/http"
import { linkLimits } from "../../../src/domain/SecureLink.ts"
import { Problem, problemOf } from "../../shared/Problem.ts"
import { connectRecipient } from "./Recipient.ts"

/** Bytes received, and the size of the whole file. */
export interface Progress {
  readonly received: number
  readonly size: number
}

/** The release that was received, and the view session that allows this page to show it. */
export interface ReceivedRelease {
  readonly release: Uint8Array<ArrayBuffer>
  readonly viewSession: string
}

/** A connection without data for this time counts as broken. */
const silence = "8 seconds"

/**
 * A transfer is resumed only within this many milliseconds after its last byte. This is 10 seconds less than the
 * service's limit, because an answer takes time.
 */
const patience = linkLimits.resumeSeconds * 1000 - 10_000

/** The most requests of one download. The service accepts 30 in 15 minutes from one IP address. */
const maxAttempts = 20

const breaks = new Set(["unreachable", "service_unavailable", "internal_error"])

/**
 * Downloads the release, which uses up the view session. Arriving bytes are written directly into the result. A broken
 * transfer resumes after the bytes received, as long as the service allows.
 */
export const download = Effect.fnUntraced(function*(viewSession: string, tell: (progress: Progress) => void) {
  const recipient = yield* connectRecipient
  let release = new Uint8Array(0)
  let [received, lastByte] = [0, Date.now()]

  const keep = (bytes: Uint8Array) => {
    release.set(bytes, received)
    received += bytes.length
    lastByte = Date.now()
    tell({ received, size: release.length })
  }

  const goOn = Effect.fnUntraced(function*(offset: number | undefined) {
    const payload = offset === undefined ? { viewSession } : { viewSession, offset }
    const response = yield* recipient.view({ payload, responseMode: "response-only" }).pipe(
      Effect.flatMap(HttpClientResponse.filterStatusOk),
      Effect.timeout(silence)
    )
    if (received === 0) release = new Uint8Array(Number(response.headers["content-length"]))
    yield* response.stream.pipe(
      Stream.timeoutOrElse({ duration: silence, orElse: () => Stream.fail(broken) }),
      Stream.runForEach((bytes) => Effect.sync(() => keep(bytes)))
    )
    if (received < release.length) return yield* Effect.fail(broken)
  })

  let pause = shortest
  for (let tries = 1;; tries++) {
    const before = received
    const problem = yield* goOn(tries === 1 ? undefined : received).pipe(
      Effect.as(undefined),
      Effect.catch(problemOf)
    )
    // A release that arrived whole counts, even if the connection then failed.
    if (problem === undefined || (received > 0 && received === release.length)) return release
    // The transfer can no longer be resumed, because too much time or data has passed.
    if (tries > 1 && problem.error === "view_session_used") return yield* Effect.fail(broken)
    if (!breaks.has(problem.error) || Date.now() - lastByte > patience || tries === maxAttempts) {
      return yield* Effect.fail(problem)
    }
    pause = received > before ? shortest : Math.min(2 * pause, 4000)
    yield* Effect.sleep(pause)
  }
})

/** Milliseconds before the first resumption. */
const shortest = 250

const broken = Problem.make({ error: "unreachable" })
