import { Context, Effect, Layer } from "effect"
import type { AppSession } from "../../domain/AppSession.ts"
import { type Forbidden, type InvalidRequest, NotFound, type Unauthenticated } from "../../domain/Errors.ts"
import type { TooCostly } from "../../domain/FhirError.ts"
import { pageBytes } from "../../domain/Page.ts"
import { allowedOf } from "../../domain/SmartScope.ts"
import { Settings } from "../platform/Settings.ts"
import type { JsonBytes } from "../record/JsonBytes.ts"
import { makeAppListing } from "./AppListing.ts"
import { type AppReading, makeAppReading, outOfScope } from "./AppReading.ts"
import { includedType } from "./Includes.ts"
import type { Everything, Search } from "./Search.ts"
import { TokenPatient } from "./TokenPatient.ts"

/** A page of `$everything` ends at about 16 MiB. It is large because MedplumClient reads only the first page. */
const everythingBytes = 16 * 1024 * 1024

/** An item may be included if the app may read it or find it. */
const letters = ["r", "s"] as const

type Refusal = Forbidden | InvalidRequest | Unauthenticated

/** Reads and searches a record for an app, in FHIR R4. The proof of each answer is stored before the answer is sent. */
export class AppRecord extends Context.Service<AppRecord, {
  readonly read: AppReading
  readonly search: (
    app: AppSession,
    resourceType: string,
    search: Search
  ) => Effect.Effect<JsonBytes, Refusal | TooCostly>
  readonly everything: (
    app: AppSession,
    patient: string,
    everything: Everything
  ) => Effect.Effect<JsonBytes, Refusal | NotFound>
}>()("vrss/services/fhir/AppRecord") {
  static readonly layer = Layer.effect(
    AppRecord,
    Effect.gen(function*() {
      const list = yield* makeAppListing
      const { fhirBase } = yield* Settings
      const { patientOf } = yield* TokenPatient

      /** Whether each list names the token's patient. The veteran's id always does, so only other ids need a query. */
      const areOwn = Effect.fnUntraced(
        function*(app: AppSession, lists: ReadonlyArray<ReadonlyArray<string>>, names: (id: string) => Array<string>) {
          const lacks = (id: string) => (asked: ReadonlyArray<string>) =>
            !names(id).some((name) => asked.includes(name))
          const others = lists.filter(lacks(app.veteranId))
          return others.length === 0 || !others.some(lacks(yield* patientOf(app)))
        }
      )

      const search: AppRecord["Service"]["search"] = Effect.fn("AppRecord.search")(
        function*(app, resourceType, search) {
          const allowed = (type: string) => allowedOf(app.scopes, type, "s")
          if (allowed(resourceType) === undefined) return yield* outOfScope()
          const names = (id: string) => [id, `Patient/${id}`, `${fhirBase}/Patient/${id}`]
          return yield* list(app, {
            listing: search,
            resourceTypes: [resourceType],
            allowed,
            path: resourceType,
            bytes: pageBytes,
            order: search.order,
            includes: search.includes.filter((include) =>
              letters.some((letter) => allowedOf(app.scopes, includedType[include], letter) !== undefined)
            ),
            isEverything: false,
            ofPatient: yield* areOwn(app, search.patients, names)
          })
        }
      )

      const everything: AppRecord["Service"]["everything"] = Effect.fn("AppRecord.everything")(
        function*(app, patient, everything) {
          const reads = app.scopes.some((scope) => scope.kind === "read" && scope.letters.includes("r"))
          if (!reads) return yield* outOfScope()
          if (!(yield* areOwn(app, [[patient]], (id) => [id]))) return yield* new NotFound()
          return yield* list(app, {
            listing: everything,
            resourceTypes: everything.types ?? null,
            allowed: (type) => allowedOf(app.scopes, type, "r"),
            path: `Patient/${patient}/$everything`,
            bytes: everythingBytes,
            order: undefined,
            includes: [],
            isEverything: true,
            ofPatient: true
          }).pipe(Effect.catchTag("TooCostly", Effect.die))
        }
      )

      return AppRecord.of({ read: yield* makeAppReading, search, everything })
    })
  )
}
