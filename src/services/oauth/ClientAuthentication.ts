import { Context, Effect, Layer, Option } from "effect"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { ClientId, uuid } from "../../domain/Id.ts"
import { InvalidClient } from "../../domain/OAuthError.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as ClientRepository from "../../sql/oauth/ClientRepository.ts"
import { oauthSecrets } from "./OAuthSecrets.ts"

/** What a client showed of itself: undefined is what is missing. */
export interface ShownClient {
  readonly id: string | undefined
  readonly secret: string | undefined
}

export interface ProvenClient {
  readonly clientId: ClientId
  readonly confidential: boolean
}

/** Nothing was shown at all, by which a public client may refresh: its refresh token says whose it is. */
export const isUnnamed = ({ id, secret }: ShownClient) => id === undefined && secret === undefined

/** Recognises clients: a public one by its id, a confidential one by its secret (RFC 6749, 2.3). */
export class ClientProofs extends Context.Service<ClientProofs, {
  readonly prove: (shown: ShownClient) => Effect.Effect<ProvenClient, InvalidClient>
}>()("vrss/ClientProofs") {
  static readonly layer = Layer.effect(
    ClientProofs,
    Effect.gen(function*() {
      const clients = ClientRepository.make(yield* SharedConnections)
      const { clientSecretHash } = yield* oauthSecrets
      return ClientProofs.of({
        prove: Effect.fn("ClientProofs.prove")(function*({ id = "", secret = "" }) {
          const clientId = ClientId.make(uuid.test(id) ? id : nobody)
          const found = yield* clients.findCredential(clientId)
          const secretHash = Option.match(found, { onNone: () => undefined, onSome: (row) => row.secretHash })
          // Whoever asks cannot tell by the time whether the client is known, nor how much of the secret is right.
          const isRight = timingSafeEqual(clientSecretHash(clientId, secret), secretHash ?? randomBytes(32))
          if (Option.isNone(found) || (secretHash === null ? secret !== "" : !isRight)) {
            return yield* new InvalidClient(InvalidClient.refused)
          }
          return { clientId, confidential: secretHash !== null }
        })
      })
    })
  )
}

/** No client has this id, and it is looked up like any other. */
const nobody = "00000000-0000-0000-0000-000000000000"
