import { Context, Effect, Layer, Option, Redacted, References } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Forbidden, ServiceUnavailable, Unauthenticated } from "../../domain/Errors.ts"
import { uuid } from "../../domain/Id.ts"
import { VeteranMismatch } from "../../domain/Veteran.ts"
import { ProviderAuth } from "../../services/account/provider/ProviderAuth.ts"
import { Resumption } from "../../services/account/provider/Resumption.ts"
import { underSession, VeteranSession } from "../../services/account/session/VeteranSession.ts"
import { AppSessions } from "../../services/fhir/AppSessions.ts"
import { Operators, underOperator } from "../../services/operation/Operators.ts"
import { secretsEqual } from "../../services/platform/Crypto.ts"
import { isOutage, logTrouble } from "../../services/platform/Outage.ts"
import { RateLimits } from "../../services/platform/RateLimits.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { cookieOf, isOfPortal } from "../account/PortalCookie.ts"
import {
  AdminAuthorization,
  AppAuthorization,
  Availability,
  CurrentApp,
  CurrentProvider,
  CurrentVeteran,
  DrainerAuthorization,
  ExchangeAuthorization,
  ProviderAuthorization,
  ResumeAuthorization,
  SessionInStatement,
  VeteranAuthorization
} from "../contract/Authorization.ts"
import { clientAddress, networksAround } from "./ClientAddress.ts"
import { setHolder } from "./Holder.ts"
import { limitOf } from "./RequestLimitsLive.ts"

const VeteranAuthorizationLive = Layer.effect(
  VeteranAuthorization,
  Effect.gen(function*() {
    const apps = yield* AppSessions
    const limits = yield* RateLimits
    const providers = yield* ProviderAuth
    const veterans = yield* VeteranSession
    const refuse = Effect.fnUntraced(function*(token: string) {
      return yield* Option.isSome(yield* providers.authenticate(token)) || (yield* apps.isOfApp(token))
        ? new Forbidden()
        : new Unauthenticated()
    })
    return VeteranAuthorization.of({
      // Nearly every request of a veteran's app runs this, so it uses no generator, which would be slower.
      veteran: (httpEffect, { credential, endpoint }) => {
        const token = Redacted.value(credential)
        return Effect.flatMap(veterans.authenticate(token), (veteran): Answer => {
          if (Option.isNone(veteran)) return refuse(token)
          const { session, tokenId, veteranId } = veteran.value
          return Effect.withFiber((fiber): Answer => {
            const { params } = Context.getUnsafe(fiber.context, HttpRouter.RouteContext)
            const addressed = params["veteranId"]?.toLowerCase()
            // A malformed id passes this check, because the schema of the path refuses it afterwards.
            if (addressed !== undefined && addressed !== veteranId && uuid.test(addressed)) {
              return Effect.fail(new VeteranMismatch())
            }
            const { isBySession, limit, template } = limitOf(endpoint)
            const spent = limits.spend(template, isBySession ? session.id ?? tokenId : veteranId, limit)
            const allowed = Context.get(endpoint.annotations, SessionInStatement)
              ? spent
              : Effect.andThen(veterans.requireLive(veteran.value), spent)
            return Effect.flatMap(allowed, () => {
              setHolder(Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest), veteranId)
              return underSession(veteran.value, Effect.provideService(httpEffect, CurrentVeteran, veteran.value))
            })
          })
        })
      }
    })
  })
)

type Answer = ReturnType<VeteranAuthorization["Service"]["veteran"]>

const ProviderAuthorizationLive = Layer.effect(
  ProviderAuthorization,
  Effect.gen(function*() {
    const apps = yield* AppSessions
    const limits = yield* RateLimits
    const providers = yield* ProviderAuth
    const veterans = yield* VeteranSession
    return ProviderAuthorization.of({
      provider: Effect.fnUntraced(function*(httpEffect, { credential, endpoint }) {
        const token = Redacted.value(credential)
        const session = yield* providers.authenticate(token)
        if (Option.isNone(session)) {
          return yield* Option.isSome(yield* veterans.authenticate(token)) || (yield* apps.isOfApp(token))
            ? new Forbidden()
            : new Unauthenticated()
        }
        const { isBySession, limit, template } = limitOf(endpoint)
        yield* limits.spend(template, isBySession ? session.value.sessionId : session.value.provider.id, limit)
        setHolder(yield* HttpServerRequest.HttpServerRequest, session.value.provider.id)
        return yield* Effect.provideService(httpEffect, CurrentProvider, session.value)
      })
    })
  })
)

/** The limit for all reads of one app's grant together. */
const readsOfApp = { permits: 600, seconds: 60, leased: true }

const AppAuthorizationLive = Layer.effect(
  AppAuthorization,
  Effect.gen(function*() {
    const apps = yield* AppSessions
    const limits = yield* RateLimits
    return AppAuthorization.of({
      app: Effect.fnUntraced(function*(httpEffect, { credential }) {
        const app = yield* apps.authenticate(Redacted.value(credential))
        if (Option.isNone(app)) return yield* new Unauthenticated()
        const { grantId } = app.value
        yield* limits.spend("FHIR", grantId, readsOfApp)
        setHolder(yield* HttpServerRequest.HttpServerRequest, grantId)
        return yield* Effect.provideService(httpEffect, CurrentApp, app.value)
      })
    })
  })
)

const ResumeAuthorizationLive = Layer.effect(
  ResumeAuthorization,
  Effect.gen(function*() {
    const settings = yield* Settings
    const resumption = yield* Resumption
    return ResumeAuthorization.of({
      portalCookie: Effect.fnUntraced(function*(httpEffect) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const cookie = cookieOf(request)
        const refused = new Unauthenticated({ message: "There is no session to continue: sign in." })
        if (cookie === undefined) return yield* refused
        if (!isOfPortal(request, settings)) {
          return yield* new Forbidden({ message: "Only a page of the portal may continue its session." })
        }
        const session = yield* resumption.resume(cookie)
        if (Option.isNone(session)) return yield* refused
        setHolder(request, session.value.provider.id)
        return yield* Effect.provideService(httpEffect, CurrentProvider, session.value)
      })
    })
  })
)

const bySecret =
  (header: string, secret: Redacted.Redacted) =>
  <A, E, R>(httpEffect: Effect.Effect<A, E, R>, { credential }: { readonly credential: Redacted.Redacted }) =>
    secretsEqual(Redacted.value(credential), secret)
      ? httpEffect
      : Effect.fail(new Unauthenticated({ message: `The header '${header}' is missing or wrong.` }))

/** Requests with a right secret have no limit, because the operator's scripts register many accounts at a time. */
const AdminAuthorizationLive = Layer.effect(
  AdminAuthorization,
  Effect.gen(function*() {
    const operators = yield* Operators
    const { trustedProxyHops } = yield* Settings
    return AdminAuthorization.of({
      admin: Effect.fnUntraced(function*(httpEffect, { credential }) {
        const client = clientAddress(yield* HttpServerRequest.HttpServerRequest, trustedProxyHops)
        const key = yield* operators.identify(Redacted.value(credential), [[client, 1], ...networksAround(client)])
        const { requestId } = yield* References.CurrentLogAnnotations
        return yield* underOperator({ key, requestId: `${requestId}` }, httpEffect)
      })
    })
  })
)

const DrainerAuthorizationLive = Layer.effect(
  DrainerAuthorization,
  Effect.map(
    Settings,
    ({ proofDrainerSecret }) => ({ drainer: bySecret("x-proof-drainer-secret", proofDrainerSecret) })
  )
)

const ExchangeAuthorizationLive = Layer.effect(
  ExchangeAuthorization,
  Effect.map(VeteranSession, ({ checkSecret }) => ({
    exchange: (httpEffect, { credential }) => Effect.andThen(checkSecret(Redacted.value(credential)), httpEffect)
  }))
)

const AvailabilityLive = Layer.succeed(
  Availability,
  (httpEffect) =>
    Effect.catchCauseIf(
      httpEffect,
      isOutage,
      (cause) => Effect.andThen(logTrouble("answered 503")(cause), Effect.fail(new ServiceUnavailable()))
    )
)

export const AuthorizationLive = Layer.mergeAll(
  VeteranAuthorizationLive,
  ProviderAuthorizationLive,
  AppAuthorizationLive,
  ResumeAuthorizationLive,
  AdminAuthorizationLive,
  DrainerAuthorizationLive,
  ExchangeAuthorizationLive,
  AvailabilityLive
)
