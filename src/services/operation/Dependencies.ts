import { Context, type Duration, Effect, Layer } from "effect"
import { SharedConnections } from "../../sql/Connections.ts"
import { probeDatabase } from "../../sql/platform/DatabaseProbe.ts"
import { probeBucket } from "../document/BucketProbe.ts"
import { UploadBucket } from "../document/UploadBucket.ts"
import { probeUploads } from "../document/UploadsProbe.ts"
import { Mailer } from "../mail/Mailer.ts"
import { outageOf } from "../platform/Outage.ts"
import { Settings } from "../platform/Settings.ts"

interface Probe {
  /** Fails with the reason, in plain words without a secret, a host or a path. */
  readonly probe: Effect.Effect<unknown, string>
  /** How long the result of a probe is reused. */
  readonly every: Duration.Input
  /** True if the service can answer nothing without the dependency; false if only work that is retried needs it. */
  readonly needed: boolean
}

/** Reports whether each dependency of the service can be reached now, and why not. */
export class Dependencies extends Context.Service<Dependencies, {
  /** Simultaneous requests share one probe. */
  readonly check: Effect.Effect<{
    readonly status: "ok" | "unavailable"
    readonly dependencies: Record<string, "ok" | "unavailable">
    readonly reasons?: Record<string, string>
  }>
}>()("vrss/services/operation/Dependencies") {
  static readonly layer = Layer.effect(
    Dependencies,
    Effect.gen(function*() {
      const sql = yield* SharedConnections
      const mailer = yield* Mailer
      const { uploadDirectory } = yield* Settings
      const bucket = yield* UploadBucket
      const probes: Record<string, Probe> = {
        database: {
          probe: Effect.mapError(probeDatabase(sql), (error) => {
            const { message, sqlState } = outageOf(error)
            return sqlState === undefined ? message : `${message} (${sqlState})`
          }),
          every: "250 millis",
          needed: true
        },
        uploads: {
          probe: Effect.andThen(
            probeUploads(uploadDirectory),
            bucket === undefined ? Effect.void : probeBucket(bucket)
          ),
          every: "5 seconds",
          needed: true
        },
        mail: { probe: Effect.mapError(mailer.verify, ({ message }) => message), every: "1 minute", needed: false }
      }
      const shared = yield* Effect.forEach(Object.entries(probes), ([name, { every, needed, probe }]) =>
        Effect.map(
          Effect.cachedWithTTL(reasonOf(probe), every),
          (reason) => Effect.map(reason, (reason) => ({ name, needed, reason }))
        ))

      return Dependencies.of({
        check: Effect.map(Effect.all(shared, { concurrency: "unbounded" }), (outcomes) => {
          const wrong = outcomes.filter(({ reason }) => reason !== undefined)
          return {
            status: wrong.some(({ needed }) => needed) ? "unavailable" : "ok",
            dependencies: Object.fromEntries(
              outcomes.map(({ name, reason }) => [name, reason === undefined ? "ok" : "unavailable"])
            ),
            ...(wrong.length === 0
              ? {}
              : { reasons: Object.fromEntries(wrong.map(({ name, reason }) => [name, reason!])) })
          }
        })
      })
    })
  ).pipe(Layer.provide(UploadBucket.layer))
}

/** Returns undefined if the probe succeeds. */
const reasonOf = (probe: Probe["probe"]): Effect.Effect<string | undefined> =>
  probe.pipe(
    Effect.timeoutOrElse({ duration: "2 seconds", orElse: () => Effect.fail("no answer within 2 seconds") }),
    Effect.match({ onFailure: (reason) => reason, onSuccess: () => undefined })
  )
