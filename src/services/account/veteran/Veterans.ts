import { Context, Effect, Layer, Option } from "effect"
import { Conflict, type InvalidRequest, type NotFound, orNotFound, Unauthenticated } from "../../../domain/Errors.ts"
import type { VeteranId } from "../../../domain/Id.ts"
import type { PageRequest } from "../../../domain/Page.ts"
import type { NewVeteran, Veteran, VeteranChange, VeteranFilter, VeteranPage } from "../../../domain/Veteran.ts"
import * as DeviceSessionRepository from "../../../sql/account/DeviceSessionRepository.ts"
import * as VeteranRepository from "../../../sql/account/VeteranRepository.ts"
import { atEdge, OwnConnections, SharedConnections } from "../../../sql/Connections.ts"
import { onVeteran } from "../../../sql/operation/AdminActs.ts"
import { fromStored } from "../../../sql/record/ManifestColumn.ts"
import { newId } from "../../platform/Ids.ts"
import { noteAct } from "../../platform/NotedActs.ts"
import { Paging } from "../../platform/Paging.ts"

export class Veterans extends Context.Service<Veterans, {
  /** Fails with `Unauthenticated` if the veteran was deleted: a token may outlive the row. */
  readonly me: (veteranId: VeteranId) => Effect.Effect<Veteran, Unauthenticated>
  readonly findByVaPatientId: (vaPatientId: string) => Effect.Effect<Option.Option<Veteran>>
  readonly register: (veteran: typeof NewVeteran.Type) => Effect.Effect<Veteran, Conflict>
  readonly list: (query: PageRequest & VeteranFilter) => Effect.Effect<typeof VeteranPage.Type, InvalidRequest>
  /**
   * A new e-mail address is told to itself and to the old one. A new number at the VA ends all sessions; nothing else
   * does.
   */
  readonly change: (
    veteranId: VeteranId,
    change: typeof VeteranChange.Type
  ) => Effect.Effect<Veteran, Conflict | NotFound>
}>()("vrss/services/account/veteran/Veterans") {
  static readonly layer = Layer.effect(
    Veterans,
    Effect.gen(function*() {
      const paging = yield* Paging
      const veterans = VeteranRepository.make(yield* SharedConnections)
      const sql = yield* OwnConnections
      const own = VeteranRepository.make(sql)
      const sessions = DeviceSessionRepository.make(sql)

      const me = Effect.fn("Veterans.me")(function*(veteranId: VeteranId) {
        const veteran = yield* veterans.findById(veteranId)
        return Option.isSome(veteran) ? decode(veteran.value) : yield* new Unauthenticated()
      })

      const register = Effect.fn("Veterans.register")((veteran: typeof NewVeteran.Type) =>
        atEdge(sql.withTransaction(Effect.gen(function*() {
          const registered = yield* own.insert({ id: newId(), ...veteran })
          if (Option.isNone(registered)) {
            return yield* new Conflict({ message: "This vaPatientId is registered already." })
          }
          yield* noteAct(sql, "veteran_registered", registered.value.id)
          return decode(registered.value)
        })))
      )

      const list: Veterans["Service"]["list"] = Effect.fn("Veterans.list")(function*({ cursor, limit, ...filter }) {
        const page = yield* paging.byId(
          `veterans|${JSON.stringify(filter)}`,
          { cursor, limit },
          (query) => veterans.list({ ...query, filter })
        )
        return { ...page, items: page.items.map(decode) }
      })

      // The address comes first: its step takes the veteran's turn before the row is locked, as sign-ins do.
      const change = Effect.fn("Veterans.change")(
        (veteranId: VeteranId, { callSign, email, vaPatientId }: typeof VeteranChange.Type) =>
          onVeteran(sql)(Effect.gen(function*() {
            const address = email === undefined ? same : yield* own.changeEmail(veteranId, email, false)
            const patient = vaPatientId === undefined ? same : yield* sessions.changePatient(veteranId, vaPatientId)
            if (patient.status === "taken") {
              return yield* new Conflict({ message: "Another veteran has this vaPatientId." })
            }
            const named = callSign === undefined ? Option.none() : yield* own.changeCallSign(veteranId, callSign)
            const veteran = yield* orNotFound(own.findHere(veteranId))
            if (address.status !== "same" || patient.status !== "same" || Option.isSome(named)) {
              yield* noteAct(sql, "veteran_changed", veteranId)
            }
            return decode(veteran)
          }))
      )

      return Veterans.of({
        me,
        findByVaPatientId: (vaPatientId) => Effect.map(veterans.findByVaPatientId(vaPatientId), Option.map(decode)),
        register,
        list,
        change
      })
    })
  )
}

const same = { status: "same" } as const

const decode = <Row extends { readonly fhirSyncManifest: unknown }>(row: Row) => ({
  ...row,
  fhirSyncManifest: fromStored(row.fhirSyncManifest)
})
