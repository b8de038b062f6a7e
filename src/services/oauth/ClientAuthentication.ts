import { Context, Effect, Layer, Option } from "effect"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { ClientId, uuid } from "../../domain/Id.ts"
import { InvalidClient } from "../../domain/OAuthError.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as ClientRepository from "../../sql/oauth/ClientRepository.ts"
import { oauthSecrets } from "./OAuthSecrets.ts"

export interface ClientCredentials {
  readonly id: string | undefined
  readonly secret: string | undefined
}

export interface AuthenticatedClient {
  readonly clientId: ClientId
  readonly confidential: boolean
}

/** Whether a request has no credentials. A public client's refresh needs none: the refresh token identifies it. */
export const isEmpty = ({ id, secret }: ClientCredentials) => id === undefined && secret === undefined

/** Authenticates public clients by their id and confidential ones by their secret (RFC 6749, 2.3). */
export class ClientAuthentication extends Context.Service<ClientAuthentication, {
  readonly authenticate: (credentials: ClientCredentials) => Effect.Effect<AuthenticatedClient, InvalidClient>
}>()("vrss/services/oauth/ClientAuthentication") {
  static readonly layer = Layer.effect(
    ClientAuthentication,
    Effect.gen(function*() {
      const clients = ClientRepository.make(yield* SharedConnections)
      const { clientSecretHash } = yield* oauthSecrets
      return ClientAuthentication.of({
        authenticate: Effect.fn("ClientAuthentication.authenticate")(function*({ id = "", secret = "" }) {
          const clientId = ClientId.make(uuid.test(id) ? id : nobody)
          const client = yield* clients.findCredential(clientId)
          const secretHash = Option.match(client, { onNone: () => undefined, onSome: (row) => row.secretHash })
          // The time of the answer shows neither whether the client is known nor how much of the secret is right.
          const isRight = timingSafeEqual(clientSecretHash(clientId, secret), secretHash ?? randomBytes(32))
          if (Option.isNone(client) || (secretHash === null ? secret !== "" : !isRight)) {
            return yield* new InvalidClient(InvalidClient.refused)
          }
          return { clientId, confidential: secretHash !== null }
        })
      })
    })
  )
}

/** An id that no client has. Looking it up makes a malformed id take as long as an unknown one. */
const nobody = "00000000-0000-0000-0000-000000000000"
