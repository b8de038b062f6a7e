import { Context, Effect, Layer, Option, Redacted } from "effect"
import { Conflict, InvalidRequest, type NotFound, orNotFound } from "../../domain/Errors.ts"
import { ClientId } from "../../domain/Id.ts"
import type { NewOAuthClient, OAuthClient, OAuthClientPage, RegisteredOAuthClient } from "../../domain/OAuthClient.ts"
import type { PageRequest } from "../../domain/Page.ts"
import { atEdge, OwnConnections, SharedConnections } from "../../sql/Connections.ts"
import * as ClientRepository from "../../sql/oauth/ClientRepository.ts"
import { newSecret } from "../platform/Crypto.ts"
import { newId } from "../platform/Ids.ts"
import { noteAct } from "../platform/NotedActs.ts"
import { Paging } from "../platform/Paging.ts"
import { Settings } from "../platform/Settings.ts"
import { oauthSecrets } from "./OAuthSecrets.ts"
import { isInside } from "./PublicAddresses.ts"
import { webhookKey } from "./WebhookKey.ts"

/** The apps that the operator registered. Apps cannot register themselves. */
export class Clients extends Context.Service<Clients, {
  readonly register: (client: typeof NewOAuthClient.Type) => Effect.Effect<RegisteredOAuthClient, InvalidRequest>
  readonly list: (page: PageRequest) => Effect.Effect<typeof OAuthClientPage.Type, InvalidRequest>
  /** The client's tokens stop working immediately. */
  readonly disable: (id: ClientId) => Effect.Effect<OAuthClient, NotFound>
  /** The old secret stops working immediately. */
  readonly rotateSecret: (id: ClientId) => Effect.Effect<RegisteredOAuthClient, NotFound | Conflict>
}>()("vrss/services/oauth/Clients") {
  static readonly layer = Layer.effect(
    Clients,
    Effect.gen(function*() {
      const { webhookSecret } = yield* Settings
      const paging = yield* Paging
      const clients = ClientRepository.make(yield* SharedConnections)
      const { clientSecretHash } = yield* oauthSecrets
      const sql = yield* OwnConnections
      const own = ClientRepository.make(sql)

      /** Takes a step on one client in a transaction, and notes it if it changed something. */
      const taken = <Row>(
        act: "app_secret_rotated" | "app_disabled",
        id: ClientId,
        step: Effect.Effect<Option.Option<Row>>
      ) =>
        atEdge(sql.withTransaction(Effect.tap(step, (row) => Option.isSome(row) ? noteAct(sql, act, id) : Effect.void)))

      const register = Effect.fn("Clients.register")(function*(client: typeof NewOAuthClient.Type) {
        // Webhooks would call no such address either. Here the operator is still there to correct it.
        if (client.webhookUrl !== undefined && isInside(new URL(client.webhookUrl).hostname)) {
          return yield* InvalidRequest.at(["webhookUrl"], publicHost)
        }
        const id = ClientId.make(newId())
        const clientSecret = client.confidential === true ? newSecret() : null
        const inserted = own.insert({
          id,
          name: client.name,
          redirectUris: client.redirectUris,
          scopes: client.scopes,
          secretHash: clientSecret === null ? null : clientSecretHash(id, clientSecret),
          privacyUrl: client.privacyUrl ?? null,
          webhookUrl: client.webhookUrl ?? null
        })
        const row = yield* atEdge(sql.withTransaction(Effect.tap(inserted, () => noteAct(sql, "app_registered", id))))
        return {
          ...clientOf(row),
          clientSecret,
          webhookSecret: client.webhookUrl === undefined ? null : Redacted.value(webhookKey(webhookSecret, id))
        }
      })

      const disable = Effect.fn("Clients.disable")(function*(id: ClientId) {
        yield* taken("app_disabled", id, own.disable(id))
        return clientOf(yield* orNotFound(clients.find(id)))
      })

      const rotateSecret = Effect.fn("Clients.rotateSecret")(function*(id: ClientId) {
        const clientSecret = newSecret()
        const replaced = own.replaceSecret(id, clientSecretHash(id, clientSecret))
        const rotated = yield* taken("app_secret_rotated", id, replaced)
        if (Option.isSome(rotated)) return { ...clientOf(rotated.value), clientSecret, webhookSecret: null }
        const { disabledAt } = yield* orNotFound(clients.find(id))
        return yield* new Conflict({ message: disabledAt === null ? isPublic : isDisabled })
      })

      return Clients.of({
        register,
        list: (request) =>
          Effect.map(paging.byId("oauth-clients", request, clients.list), ({ items, nextCursor }) => ({
            items: items.map(clientOf),
            nextCursor
          })),
        disable,
        rotateSecret
      })
    })
  )
}

const publicHost = "Expected a host on the public Internet, not on this machine or a private network"

const isPublic = "This app is public, and has no secret."

const isDisabled = "This app is disabled."

const clientOf = ({ id, ...row }: ClientRepository.ClientRow): OAuthClient => ({ clientId: id, ...row })
