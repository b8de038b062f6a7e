import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Conflict, InvalidRequest, NotFound } from "../../domain/Errors.ts"
import { SentClientId } from "../../domain/Id.ts"
import { NewOAuthClient, OAuthClient, OAuthClientPage, RegisteredOAuthClient } from "../../domain/OAuthClient.ts"
import { InvalidClient, OAuthError } from "../../domain/OAuthError.ts"
import {
  AuthorizationServerMetadata,
  ProtectedResourceMetadata,
  SmartConfiguration
} from "../../domain/OAuthMetadata.ts"
import { Introspection, NamedToken, TokenAnswer, TokenRequest } from "../../domain/OAuthToken.ts"
import { PageRequest } from "../../domain/Page.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { AdminAuthorization, AnyOrigin, Availability } from "../contract/Authorization.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { AddressRateLimit, BodyLimit, RateLimit, RequestQuery, smallForm } from "../contract/RequestLimits.ts"

export class OAuthClientsApi extends HttpApiGroup.make("oauthClients")
  .add(
    HttpApiEndpoint.post("register", "/", {
      payload: NewOAuthClient,
      success: RegisteredOAuthClient.pipe(HttpApiSchema.status(201)),
      error: InvalidRequest
    })
      .annotateMerge(told("Register an app", "Only this answer contains the secrets.")),
    HttpApiEndpoint.get("clients", "/", { query: PageRequest, success: OAuthClientPage, error: InvalidRequest })
      .annotate(OpenApi.Summary, "List the apps"),
    HttpApiEndpoint.post("disable", "/:clientId/disable", {
      params: { clientId: SentClientId },
      success: OAuthClient,
      error: NotFound
    })
      .annotateMerge(told("Disable an app", "Its tokens stop working at once.")),
    HttpApiEndpoint.post("rotateSecret", "/:clientId/rotate-secret", {
      params: { clientId: SentClientId },
      success: RegisteredOAuthClient,
      error: [NotFound, Conflict]
    })
      .annotateMerge(told("Give an app a new secret", "The old secret stops working at once."))
  )
  .prefix("/api/admin/oauth-clients")
  .pipe(guardedBy(AdminAuthorization))
  .annotateMerge(described("Apps", "For the operator of the service: the apps to which veterans may connect."))
{}

/** The issuer has a path, so clients look for its metadata at one of two addresses (RFC 8414, 3.1 and 5). */
export class OAuthMetadataApi extends HttpApiGroup.make("oauthMetadata")
  .add(
    HttpApiEndpoint.get("metadata", "/.well-known/oauth-authorization-server/api/oauth", {
      success: AuthorizationServerMetadata
    })
      .annotate(OpenApi.Summary, "Read the authorization server's metadata"),
    HttpApiEndpoint.get("metadataOfIssuer", "/api/oauth/.well-known/oauth-authorization-server", {
      success: AuthorizationServerMetadata
    })
      .annotate(OpenApi.Summary, "Read the authorization server's metadata below its issuer"),
    HttpApiEndpoint.get("protectedResource", "/.well-known/oauth-protected-resource/api/fhir/R4", {
      success: ProtectedResourceMetadata
    })
      .annotate(OpenApi.Summary, "Read which authorization server the FHIR API trusts"),
    HttpApiEndpoint.get("smartConfiguration", "/api/fhir/R4/.well-known/smart-configuration", {
      success: SmartConfiguration
    })
      .annotate(OpenApi.Summary, "Read what the server offers of SMART App Launch")
  )
  .middleware(RequestQuery)
  .middleware(AddressRateLimit)
  .middleware(Availability)
  .annotateEndpoints(AnyOrigin, true)
  .annotateMerge(described("Discovery for apps", "Public, and the same for everybody."))
{}

const refusals = [OAuthError, InvalidClient]

const limit = { permits: 60, seconds: 60 }

/** This limit is high, because an app's servers behind one address share it and may introspect with every request. */
const introspectionLimit = { permits: 6000, seconds: 60, leased: true }

export class OAuthTokenApi extends HttpApiGroup.make("oauthTokens")
  .add(
    HttpApiEndpoint.post("token", "/token", { payload: TokenRequest, success: TokenAnswer, error: refusals })
      .annotateMerge(told(
        "Exchange an authorization code or a refresh token for tokens",
        "`authorization_code` takes `code`, `redirect_uri` and `code_verifier`; `refresh_token` takes `refresh_token` and `scope`. " +
          "A code or refresh token that is used twice ends the grant."
      ))
      .annotate(AnyOrigin, true)
      .annotate(RateLimit, limit),
    HttpApiEndpoint.post("revoke", "/revoke", {
      payload: NamedToken,
      success: HttpApiSchema.Empty(200),
      error: refusals
    })
      .annotate(OpenApi.Summary, "Revoke a token")
      .annotate(OpenApi.Description, "Ends the whole grant of the token. The answer is 200 for an unknown token too.")
      .annotate(AnyOrigin, true)
      .annotate(RateLimit, limit),
    HttpApiEndpoint.post("introspect", "/introspect", {
      payload: NamedToken,
      success: Introspection,
      error: [...refusals, RateLimited]
    })
      .annotate(OpenApi.Summary, "Ask whether an access token is valid")
      .annotate(OpenApi.Description, "For confidential clients, about their own tokens, 600 times a minute.")
      .annotate(RateLimit, introspectionLimit)
  )
  .prefix("/api/oauth")
  .pipe(guardedBy(AddressRateLimit))
  .annotateEndpoints(BodyLimit, smallForm)
  // Unknown parameters are ignored (RFC 6749, 3.2).
  .annotateEndpoints(HttpApi.PayloadParseOptions, { onExcessProperty: "ignore" })
  .annotateMerge(described("Tokens of apps", "OAuth 2.1: forms in, errors as in RFC 6749, 5.2."))
{}
