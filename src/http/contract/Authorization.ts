import { Context, Effect } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { AppSession } from "../../domain/AppSession.ts"
import { Forbidden, ServiceUnavailable, Unauthenticated } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { ProviderSession } from "../../domain/Provider.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { InvalidExchangeSecret, SessionExchangeNotConfigured, VeteranMismatch } from "../../domain/Veteran.ts"

/** The scheme `bearer` is in lower case, because the documentation page treats any other spelling as Basic. */
const bearer = (description: string) =>
  HttpApiSecurity.http({ scheme: "bearer" }).pipe(HttpApiSecurity.annotate(OpenApi.Description, description))

const secret = (key: string, description: string) =>
  HttpApiSecurity.apiKey({ key }).pipe(HttpApiSecurity.annotate(OpenApi.Description, description))

/** The veteran of the token, who is also the one in the path. */
export class CurrentVeteran extends Context.Service<CurrentVeteran, {
  readonly veteranId: VeteranId
  readonly tokenId: string
  /** The session of the veteran's app, if the token belongs to one. */
  readonly session: { readonly id: string | null }
}>()("vrss/http/CurrentVeteran") {}

/**
 * Annotates an endpoint whose handler's first statement checks the token's session (sql/Actor.ts). The authorization
 * then asks the database nothing.
 */
export const SessionInStatement = Context.Reference<boolean>("vrss/http/SessionInStatement", {
  defaultValue: () => false
})

export class VeteranAuthorization
  extends HttpApiMiddleware.Service<VeteranAuthorization, { provides: CurrentVeteran }>()(
    "vrss/http/VeteranAuthorization",
    {
      security: {
        veteran: bearer("The access token of `POST /api/auth/veteran/session` or of `/api/auth/veteran/app/`")
      },
      error: [Unauthenticated, Forbidden, VeteranMismatch, RateLimited],
      requiredForClient: true
    }
  )
{}

/** Makes a handler that gets the ids of the signed-in veteran and of their session of the app, if they have one. */
export const forVeteran = <Request, A, E, R>(
  handler: (veteranId: VeteranId, request: Request, sessionId: string | null) => Effect.Effect<A, E, R>
) =>
(request: Request) =>
  Effect.flatMap(CurrentVeteran, ({ session, veteranId }) => handler(veteranId, request, session.id))

export class CurrentProvider extends Context.Service<CurrentProvider, ProviderSession>()("vrss/http/CurrentProvider") {}

export class ProviderAuthorization
  extends HttpApiMiddleware.Service<ProviderAuthorization, { provides: CurrentProvider }>()(
    "vrss/http/ProviderAuthorization",
    {
      security: { provider: bearer("The access token of `POST /api/provider/login`") },
      error: [Unauthenticated, Forbidden, RateLimited],
      requiredForClient: true
    }
  )
{}

export const forProvider = <Request, A, E, R>(
  handler: (providerId: ProviderSession["provider"]["id"], request: Request) => Effect.Effect<A, E, R>
) =>
(request: Request) => Effect.flatMap(CurrentProvider, ({ provider }) => handler(provider.id, request))

/** The app of the request. Its grant was active when the request was authenticated. */
export class CurrentApp extends Context.Service<CurrentApp, AppSession>()("vrss/http/CurrentApp") {}

export class AppAuthorization
  extends HttpApiMiddleware.Service<AppAuthorization, { provides: CurrentApp }>()("vrss/http/AppAuthorization", {
    security: { app: bearer("The access token of `POST /api/oauth/token`") },
    error: [Unauthenticated, RateLimited]
  })
{}

/** Annotates an endpoint that uses the portal's cookie: pages of the portal call it with credentials. */
export const PortalCookie = Context.Reference<boolean>("vrss/http/PortalCookie", { defaultValue: () => false })

/** Annotates an endpoint that pages of any origin may call, without the browser's credentials. */
export const AnyOrigin = Context.Reference<boolean>("vrss/http/AnyOrigin", { defaultValue: () => false })

/** The prefix `__Host-` binds the cookie to HTTPS and this host: no other host can set it (RFC 6265bis, 4.1.3.2). */
export const portalCookie = HttpApiSecurity.apiKey({ in: "cookie", key: "__Host-vrss-provider" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "The cookie that a sign-in and a refresh set for a page of the portal; its `origin` is needed beside it"
  )
)

/** Authorizes a portal's page to continue its session after a reload. Checks the portal's cookie and the origin. */
export class ResumeAuthorization
  extends HttpApiMiddleware.Service<ResumeAuthorization, { provides: CurrentProvider }>()(
    "vrss/http/ResumeAuthorization",
    { security: { portalCookie }, error: [Unauthenticated, Forbidden] }
  )
{}

export class AdminAuthorization
  extends HttpApiMiddleware.Service<AdminAuthorization>()("vrss/http/AdminAuthorization", {
    security: { admin: secret("x-internal-admin-secret", "One of the operator's secrets, `INTERNAL_ADMIN_SECRET`") },
    error: [Unauthenticated, RateLimited],
    requiredForClient: true
  })
{}

export class DrainerAuthorization
  extends HttpApiMiddleware.Service<DrainerAuthorization>()("vrss/http/DrainerAuthorization", {
    security: { drainer: secret("x-proof-drainer-secret", "The operator's secret, `PROOF_DRAINER_SECRET`") },
    error: Unauthenticated,
    requiredForClient: true
  })
{}

export class ExchangeAuthorization extends HttpApiMiddleware.Service<ExchangeAuthorization>()(
  "vrss/http/ExchangeAuthorization",
  {
    security: {
      exchange: secret(
        "x-veteran-session-exchange",
        "The secret of the veteran app's server, `VETERAN_SESSION_EXCHANGE_SECRET`"
      )
    },
    error: [InvalidExchangeSecret, SessionExchangeNotConfigured],
    requiredForClient: true
  }
) {}

/** Answers 503 if a dependency cannot be reached. The session exchange, which has its own 503, does not use this. */
export class Availability extends HttpApiMiddleware.Service<Availability>()("vrss/http/Availability", {
  error: ServiceUnavailable
}) {}
