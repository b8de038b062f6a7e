import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidClient, invalidRequest, type OAuthError } from "../../domain/OAuthError.ts"
import type { ClientCredentials } from "../../services/oauth/ClientAuthentication.ts"
import { formDecoded } from "../wire/FormBody.ts"

interface ClientForm {
  readonly client_id?: string | undefined
  readonly client_secret?: string | undefined
}

/** Reads the client's credentials from HTTP Basic or from the form, and never from both (RFC 6749, 2.3). */
export const clientCredentials = (
  { headers: { authorization } }: HttpServerRequest.HttpServerRequest,
  { client_id: id, client_secret: secret }: ClientForm
): Effect.Effect<ClientCredentials, OAuthError | InvalidClient> => {
  if (authorization === undefined) return Effect.succeed({ id, secret })
  const credentials = basicCredentials(authorization)
  if (credentials === undefined) return Effect.fail(new InvalidClient(InvalidClient.refused))
  if (secret !== undefined || (id !== undefined && id !== credentials.id)) {
    return Effect.fail(invalidRequest("The client authenticates in more than one way."))
  }
  return Effect.succeed(credentials)
}

/**
 * Reads an HTTP Basic header. The client encodes the id and the secret as in a form before it joins them (RFC 6749,
 * 2.3.1).
 * @returns undefined if the header is malformed or not Basic
 */
const basicCredentials = (authorization: string): ClientCredentials | undefined => {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization) ?? []
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? "", "base64").toString()) ?? []
  if (id === undefined || secret === undefined) return undefined
  try {
    return { id: formDecoded(id), secret: formDecoded(secret) }
  } catch {
    return undefined
  }
}
