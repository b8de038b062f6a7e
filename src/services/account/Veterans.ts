import { Context, Effect, Layer, Option } from "effect"
import { Conflict, type InvalidRequest, Unauthenticated } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { PageRequest } from "../../domain/Page.ts"
import type { NewVeteran, Veteran, VeteranPage } from "../../domain/Veteran.ts"
import * as VeteranRepository from "../../sql/account/VeteranRepository.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import { fromStored } from "../../sql/record/ManifestColumn.ts"
import { newId } from "../platform/Ids.ts"
import { Paging } from "../platform/Paging.ts"

export class Veterans extends Context.Service<Veterans, {
  /** Fails with `Unauthenticated` if the veteran was deleted: a token may outlive the row. */
  readonly me: (veteranId: VeteranId) => Effect.Effect<Veteran, Unauthenticated>
  readonly findByVaPatientId: (vaPatientId: string) => Effect.Effect<Option.Option<Veteran>>
  readonly register: (veteran: typeof NewVeteran.Type) => Effect.Effect<Veteran, Conflict>
  readonly list: (page: PageRequest) => Effect.Effect<typeof VeteranPage.Type, InvalidRequest>
}>()("vrss/services/account/Veterans") {
  static readonly layer = Layer.effect(
    Veterans,
    Effect.gen(function*() {
      const paging = yield* Paging
      const veterans = VeteranRepository.make(yield* SharedConnections)

      const me = Effect.fn("Veterans.me")(function*(veteranId: VeteranId) {
        const veteran = yield* veterans.findById(veteranId)
        return Option.isSome(veteran) ? decode(veteran.value) : yield* new Unauthenticated()
      })

      const register = Effect.fn("Veterans.register")(function*(veteran: typeof NewVeteran.Type) {
        const registered = yield* veterans.insert({ id: newId(), ...veteran })
        return Option.isSome(registered)
          ? decode(registered.value)
          : yield* new Conflict({ message: "This vaPatientId is registered already." })
      })

      const list = Effect.fn("Veterans.list")(function*(request: PageRequest) {
        const page = yield* paging.byId("veterans", request, veterans.list)
        return { ...page, items: page.items.map(decode) }
      })

      return Veterans.of({
        me,
        findByVaPatientId: (vaPatientId) => Effect.map(veterans.findByVaPatientId(vaPatientId), Option.map(decode)),
        register,
        list
      })
    })
  )
}

const decode = <Row extends { readonly fhirSyncManifest: unknown }>(row: Row) => ({
  ...row,
  fhirSyncManifest: fromStored(row.fhirSyncManifest)
})
