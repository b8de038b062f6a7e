import { Context, Effect, Layer, Option } from "effect"
import { Conflict, type InvalidRequest, NotFound, type ServiceUnavailable } from "../../domain/Errors.ts"
import type { ProviderId } from "../../domain/Id.ts"
import type { PageRequest } from "../../domain/Page.ts"
import type { AdministeredProvider, DirectoryPage, NewProvider, ProviderPage } from "../../domain/Provider.ts"
import * as ProviderPasswordRepository from "../../sql/account/ProviderPasswordRepository.ts"
import * as ProviderRepository from "../../sql/account/ProviderRepository.ts"
import { atEdge, OwnConnections, SharedConnections } from "../../sql/Connections.ts"
import { note } from "../../sql/operation/AdminActs.ts"
import { newSecret } from "../platform/Crypto.ts"
import { newId } from "../platform/Ids.ts"
import { Paging } from "../platform/Paging.ts"
import { Password } from "./Password.ts"
import { passwordLinks } from "./PasswordLinks.ts"
import { checkPassword } from "./PasswordRules.ts"

export class Providers extends Context.Service<Providers, {
  /** Without a password, the provider is mailed a link to choose one. */
  readonly register: (
    provider: typeof NewProvider.Type
  ) => Effect.Effect<AdministeredProvider, Conflict | InvalidRequest | ServiceUnavailable>
  readonly list: (page: PageRequest) => Effect.Effect<typeof ProviderPage.Type, InvalidRequest>
  /** Immediately ends the provider's sessions and hides every record from the provider. */
  readonly disable: (id: ProviderId) => Effect.Effect<AdministeredProvider, NotFound>
  /** Finds at most one provider by the exact e-mail, so that nobody can browse the directory. */
  readonly findByEmail: (email: string) => Effect.Effect<typeof DirectoryPage.Type>
  /** Finds at most 5 providers by the National Provider Identifier. */
  readonly findByNpi: (npi: string) => Effect.Effect<typeof DirectoryPage.Type>
}>()("vrss/services/account/Providers") {
  static readonly layer = Layer.effect(
    Providers,
    Effect.gen(function*() {
      const paging = yield* Paging
      const password = yield* Password
      const providers = ProviderRepository.make(yield* SharedConnections)
      const sql = yield* OwnConnections
      const own = ProviderRepository.make(sql)
      const passwords = ProviderPasswordRepository.make(sql)
      const links = yield* passwordLinks

      const register = Effect.fn("Providers.register")(
        function*({ password: chosen, ...provider }: typeof NewProvider.Type) {
          if (chosen !== undefined) yield* checkPassword(chosen, { email: provider.email, member: "password" })
          const [id, linkId] = [newId<ProviderId>(), newId()]
          // Until a password is chosen, the hash is that of a secret which nobody knows.
          const passwordHash = yield* password.hash(chosen ?? newSecret())
          return yield* atEdge(sql.withTransaction(Effect.gen(function*() {
            const registered = yield* own.insert({ ...provider, id, npi: provider.npi ?? null, passwordHash })
            if (Option.isNone(registered)) {
              return yield* new Conflict({ message: "A provider with this e-mail is registered already." })
            }
            yield* note(sql, { id: newId(), act: "provider_registered", target: { kind: "provider", id } })
            if (chosen === undefined) {
              const tokenHash = links.tokenHash(links.token(linkId))
              yield* passwords.mailLink({ id: linkId, providerId: id, tokenHash, why: "registered" })
            }
            return registered.value
          })))
        }
      )

      const disable = Effect.fn("Providers.disable")(function*(id: ProviderId) {
        const disabled = yield* providers.disable(id)
        return Option.isSome(disabled) ? disabled.value : yield* new NotFound()
      })

      return Providers.of({
        register,
        list: (request) => paging.byId("providers", request, providers.list),
        disable,
        findByEmail: (email) =>
          Effect.map(
            providers.findByEmail(email),
            (provider) => ({ items: Option.toArray(provider), nextCursor: null })
          ),
        findByNpi: (npi) => Effect.map(providers.findByNpi(npi, 5), (items) => ({ items, nextCursor: null }))
      })
    })
  )
}
