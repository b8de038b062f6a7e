import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { InvalidClient, invalidRequest, type OAuthError } from "../../domain/OAuthError.ts"
import type { ShownClient } from "../../services/oauth/ClientProofs.ts"
import { formDecoded } from "../wire/FormBody.ts"

interface ClientForm {
  readonly client_id?: string | undefined
  readonly client_secret?: string | undefined
}

/** Reads which client asks, by HTTP Basic or by the form, and never by both (RFC 6749, 2.3). */
export const shownClient = (
  { headers: { authorization } }: HttpServerRequest.HttpServerRequest,
  { client_id: id, client_secret: secret }: ClientForm
): Effect.Effect<ShownClient, OAuthError | InvalidClient> => {
  if (authorization === undefined) return Effect.succeed({ id, secret })
  const shown = basic(authorization)
  if (shown === undefined) return Effect.fail(new InvalidClient(InvalidClient.refused))
  if (secret !== undefined || (id !== undefined && id !== shown.id)) {
    return Effect.fail(invalidRequest("The client shows itself in more than one way."))
  }
  return Effect.succeed(shown)
}

/** Both parts are encoded as in a form, before they are joined (RFC 6749, 2.3.1). Undefined: it is malformed, or no Basic. */
const basic = (authorization: string): ShownClient | undefined => {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization) ?? []
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? "", "base64").toString()) ?? []
  if (id === undefined || secret === undefined) return undefined
  try {
    return { id: formDecoded(id), secret: formDecoded(secret) }
  } catch {
    return undefined
  }
}
