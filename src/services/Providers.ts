import { Context, Effect, Layer, Option, Schema } from "effect"
import * as ProviderRepository from "../sql/ProviderRepository.ts"
import { Statements } from "../sql/Statements.ts"
import { Conflict, type InvalidRequest, NotFound, type ServiceUnavailable } from "./ApiError.ts"
import { newId } from "./Ids.ts"
import { PageOf, type PageRequest, Paging } from "./Paging.ts"
import { Password } from "./Password.ts"
import { EmailAddress, Instant, isStorable, Text } from "./Text.ts"

/** OWASP ASVS 5.0, 6.2.1 and 6.2.9: at least 8 characters, no rule of composition, long ones taken whole. */
const NewPassword = Schema.String.check(
  Schema.isMinLength(8),
  Schema.isMaxLength(256),
  Schema.makeFilter((text: string) => isStorable(text) || "Expected text without NUL and lone surrogates")
)

/** National Provider Identifier: ten digits, the last a Luhn check digit over the prefix 80840 (45 CFR 162.406). */
export const Npi = Schema.String.check(
  Schema.makeFilter((npi: string) => /^\d{10}$/.test(npi) && luhn(`80840${npi}`) || "Expected a valid NPI (10 digits)")
)

export const NewProvider = Schema.Struct({
  email: EmailAddress,
  password: NewPassword,
  displayName: Text(200),
  organization: Text(200),
  npi: Schema.optional(Schema.NullOr(Npi))
}).annotate({ identifier: "NewProvider" })

export const Provider = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  displayName: Schema.String,
  organization: Schema.String,
  npi: Schema.NullOr(Schema.String),
  createdAt: Instant
}).annotate({ identifier: "Provider" })
export type Provider = typeof Provider.Type

export const AdministeredProvider = Schema.Struct({
  ...Provider.fields,
  disabledAt: Schema.NullOr(Instant)
}).annotate({ identifier: "AdministeredProvider" })
type AdministeredProvider = typeof AdministeredProvider.Type

export const ProviderPage = PageOf(AdministeredProvider)

/** What a veteran may learn of a provider before sharing. */
export const DirectoryEntry = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  displayName: Schema.String,
  organization: Schema.String,
  npi: Schema.NullOr(Schema.String)
}).annotate({ identifier: "DirectoryEntry" })

export const DirectoryPage = PageOf(DirectoryEntry)

export class Providers extends Context.Service<Providers, {
  readonly register: (
    provider: typeof NewProvider.Type
  ) => Effect.Effect<AdministeredProvider, Conflict | ServiceUnavailable>
  readonly list: (page: PageRequest) => Effect.Effect<typeof ProviderPage.Type, InvalidRequest>
  /** Ends the provider's sessions and hides every record from them, at once. */
  readonly disable: (id: string) => Effect.Effect<AdministeredProvider, NotFound>
  /** At most one, by the exact e-mail: the directory cannot be browsed. */
  readonly directory: (email: string) => Effect.Effect<typeof DirectoryPage.Type>
}>()("vrss/Providers") {
  static readonly layer = Layer.effect(
    Providers,
    Effect.gen(function*() {
      const paging = yield* Paging
      const password = yield* Password
      const providers = ProviderRepository.make(yield* Statements)

      const register = Effect.fn("Providers.register")(
        function*({ password: chosen, ...provider }: typeof NewProvider.Type) {
          const registered = yield* providers.insert({
            ...provider,
            id: newId(),
            npi: provider.npi ?? null,
            passwordHash: yield* password.hash(chosen)
          })
          return Option.isSome(registered)
            ? registered.value
            : yield* new Conflict({ message: "A provider with this e-mail is registered already." })
        }
      )

      const disable = Effect.fn("Providers.disable")(function*(id: string) {
        const disabled = yield* providers.disable(id)
        return Option.isSome(disabled) ? disabled.value : yield* new NotFound()
      })

      return Providers.of({
        register,
        list: (request) => paging.byId("providers", request, providers.list),
        disable,
        directory: (email) =>
          Effect.map(providers.findByEmail(email), (found) => ({ items: Option.toArray(found), nextCursor: null }))
      })
    })
  )
}

const luhn = (digits: string) =>
  [...digits].reverse().reduce((sum, digit, index) => {
        const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
        return sum + (value > 9 ? value - 9 : value)
      }, 0) % 10 === 0
