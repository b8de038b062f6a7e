import { Context, Effect, Layer, Option, Schema } from "effect"
import { Statements } from "../sql/Statements.ts"
import * as VeteranRepository from "../sql/VeteranRepository.ts"
import { Conflict, type InvalidRequest, Unauthenticated } from "./ApiError.ts"
import { newId } from "./Ids.ts"
import { fromStored, Manifest } from "./Manifest.ts"
import { PageOf, type PageRequest, Paging } from "./Paging.ts"
import { EmailAddress, Instant, Text } from "./Text.ts"

export const NewVeteran = Schema.Struct({
  vaPatientId: Text(128),
  callSign: Text(100),
  email: EmailAddress
}).annotate({ identifier: "NewVeteran" })

export const Veteran = Schema.Struct({
  id: Schema.String,
  vaPatientId: Schema.String,
  callSign: Schema.String,
  email: Schema.String,
  createdAt: Instant,
  fhirSyncManifest: Manifest
}).annotate({ identifier: "Veteran" })
type Veteran = typeof Veteran.Type

export const VeteranPage = PageOf(Veteran)

export class Veterans extends Context.Service<Veterans, {
  /** A token may outlive its veteran's row. */
  readonly me: (veteranId: string) => Effect.Effect<Veteran, Unauthenticated>
  readonly findByVaPatientId: (vaPatientId: string) => Effect.Effect<Option.Option<Veteran>>
  readonly register: (veteran: typeof NewVeteran.Type) => Effect.Effect<Veteran, Conflict>
  readonly list: (page: PageRequest) => Effect.Effect<typeof VeteranPage.Type, InvalidRequest>
}>()("vrss/Veterans") {
  static readonly layer = Layer.effect(
    Veterans,
    Effect.gen(function*() {
      const paging = yield* Paging
      const veterans = VeteranRepository.make(yield* Statements)

      const me = Effect.fn("Veterans.me")(function*(veteranId: string) {
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
