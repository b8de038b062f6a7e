import { Context, Effect, Layer, Option } from "effect"
import { createHash } from "node:crypto"
import { appRequestLimits } from "../../domain/AppRequest.ts"
import type { ClientId, GrantId, VeteranId } from "../../domain/Id.ts"
import { InvalidClient, invalidRequest, OAuthError } from "../../domain/OAuthError.ts"
import type { TokenAnswer, TokenRequest } from "../../domain/OAuthToken.ts"
import { isSubset, parseScope, scopeText, type SmartScope } from "../../domain/SmartScope.ts"
import { OwnConnections, SharedConnections } from "../../sql/Connections.ts"
import * as AppGrantRepository from "../../sql/fhir/AppGrantRepository.ts"
import * as TokenRepository from "../../sql/oauth/TokenRepository.ts"
import { AccessTokens, appTokenSeconds } from "../account/session/AccessTokens.ts"
import { TokenPatient } from "../fhir/TokenPatient.ts"
import { slotOfSecret } from "../platform/Slot.ts"
import type { AuthenticatedClient } from "./ClientAuthentication.ts"
import { oauthSecrets } from "./OAuthSecrets.ts"
import { newFamily, newRefreshToken, readRefreshToken, type RefreshToken, writeRefreshToken } from "./RefreshToken.ts"

type Refusal = OAuthError | InvalidClient

/** Values that must equal those stored with the code. A null never matches, but the code is still used up. */
interface Redeemer {
  readonly clientId: ClientId | null
  readonly redirectUri: string | null
  readonly codeChallenge: string | null
}

/** Exchanges authorization codes and refresh tokens for tokens (OAuth 2.1, 4.1.3 and 4.3). */
export class TokenEndpoint extends Context.Service<TokenEndpoint, {
  /**
   * Every request that contains a code uses the code up, even if its credentials are wrong. So the caller does
   * not authenticate the client: `exchange` does, by running `client`. This yields undefined if the request names no
   * client. fhirclient names none when it refreshes.
   */
  readonly exchange: (
    request: TokenRequest,
    client: Effect.Effect<AuthenticatedClient | undefined, Refusal>
  ) => Effect.Effect<TokenAnswer, Refusal>
}>()("vrss/services/oauth/TokenEndpoint") {
  static readonly layer = Layer.effect(
    TokenEndpoint,
    Effect.gen(function*() {
      const accessTokens = yield* AccessTokens
      const { patientOf } = yield* TokenPatient
      const grants = AppGrantRepository.make(yield* SharedConnections)
      const tokens = TokenRepository.make(yield* OwnConnections)
      const { authorizationCodeHash, refreshFamilyHash, refreshTokenHash } = yield* oauthSecrets

      const hashesOf = ({ family, own }: RefreshToken) => ({
        family: refreshFamilyHash(family),
        token: refreshTokenHash(family, own)
      })

      const redeem = (code: string, redeemer: Redeemer) => {
        const refreshToken = newRefreshToken(newFamily(slotOfSecret(code)))
        const { family, token } = hashesOf(refreshToken)
        return Effect.map(
          tokens.redeem({
            code: authorizationCodeHash(code),
            ...redeemer,
            codeSeconds: appRequestLimits.authorizationCodeSeconds,
            family,
            refreshToken: token
          }),
          (row) => ({ row, refreshToken })
        )
      }

      const answer = Effect.fnUntraced(function*(
        { clientId, grantId, veteranId }: GrantedAccess,
        scope: string,
        refreshToken: RefreshToken | undefined
      ) {
        // Another request may have ended the grant meanwhile.
        const grant = yield* grants.active(grantId, veteranId, clientId)
        if (Option.isNone(grant)) return yield* notGood()
        return {
          access_token: yield* accessTokens.issueApp({ clientId, grantId, veteranId, scope }),
          token_type: "Bearer",
          expires_in: appTokenSeconds,
          scope,
          patient: yield* patientOf({ veteranId, sensitiveCategories: grant.value.sensitiveCategories }),
          ...(refreshToken === undefined ? {} : { refresh_token: writeRefreshToken(refreshToken) })
        } as const
      })

      const redeemCode = Effect.fn("TokenEndpoint.redeemCode")(function*({ clientId, code, ...rest }: Redemption) {
        const { refreshToken, row } = yield* redeem(code, { clientId, ...rest })
        if (row.status !== "redeemed") return yield* notGood()
        const { grantId, offline, scope, veteranId } = row
        return yield* answer({ clientId, grantId, veteranId }, scope, offline ? refreshToken : undefined)
      })

      const rotateToken = Effect.fn("TokenEndpoint.rotateToken")(function*({ clientId, old, requested }: Rotation) {
        const next = newRefreshToken(old.family)
        const { family, token: oldToken } = hashesOf(old)
        const row = yield* tokens.rotate({
          family,
          oldToken,
          newToken: hashesOf(next).token,
          clientId,
          isEnough: (granted) => requested === undefined || isSubset(requested, scopesOf(granted))
        }).pipe(Effect.catchTag("ScopeTooWide", () => Effect.fail(tooWide())))
        if (row.status === "invalid" && clientId === null) return yield* new InvalidClient(InvalidClient.refused)
        if (row.status !== "rotated") return yield* notGood()
        const { grantId, scope, veteranId } = row
        return yield* answer(
          { clientId: row.clientId, grantId, veteranId },
          requested === undefined ? scope : scopeText(requested),
          next
        )
      })

      const spendCode = ({ code }: TokenRequest) =>
        code === undefined
          ? Effect.void
          : redeem(code, { clientId: null, redirectUri: null, codeChallenge: null })

      return TokenEndpoint.of({
        exchange: Effect.fn("TokenEndpoint.exchange")(function*(request, client) {
          const checked = yield* Effect.tapError(check(request, client), () => spendCode(request))
          return yield* "code" in checked ? redeemCode(checked) : rotateToken(checked)
        })
      })
    })
  )
}

interface GrantedAccess {
  readonly clientId: ClientId
  readonly grantId: GrantId
  readonly veteranId: VeteranId
}

interface Redemption {
  readonly clientId: ClientId
  readonly code: string
  readonly redirectUri: string
  readonly codeChallenge: string | null
}

interface Rotation {
  /** Null if the request names no client. */
  readonly clientId: ClientId | null
  readonly old: RefreshToken
  /** The requested scopes; undefined stands for everything that was granted. */
  readonly requested: ReadonlyArray<SmartScope> | undefined
}

const check = Effect.fnUntraced(function*(
  request: TokenRequest,
  client: Effect.Effect<AuthenticatedClient | undefined, Refusal>
): Effect.fn.Return<Redemption | Rotation, Refusal> {
  const { code, code_verifier, grant_type, redirect_uri, refresh_token, scope } = request
  if (grant_type === undefined) return yield* missing("grant_type")
  if (grant_type !== "authorization_code" && grant_type !== "refresh_token") return yield* unsupported()
  const clientId = (yield* client)?.clientId ?? null
  if (grant_type === "authorization_code") {
    if (clientId === null) return yield* new InvalidClient(InvalidClient.refused)
    if (code === undefined) return yield* missing("code")
    if (redirect_uri === undefined) return yield* missing("redirect_uri")
    if (code_verifier === undefined) return yield* missing("code_verifier")
    return { clientId, code, redirectUri: redirect_uri, codeChallenge: challengeOf(code_verifier) }
  }
  if (code !== undefined) return yield* invalidRequest("A refresh takes no 'code'.")
  if (refresh_token === undefined) return yield* missing("refresh_token")
  const requested = scope === undefined ? undefined : Option.getOrUndefined(Option.filter(parseScope(scope), reads))
  if (scope !== undefined && requested === undefined) return yield* tooWide()
  const old = readRefreshToken(refresh_token)
  return old === undefined ? yield* notGood() : { clientId, old, requested }
})

/** Returns a verifier's S256 challenge (RFC 7636, 4.1 and 4.2). A malformed verifier gives null, which matches none. */
const challengeOf = (verifier: string) =>
  /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) ? createHash("sha256").update(verifier).digest("base64url") : null

const reads = (scopes: ReadonlyArray<SmartScope>) => scopes.some(({ kind }) => kind === "read")

const scopesOf = (text: string) => Option.getOrElse(parseScope(text), () => [])

const missing = (name: keyof TokenRequest) => invalidRequest(`'${name}' is missing.`)

const unsupported = () =>
  new OAuthError({
    error: "unsupported_grant_type",
    error_description: "'grant_type' is 'authorization_code' or 'refresh_token'."
  })

const notGood = () =>
  new OAuthError({
    error: "invalid_grant",
    error_description:
      "The code or token is unknown, used, expired, revoked, another client's, or does not fit the other parameters."
  })

const tooWide = () =>
  new OAuthError({
    error: "invalid_scope",
    error_description: "The scope is malformed, reads nothing, or is more than was granted."
  })
