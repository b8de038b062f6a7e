import { Context, Effect, Layer, Option, Result, Schema } from "effect"
import { randomInt } from "node:crypto"
import { appRequestLimits, appsConnected } from "../../domain/AppRequest.ts"
import { grantLimits, grantsGiven } from "../../domain/ConsentGrant.ts"
import { type GrantId, SentClientId, type VeteranId } from "../../domain/Id.ts"
import type { RateLimited } from "../../domain/RateLimit.ts"
import { isRegistered } from "../../domain/RedirectUri.ts"
import { isStorable } from "../../domain/Scalars.ts"
import type { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { isOffline, readTypes, scopeText, type SmartScope } from "../../domain/SmartScope.ts"
import { atEdge, OwnConnections, SharedConnections } from "../../sql/Connections.ts"
import * as ClientRepository from "../../sql/oauth/ClientRepository.ts"
import * as RequestRepository from "../../sql/oauth/RequestRepository.ts"
import { IdentityAssertion } from "../account/session/IdentityAssertion.ts"
import { Veterans } from "../account/veteran/Veterans.ts"
import { Mailer } from "../mail/Mailer.ts"
import { codeForApp } from "../mail/RequestMails.ts"
import { newSecret } from "../platform/Crypto.ts"
import { countLimited, RateLimits } from "../platform/RateLimits.ts"
import { Settings } from "../platform/Settings.ts"
import { newIdIn, slotOf } from "../platform/Slot.ts"
import { type Parameters, read, type Refusal, soleParameter } from "./AuthorizationParameters.ts"
import { oauthSecrets } from "./OAuthSecrets.ts"
import { requestSecrets } from "./RequestSecrets.ts"

/** What a browser sends with each step: the request's secret, and the cookie of the browser that began it. */
export interface BrowserRequest {
  readonly request: string
  readonly cookie: string
  /** The network of the browser's address: a /24 of IPv4, or a /64 of IPv6. */
  readonly network: string
}

export type OpenRequest =
  & { readonly is: "open" }
  & Pick<
    RequestRepository.OpenRow,
    "appName" | "privacyUrl" | "redirectUri" | "scope" | "challenged" | "veteran"
  >

export interface EndedRequest {
  readonly is: "ended"
  /** Null if nobody proved to be the veteran. */
  readonly veteranId: VeteranId | null
}

/** Leads the browser back to the app. */
export interface Redirect {
  readonly redirectUri: string
  readonly parameters: Readonly<Record<string, string>>
}

interface Approval {
  readonly veteranId: VeteranId
  readonly scope: ReadonlyArray<SmartScope>
  readonly categories: ReadonlyArray<SensitiveCategory>
  readonly days: number
}

type Decision = "granted" | "denied"

const isClientId = Schema.is(SentClientId)

/** Apps' requests, from the browser's arrival until the veteran's decision (OAuth 2.1, section 4.1.1). */
export class AuthorizationRequests extends Context.Service<AuthorizationRequests, {
  /** Returns None if the client is unknown or the redirect URI is not the client's. Any other refusal is a redirect. */
  readonly begin: (
    parameters: Parameters,
    cookie: string
  ) => Effect.Effect<Option.Option<{ readonly request: string } | Redirect>>
  /** A request that another browser began is foreign. An unknown request is answered like one that has ended. */
  readonly look: (browser: BrowserRequest) => Effect.Effect<OpenRequest | EndedRequest | { readonly is: "foreign" }>
  /**
   * Mails a code if exactly one veteran has the address. Neither the answer nor its time shows whether a code was
   * mailed. Each request has a limit of codes, each network has one, and all networks new to the veteran share one.
   */
  readonly sendCode: (
    browser: BrowserRequest,
    email: string,
    appName: string
  ) => Effect.Effect<{ readonly status: "active" | "limited" | "ended"; readonly wait: number }>
  readonly tryCode: (
    browser: BrowserRequest,
    code: string
  ) => Effect.Effect<{ readonly status: "right" | "wrong" | "ended"; readonly attemptsLeft: number }>
  /** Takes an identity assertion of the app's backend in place of a code. */
  readonly vouch: (browser: BrowserRequest, assertion: string) => Effect.Effect<"right" | "wrong" | "ended">
  /**
   * Returns `full` if the veteran can have no more grants, and `deleting` if their record is about to be deleted. A
   * form that is sent twice gets the first answer again. Fails if the veteran connected too many apps in a day.
   */
  readonly approve: (
    browser: BrowserRequest,
    approval: Approval
  ) => Effect.Effect<Redirect | "full" | "deleting" | "ended", RateLimited>
  readonly deny: (browser: BrowserRequest) => Effect.Effect<Redirect | "ended">
  /** Repeats the first answer to a form that is sent twice, unless the authorization code is used or too old. */
  readonly repeat: (
    browser: BrowserRequest,
    decision: Decision,
    veteranId: VeteranId | null
  ) => Effect.Effect<Redirect | "ended">
}>()("vrss/services/oauth/AuthorizationRequests") {
  static readonly layer = Layer.effect(
    AuthorizationRequests,
    Effect.gen(function*() {
      const clients = ClientRepository.make(yield* SharedConnections)
      const sql = yield* OwnConnections
      const requests = RequestRepository.make(sql)
      const assertions = yield* IdentityAssertion
      const limits = yield* RateLimits
      const mailer = yield* Mailer
      const veterans = yield* Veterans
      const { authorizationCodeHash } = yield* oauthSecrets
      const secrets = yield* requestSecrets
      const { fhirBase, oauthIssuer } = yield* Settings
      const { host } = new URL(oauthIssuer)
      const scope = yield* Effect.scope

      const hashesOf = ({ cookie, request }: BrowserRequest): RequestRepository.RequestHashes => ({
        request: secrets.requestHash(request),
        cookie: secrets.cookieHash(cookie)
      })

      const redirect = (redirectUri: string, state: string | null, answer: Redirect["parameters"]): Redirect => ({
        redirectUri,
        parameters: { ...answer, ...(state === null ? {} : { state }), iss: oauthIssuer }
      })

      const begin = Effect.fn("AuthorizationRequests.begin")(function*(parameters: Parameters, cookie: string) {
        const id = soleParameter(parameters, "client_id")
        const redirectUri = soleParameter(parameters, "redirect_uri")
        const client = isClientId(id) ? yield* clients.find(id) : Option.none()
        if (
          Option.isNone(client) || client.value.disabledAt !== null || redirectUri === undefined ||
          !isRegistered(redirectUri, client.value.redirectUris)
        ) return Option.none()
        const refused = ({ error, state }: Refusal) => redirect(redirectUri, state ?? null, { error })
        const authorization = read(parameters, { fhirBase, scopes: client.value.scopes })
        if (Result.isFailure(authorization)) return Option.some(refused(authorization.failure))
        const request = newSecret()
        yield* requests.insert({
          hash: secrets.requestHash(request),
          cookieHash: secrets.cookieHash(cookie),
          clientId: client.value.id,
          redirectUri,
          ...authorization.success
        })
        return Option.some({ request })
      })

      const look = Effect.fn("AuthorizationRequests.look")(function*(browser: BrowserRequest) {
        const row = yield* requests.find({ ...hashesOf(browser), requestSeconds: appRequestLimits.requestSeconds })
        if (Option.isNone(row)) return { is: "ended", veteranId: null } as const
        const { open, own, ...request } = row.value
        if (!own) return { is: "foreign" } as const
        return open
          ? { is: "open" as const, ...request }
          : { is: "ended" as const, veteranId: request.veteran?.id ?? null }
      })

      /** Mails the code after the answer is sent, so that the answer's time does not show whether a mail is sent. */
      const mailCode = (
        browser: BrowserRequest,
        { email, id }: { readonly id: VeteranId; readonly email: string },
        appName: string,
        code: string
      ) =>
        mailer.send(codeForApp(email, appName, { code, host }), { line: "codes", account: id }).pipe(
          Effect.catchTag("MailNotSent", ({ message }) =>
            Effect.andThen(
              Effect.logWarning(`one-time code for an app: ${message}`),
              requests.forgetCode(hashesOf(browser).request)
            )),
          Effect.delay("50 millis"),
          Effect.ignoreCause,
          Effect.forkIn(scope)
        )

      const sendCode = Effect.fn("AuthorizationRequests.sendCode")(
        function*(browser: BrowserRequest, email: string, appName: string) {
          const addressees = yield* requests.veteransOf(email)
          const [veteran] = addressees.length === 1 ? addressees : []
          const digits = appRequestLimits.codeDigits
          const code = randomInt(10 ** digits).toString().padStart(digits, "0")
          const hashes = hashesOf(browser)
          const address = email.toLowerCase()
          const step = yield* requests.challenge({
            ...hashes,
            veteran: veteran ?? null,
            codeHash: secrets.codeHash(hashes.request, code),
            resendSeconds: appRequestLimits.resendSeconds,
            network: secrets.networkHash(browser.network),
            networkKey: limits.keyOf("one-time code for an app from a network", `${browser.network} ${address}`),
            codesPerNetwork: appRequestLimits.codesPerNetwork,
            addressKey: limits.keyOf("one-time code for an app by mail", address),
            codesPerAddress: appRequestLimits.codesFromNewNetworks
          })
          if (step.status === "limited") countLimited("one-time codes for an app")
          if (step.status === "active" && veteran !== undefined) yield* mailCode(browser, veteran, appName, code)
          return step
        }
      )

      const tryCode = Effect.fn("AuthorizationRequests.tryCode")(function*(browser: BrowserRequest, code: string) {
        const hashes = hashesOf(browser)
        return yield* requests.tryCode({
          ...hashes,
          codeHash: secrets.codeHash(hashes.request, code.replace(/[\s-]/g, "")),
          codeSeconds: appRequestLimits.codeSeconds,
          tries: appRequestLimits.triesPerRequest,
          network: secrets.networkHash(browser.network),
          knownNetworks: appRequestLimits.knownNetworks
        })
      })

      const vouch = Effect.fn("AuthorizationRequests.vouch")(function*(browser: BrowserRequest, assertion: string) {
        const verified = yield* assertions.verify(assertion, browser.request)
        if (Option.isNone(verified) || !isStorable(verified.value.vaPatientId)) return "wrong"
        const { endsAt, hash, vaPatientId } = verified.value
        const veteran = yield* veterans.findByVaPatientId(vaPatientId)
        if (Option.isNone(veteran)) return "wrong"
        const hashes = hashesOf(browser)
        const step = yield* requests.vouch({ ...hashes, veteranId: veteran.value.id, assertion: hash, endsAt })
        return step.status === "used" ? "wrong" : step.status
      })

      const denied = { error: "access_denied" }

      const repeat: AuthorizationRequests["Service"]["repeat"] = Effect.fnUntraced(
        function*(browser, decision, veteranId) {
          const codeSeconds = appRequestLimits.authorizationCodeSeconds
          const row = Option.getOrUndefined(yield* requests.decided({ ...hashesOf(browser), codeSeconds }))
          if (row?.status !== decision || row.redirectUri === null) return "ended"
          if (decision === "denied") return redirect(row.redirectUri, row.state, denied)
          if (veteranId === null) return "ended"
          return redirect(row.redirectUri, row.state, { code: secrets.authorizationCode(browser.request, veteranId) })
        }
      )

      const countApp = Effect.fnUntraced(function*(veteranId: VeteranId) {
        yield* limits.count(sql, "grants given", veteranId, grantsGiven)
        yield* limits.count(sql, "apps connected", veteranId, appsConnected)
      })

      const approve = Effect.fn("AuthorizationRequests.approve")(
        function*(browser: BrowserRequest, { categories, days, scope, veteranId }: Approval) {
          const code = secrets.authorizationCode(browser.request, veteranId)
          const offline = isOffline(scope)
          const step = yield* requests.approve({
            ...hashesOf(browser),
            veteranId,
            grantId: newIdIn<GrantId>(slotOf(veteranId)),
            resourceTypes: readTypes(scope),
            categories,
            scope: scopeText(scope),
            offline,
            accessSeconds: offline ? days * 86_400 : appRequestLimits.onlineSeconds,
            codeHash: authorizationCodeHash(code),
            codeSeconds: appRequestLimits.authorizationCodeSeconds,
            perVeteran: grantLimits.perVeteran,
            perClient: grantLimits.perProvider
          }).pipe(
            Effect.tap(({ status }) => status === "granted" ? countApp(veteranId) : Effect.void),
            sql.withTransaction,
            atEdge
          )
          if (step.status === "full") return "full"
          if (step.status === "deletion") return "deleting"
          return step.status === "granted" && step.redirectUri !== null
            ? redirect(step.redirectUri, step.state, { code })
            : yield* repeat(browser, "granted", veteranId)
        }
      )

      const deny = Effect.fn("AuthorizationRequests.deny")(function*(browser: BrowserRequest) {
        const step = yield* requests.deny(hashesOf(browser))
        return step.status === "denied" && step.redirectUri !== null
          ? redirect(step.redirectUri, step.state, denied)
          : yield* repeat(browser, "denied", null)
      })

      return AuthorizationRequests.of({ begin, look, sendCode, tryCode, vouch, approve, deny, repeat })
    })
  )
}
