import { Effect, Option } from "effect"
import type { AppSession } from "../../domain/AppSession.ts"
import { Forbidden, NotFound, Unauthenticated } from "../../domain/Errors.ts"
import { allowedOf } from "../../domain/SmartScope.ts"
import * as VeteranRepository from "../../sql/account/VeteranRepository.ts"
import { Actors } from "../../sql/Actor.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as GrantedItemRepository from "../../sql/fhir/GrantedItemRepository.ts"
import { readAhead } from "../../sql/ReadAhead.ts"
import { Crypto } from "../platform/Crypto.ts"
import { isCompressed } from "../platform/Envelope.ts"
import { inTurns } from "../platform/Pace.ts"
import { HealthRecord } from "../record/HealthRecord.ts"
import { asApp, prove } from "./AppProof.ts"
import { isFhirId } from "./FhirId.ts"
import { generatedPatient } from "./GeneratedPatient.ts"
import { criteriaOf, itemMatcher } from "./ListingPlan.ts"
import { TokenPatient } from "./TokenPatient.ts"

export interface ReadResource {
  /** The resource's exact JSON text, or undefined if the client already has it. */
  readonly bytes: Uint8Array | undefined
  /** A keyed hash of the text. */
  readonly version: string
  /** When the text was stored. A generated resource has no such date. */
  readonly storedAt: Date | undefined
}

type Refusal = Forbidden | NotFound | Unauthenticated

/** A resource that is or may be large. The caller runs `large`, which decrypts it, in the queue of large answers. */
interface LargeResource<None = never> {
  readonly large: Effect.Effect<ReadResource | None, Refusal>
}

/** Reads one resource. `known` lists the versions that the client has; `*` matches any version. */
export type AppReading = (
  app: AppSession,
  resourceType: string,
  fhirId: string,
  known: ReadonlyArray<string>
) => Effect.Effect<ReadResource | LargeResource, Refusal>

export const isKnown = (version: string, known: ReadonlyArray<string>): boolean =>
  known.includes("*") || known.includes(version)

export const outOfScope = () => new Forbidden({ message: "The scopes of the access token do not cover this." })

/** A ciphertext of at most 64 KiB is read in one query with the item's metadata. A larger one takes a second query. */
const fewBytes = 64 * 1024

export const makeAppReading = Effect.gen(function*() {
  const actors = yield* Actors
  const hash = (yield* Crypto).keyedHash("fhir-version")
  const healthRecord = yield* HealthRecord
  const { patientOf } = yield* TokenPatient
  const veterans = VeteranRepository.make(yield* SharedConnections)

  const versionOf = (veteranId: string, resourceType: string, fhirId: string, content: Uint8Array) =>
    hash(veteranId, resourceType, fhirId, content).subarray(0, 16).toString("base64url")

  const item = Effect.fnUntraced(function*(app: AppSession, resourceType: string, fhirId: string, largest: number) {
    const found = yield* GrantedItemRepository.item({ veteranId: app.veteranId, resourceType, fhirId, largest })
    const isThere = Option.isSome(found) || (yield* GrantedItemRepository.isGranted)
    return isThere ? Option.getOrUndefined(found) : yield* new Unauthenticated()
  })

  const proveRead = (app: AppSession, resourceType: string) =>
    Effect.catchTag(prove(app, { [resourceType]: 1 }), "RecordChanged", Effect.die)

  type Item = NonNullable<Effect.Success<ReturnType<typeof item>>>

  /** Returns undefined if the item does not exist or may not be read: the app must not learn which. */
  const stored = Effect.fnUntraced(
    function*(app: AppSession, resourceType: string, fhirId: string, known: ReadonlyArray<string>) {
      const { scopes, veteranId } = app
      const allowed = (type: string) => allowedOf(scopes, type, "r")
      const criteria = criteriaOf({ allowed, listing: { criteria: [] } }, resourceType)
      // If only the decrypted text shows whether the item is in scope, nothing is answered before it is decrypted.
      const isNarrowed = criteria.length > 0
      const metadataOf = ({ contentMac, syncedAt }: Item) => ({
        version: versionOf(veteranId, resourceType, fhirId, contentMac),
        storedAt: syncedAt
      })
      const clientHas = (row: Item) => !isNarrowed && isKnown(metadataOf(row).version, known)
      const isEnough = (row: Item) => clientHas(row) || (!isNarrowed && row.rawCiphertext !== null)

      const look = (largest: number) =>
        readAhead(
          actors,
          asApp(app),
          item(app, resourceType, fhirId, largest),
          (found) => found !== undefined && isEnough(found) ? proveRead(app, resourceType) : Effect.void
        )

      const open = Effect.fnUntraced(function*({ proved, read }: Effect.Success<ReturnType<typeof look>>) {
        if (read === undefined) return undefined
        const bytes = yield* healthRecord.open(veteranId, { resourceType, fhirId, rawCiphertext: read.rawCiphertext! })
        yield* proved
        if (!isNarrowed) return { ...metadataOf(read), bytes }
        if (!(yield* inTurns(itemMatcher(criteria)(bytes)))) return undefined
        yield* actors.withActor(asApp(app))(proveRead(app, resourceType))
        return { ...metadataOf(read), bytes }
      })

      // The client's versions are compared before the text is fetched.
      const found = yield* look(isNarrowed || known.length > 0 ? 0 : fewBytes)
      const { proved, read } = found
      if (read === undefined || clientHas(read)) {
        yield* proved
        return read && { ...metadataOf(read), bytes: undefined }
      }
      const { rawCiphertext } = read
      if (rawCiphertext !== null && !isCompressed(rawCiphertext)) return yield* open(found)
      const large = rawCiphertext === null ? Effect.flatMap(look(Number.MAX_SAFE_INTEGER), open) : open(found)
      return { large } as LargeResource<undefined>
    }
  )

  const generated = Effect.fnUntraced(function*(app: AppSession) {
    const { veteranId } = app
    const { callSign } = Option.getOrThrow(yield* veterans.findById(veteranId))
    const patient = yield* patientOf(app)
    yield* actors.withActor(asApp(app))(proveRead(app, "Patient"))
    const other = patient === veteranId ? undefined : patient
    const bytes = Buffer.from(JSON.stringify(generatedPatient({ veteranId, callSign, stored: other })))
    return { version: versionOf(veteranId, "Patient", veteranId, bytes), storedAt: undefined, bytes }
  })

  const read: AppReading = Effect.fn("AppRecord.read")(function*(app, resourceType, fhirId, known) {
    if (allowedOf(app.scopes, resourceType, "r") === undefined) return yield* outOfScope()
    if (!isFhirId(fhirId)) return yield* new NotFound()
    const orGenerated = (found: ReadResource | undefined): Effect.Effect<ReadResource, Refusal> => {
      if (found !== undefined) return Effect.succeed(found)
      return resourceType === "Patient" && fhirId === app.veteranId ? generated(app) : Effect.fail(new NotFound())
    }
    const found = yield* stored(app, resourceType, fhirId, known)
    if (found === undefined || !("large" in found)) return yield* orGenerated(found)
    return { large: Effect.flatMap(found.large, orGenerated) }
  })

  return read
})
