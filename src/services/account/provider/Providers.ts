import { Context, Effect, Layer, Option } from "effect"
import type { AdminActKind } from "../../../domain/AdminAct.ts"
import {
  Conflict,
  type InvalidRequest,
  type NotFound,
  orNotFound,
  type ServiceUnavailable
} from "../../../domain/Errors.ts"
import type { ProviderId } from "../../../domain/Id.ts"
import type { PageRequest } from "../../../domain/Page.ts"
import type {
  AdministeredProvider,
  DirectoryPage,
  NewProvider,
  ProviderChange,
  ProviderFilter,
  ProviderPage
} from "../../../domain/Provider.ts"
import * as ProviderPasswordRepository from "../../../sql/account/ProviderPasswordRepository.ts"
import * as ProviderRepository from "../../../sql/account/ProviderRepository.ts"
import { atEdge, OwnConnections, SharedConnections } from "../../../sql/Connections.ts"
import { newSecret } from "../../platform/Crypto.ts"
import { newId } from "../../platform/Ids.ts"
import { noteAct } from "../../platform/NotedActs.ts"
import { Paging } from "../../platform/Paging.ts"
import { Password } from "./Password.ts"
import { passwordLinks } from "./PasswordLinks.ts"
import { checkPassword } from "./PasswordRules.ts"

export class Providers extends Context.Service<Providers, {
  /** Without a password, the provider is mailed a link to choose one. */
  readonly register: (
    provider: typeof NewProvider.Type
  ) => Effect.Effect<AdministeredProvider, Conflict | InvalidRequest | ServiceUnavailable>
  readonly list: (query: PageRequest & ProviderFilter) => Effect.Effect<typeof ProviderPage.Type, InvalidRequest>
  /** A new e-mail address is told to itself and to the old one. */
  readonly change: (
    id: ProviderId,
    change: typeof ProviderChange.Type
  ) => Effect.Effect<AdministeredProvider, Conflict | NotFound>
  /** Immediately ends the provider's sessions and hides every record from the provider. */
  readonly disable: (id: ProviderId) => Effect.Effect<AdministeredProvider, NotFound>
  /** Shares that neither expired nor were ended meanwhile show their records again, once the provider signs in anew. */
  readonly enable: (id: ProviderId) => Effect.Effect<AdministeredProvider, NotFound>
  /** Finds at most one provider by the exact e-mail, so that nobody can browse the directory. */
  readonly findByEmail: (email: string) => Effect.Effect<typeof DirectoryPage.Type>
  /** Finds at most 5 providers by the National Provider Identifier. */
  readonly findByNpi: (npi: string) => Effect.Effect<typeof DirectoryPage.Type>
}>()("vrss/services/account/provider/Providers") {
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
            yield* noteAct(sql, "provider_registered", id)
            if (chosen === undefined) {
              const tokenHash = links.tokenHash(links.token(linkId))
              yield* passwords.mailLink({ id: linkId, providerId: id, tokenHash, why: "registered" })
            }
            return registered.value
          })))
        }
      )

      const found = (id: ProviderId) => orNotFound(own.findById(id))

      const change = Effect.fn("Providers.change")((id: ProviderId, changes: typeof ProviderChange.Type) =>
        atEdge(sql.withTransaction(Effect.gen(function*() {
          const { status } = yield* own.change(id, changes)
          if (status === "taken") return yield* new Conflict({ message: "Another provider has this e-mail." })
          if (status === "changed") yield* noteAct(sql, "provider_changed", id)
          return yield* found(id)
        })))
      )

      /** The same request again changes nothing, gets the same answer and is not noted. */
      const switched = (
        act: AdminActKind,
        step: (id: ProviderId) => Effect.Effect<Option.Option<unknown>>
      ) =>
      (id: ProviderId) =>
        atEdge(sql.withTransaction(Effect.gen(function*() {
          if (Option.isSome(yield* step(id))) yield* noteAct(sql, act, id)
          return yield* found(id)
        })))

      return Providers.of({
        register,
        list: ({ cursor, limit, ...filter }) =>
          paging.byId(
            `providers|${JSON.stringify(filter)}`,
            { cursor, limit },
            (query) => providers.list({ ...query, filter })
          ),
        change,
        disable: Effect.fn("Providers.disable")(switched("provider_disabled", own.disable)),
        enable: Effect.fn("Providers.enable")(switched("provider_enabled", own.enable)),
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
