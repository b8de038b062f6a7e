import { Context, Effect, Layer, Option } from "effect"
import type { AppSession } from "../../domain/AppSession.ts"
import { Forbidden, type InvalidRequest, NotFound, Unauthenticated } from "../../domain/Errors.ts"
import { pageBytes } from "../../domain/Page.ts"
import { allowedOf } from "../../domain/SmartScope.ts"
import * as VeteranRepository from "../../sql/account/VeteranRepository.ts"
import { Actors } from "../../sql/Actor.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as GrantedItemRepository from "../../sql/fhir/GrantedItemRepository.ts"
import { Crypto } from "../platform/Crypto.ts"
import { Settings } from "../platform/Settings.ts"
import { HealthRecord } from "../record/HealthRecord.ts"
import type { JsonBytes } from "../record/JsonBytes.ts"
import { asApp, makeAppListing, prove } from "./AppListing.ts"
import { isFhirId } from "./FhirId.ts"
import { generatedPatient } from "./GeneratedPatient.ts"
import { agrees, criteriaOf } from "./ListingPlan.ts"
import type { Everything, Search } from "./Search.ts"
import { TokenPatient } from "./TokenPatient.ts"

export interface ReadResource {
  /** The exact text. */
  readonly bytes: Uint8Array
  /** A keyed hash of it. */
  readonly version: string
  /** Undefined for what is not stored. */
  readonly storedAt: Date | undefined
}

/** A page of `$everything` ends at about so many bytes: it is large because MedplumClient reads the first one alone. */
const everythingBytes = 16 * 1024 * 1024

type Refusal = Forbidden | InvalidRequest | Unauthenticated

/** Shows an app what its grant lets it read, in FHIR R4. The proof of each answer is stored before it leaves. */
export class AppRecord extends Context.Service<AppRecord, {
  readonly read: (
    app: AppSession,
    resourceType: string,
    fhirId: string
  ) => Effect.Effect<ReadResource, Refusal | NotFound>
  /** Answers a Bundle `searchset`. */
  readonly search: (app: AppSession, resourceType: string, search: Search) => Effect.Effect<JsonBytes, Refusal>
  readonly everything: (
    app: AppSession,
    patient: string,
    everything: Everything
  ) => Effect.Effect<JsonBytes, Refusal | NotFound>
}>()("vrss/AppRecord") {
  static readonly layer = Layer.effect(
    AppRecord,
    Effect.gen(function*() {
      const actors = yield* Actors
      const hash = (yield* Crypto).keyedHash("fhir-version")
      const healthRecord = yield* HealthRecord
      const list = yield* makeAppListing
      const { fhirBase } = yield* Settings
      const { patientOf } = yield* TokenPatient
      const veterans = VeteranRepository.make(yield* SharedConnections)

      const versioned = (
        { veteranId }: AppSession,
        { bytes, fhirId, resourceType, storedAt }: Omit<ReadResource, "version"> & {
          readonly resourceType: string
          readonly fhirId: string
        }
      ) => ({
        bytes,
        storedAt,
        version: hash(veteranId, resourceType, fhirId, bytes).subarray(0, 16).toString("base64url")
      })

      /** None where there is no such item, and where the app may not read it: nothing tells the two apart. */
      const stored = (app: AppSession, resourceType: string, fhirId: string) =>
        Effect.gen(function*() {
          const { scopes, veteranId } = app
          const [row] = yield* GrantedItemRepository.page({
            veteranId,
            resourceTypes: [resourceType],
            ids: [fhirId],
            stored: [],
            after: undefined,
            limit: 1,
            bytes: 1
          })
          if (row === undefined) {
            return (yield* GrantedItemRepository.isGranted) ? Option.none() : yield* new Unauthenticated()
          }
          const bytes = yield* healthRecord.open(veteranId, { resourceType, fhirId, rawCiphertext: row.rawCiphertext! })
          const scope = { allowed: (type: string) => allowedOf(scopes, type, "r"), listing: { criteria: [] } }
          if (!agrees(criteriaOf(scope, resourceType), bytes)) return Option.none()
          yield* prove(app, { [resourceType]: 1 })
          return Option.some(versioned(app, { resourceType, fhirId, bytes, storedAt: row.syncedAt }))
        }).pipe(actors.withActor(asApp(app)))

      const generated = Effect.fnUntraced(function*(app: AppSession) {
        const { veteranId } = app
        const { callSign } = Option.getOrThrow(yield* veterans.findById(veteranId))
        const patient = yield* patientOf(app)
        yield* actors.withActor(asApp(app))(prove(app, { Patient: 1 }))
        const other = patient === veteranId ? undefined : patient
        const bytes = Buffer.from(JSON.stringify(generatedPatient({ veteranId, callSign, stored: other })))
        return versioned(app, { resourceType: "Patient", fhirId: veteranId, bytes, storedAt: undefined })
      })

      const read: AppRecord["Service"]["read"] = Effect.fn("AppRecord.read")(
        function*(app, resourceType, fhirId) {
          if (allowedOf(app.scopes, resourceType, "r") === undefined) return yield* outOfScope()
          if (!isFhirId(fhirId)) return yield* new NotFound()
          const found = yield* stored(app, resourceType, fhirId)
          if (Option.isSome(found)) return found.value
          return resourceType === "Patient" && fhirId === app.veteranId ? yield* generated(app) : yield* new NotFound()
        },
        Effect.catchTag("RecordChanged", Effect.die)
      )

      /** The veteran's id is always that of a Patient of theirs; another one is looked for. */
      const isOwn = (app: AppSession, asked: ReadonlyArray<string>, names: (id: string) => ReadonlyArray<string>) =>
        names(app.veteranId).some((name) => asked.includes(name))
          ? Effect.succeed(true)
          : Effect.map(patientOf(app), (patient) => names(patient).some((name) => asked.includes(name)))

      const search: AppRecord["Service"]["search"] = Effect.fn("AppRecord.search")(
        function*(app, resourceType, search) {
          const allowed = (type: string) => allowedOf(app.scopes, type, "s")
          if (allowed(resourceType) === undefined) return yield* outOfScope()
          const names = (id: string) => [id, `Patient/${id}`, `${fhirBase}/Patient/${id}`]
          const own = yield* Effect.forEach(search.patients, (any) => isOwn(app, any, names))
          return yield* list(app, {
            listing: search,
            resourceTypes: [resourceType],
            allowed,
            path: resourceType,
            bytes: pageBytes,
            ofPatient: own.every((one) => one)
          })
        }
      )

      const everything: AppRecord["Service"]["everything"] = Effect.fn("AppRecord.everything")(
        function*(app, patient, everything) {
          const reads = app.scopes.some((scope) => scope.kind === "read" && scope.letters.includes("r"))
          if (!reads) return yield* outOfScope()
          if (!(yield* isOwn(app, [patient], (id) => [id]))) return yield* new NotFound()
          return yield* list(app, {
            listing: everything,
            resourceTypes: everything.types ?? null,
            allowed: (type) => allowedOf(app.scopes, type, "r"),
            path: `Patient/${patient}/$everything`,
            bytes: everythingBytes,
            ofPatient: true
          })
        }
      )

      return AppRecord.of({ read, search, everything })
    })
  )
}

const outOfScope = () => new Forbidden({ message: "The scopes of the access token do not cover this." })
