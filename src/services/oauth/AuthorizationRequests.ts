import { Context, Effect, Layer, Option, Result, Schema } from "effect"
import { randomInt } from "node:crypto"
import { appRequestLimits } from "../../domain/AppRequest.ts"
import { grantLimits } from "../../domain/ConsentGrant.ts"
import { GrantId, SentClientId } from "../../domain/Id.ts"
import { isRegistered } from "../../domain/RedirectUri.ts"
import { isStorable } from "../../domain/Scalars.ts"
import type { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { isOffline, readTypes, scopeText, type SmartScope } from "../../domain/SmartScope.ts"
import { OwnConnections, SharedConnections } from "../../sql/Connections.ts"
import * as ClientRepository from "../../sql/oauth/ClientRepository.ts"
import * as RequestRepository from "../../sql/oauth/RequestRepository.ts"
import { IdentityAssertion } from "../account/IdentityAssertion.ts"
import { Veterans } from "../account/Veterans.ts"
import { Mailer } from "../mail/Mailer.ts"
import { codeForApp } from "../mail/RequestMails.ts"
import { newSecret } from "../platform/Crypto.ts"
import { newId } from "../platform/Ids.ts"
import { countLimited, RateLimits } from "../platform/RateLimits.ts"
import { Settings } from "../platform/Settings.ts"
import { type Parameters, read, type Refusal, sole } from "./AskedParameters.ts"
import { oauthSecrets } from "./OAuthSecrets.ts"
import { requestSecrets } from "./RequestSecrets.ts"

/** A request and the cookie of the browser that began it, as they were sent. */
export interface Sent {
  readonly request: string
  readonly cookie: string
  /** The network that they were sent from. */
  readonly network: string
}

/** It is over, or was never begun; or it is another browser's. */
export type Gone = { readonly is: "gone" } | { readonly is: "foreign" }

export type Open =
  & { readonly is: "open" }
  & Pick<
    RequestRepository.OpenRow,
    "appName" | "privacyUrl" | "redirectUri" | "scope" | "challenged" | "veteran"
  >

/** The browser goes back to the app. */
export interface Back {
  readonly redirectUri: string
  readonly parameters: Readonly<Record<string, string>>
}

interface Approved {
  readonly scope: ReadonlyArray<SmartScope>
  readonly categories: ReadonlyArray<SensitiveCategory>
  readonly days: number
}

const isClientId = Schema.is(SentClientId)

/** What apps ask, from the browser's arrival until the veteran's decision (OAuth 2.1, section 4.1.1). */
export class Requests extends Context.Service<Requests, {
  /** None: it is not known who asks, or the address to go back to is not the client's. `Back` is a refusal. */
  readonly begin: (
    parameters: Parameters,
    cookie: string
  ) => Effect.Effect<Option.Option<{ readonly request: string } | Back>>
  readonly look: (sent: Sent) => Effect.Effect<Open | Gone>
  /**
   * Mails a code if one veteran alone has the address. What is answered, and when, does not depend on it. It is 'limited' by the
   * request's own last code, by this network's codes, and by those of all networks that are new to the veteran.
   */
  readonly sendCode: (
    sent: Sent,
    email: string,
    appName: string
  ) => Effect.Effect<{ readonly status: "active" | "limited" | "ended"; readonly wait: number }>
  readonly tryCode: (
    sent: Sent,
    code: string
  ) => Effect.Effect<{ readonly status: "right" | "wrong" | "ended"; readonly attemptsLeft: number }>
  /** The app's backend vouches for the veteran, so that no code is needed. */
  readonly vouch: (sent: Sent, assertion: string) => Effect.Effect<"right" | "wrong" | "ended">
  /** 'full': the veteran has as many grants as one may have. A form that comes twice is answered as it was the first time. */
  readonly approve: (sent: Sent, approved: Approved) => Effect.Effect<Back | "full" | "ended">
  readonly deny: (sent: Sent) => Effect.Effect<Back | "ended">
  /** Whoever sends a form twice is told the same again, but for a code that is spent or too old. */
  readonly repeat: (sent: Sent, decision: "granted" | "denied") => Effect.Effect<Back | "ended">
}>()("vrss/Requests") {
  static readonly layer = Layer.effect(
    Requests,
    Effect.gen(function*() {
      const clients = ClientRepository.make(yield* SharedConnections)
      const requests = RequestRepository.make(yield* OwnConnections)
      const assertions = yield* IdentityAssertion
      const limits = yield* RateLimits
      const mailer = yield* Mailer
      const veterans = yield* Veterans
      const { authorizationCodeHash } = yield* oauthSecrets
      const secrets = yield* requestSecrets
      const { fhirBase, oauthIssuer } = yield* Settings
      const scope = yield* Effect.scope

      const named = ({ cookie, request }: Sent): RequestRepository.Named => ({
        request: secrets.requestHash(request),
        cookie: secrets.cookieHash(cookie)
      })

      const back = (redirectUri: string, state: string | undefined, told: Readonly<Record<string, string>>): Back => ({
        redirectUri,
        parameters: { ...told, ...(state === undefined ? {} : { state }), iss: oauthIssuer }
      })

      const begin = Effect.fn("Requests.begin")(function*(parameters: Parameters, cookie: string) {
        const id = sole(parameters, "client_id")
        const redirectUri = sole(parameters, "redirect_uri")
        const client = isClientId(id) ? yield* clients.find(id) : Option.none()
        if (
          Option.isNone(client) || client.value.disabledAt !== null || redirectUri === undefined ||
          !isRegistered(redirectUri, client.value.redirectUris)
        ) return Option.none()
        const refused = ({ error, state }: Refusal) => back(redirectUri, state, { error })
        const asked = read(parameters, { fhirBase, scopes: client.value.scopes })
        if (Result.isFailure(asked)) return Option.some(refused(asked.failure))
        const request = newSecret()
        yield* requests.insert({
          hash: secrets.requestHash(request),
          cookieHash: secrets.cookieHash(cookie),
          clientId: client.value.id,
          redirectUri,
          ...asked.success
        })
        return Option.some({ request })
      })

      const look = Effect.fn("Requests.look")(function*(sent: Sent) {
        const found = yield* requests.find(named(sent))
        if (Option.isNone(found)) return { is: "gone" } as const
        const { open, own, ...request } = found.value
        if (!own) return { is: "foreign" } as const
        return open ? { is: "open" as const, ...request } : { is: "gone" } as const
      })

      /** It waits until the answer is out: the time that it takes is nobody's who asks. */
      const mailCode = (sent: Sent, to: string, appName: string, code: string) =>
        mailer.send(codeForApp(to, appName, code)).pipe(
          Effect.catchTag("MailNotSent", ({ message }) =>
            Effect.andThen(
              Effect.logWarning(`one-time code for an app: ${message}`),
              requests.forgetCode(named(sent).request)
            )),
          Effect.delay("50 millis"),
          Effect.ignoreCause,
          Effect.forkIn(scope)
        )

      const sendCode = Effect.fn("Requests.sendCode")(function*(sent: Sent, email: string, appName: string) {
        const found = yield* requests.veteransOf(email)
        const [veteran] = found.length === 1 ? found : []
        const code = randomInt(100_000_000).toString().padStart(8, "0")
        const { request } = named(sent)
        const step = yield* requests.challenge({
          ...named(sent),
          veteranId: veteran?.id ?? null,
          codeHash: secrets.codeHash(request, code),
          resendSeconds: appRequestLimits.resendSeconds,
          network: secrets.networkHash(sent.network),
          networkKey: limits.keyOf("one-time code for an app from a network", `${sent.network} ${email.toLowerCase()}`),
          codesPerNetwork: appRequestLimits.codesPerNetwork,
          addressKey: limits.keyOf("one-time code for an app by mail", email.toLowerCase()),
          codesPerAddress: appRequestLimits.codesFromNewNetworks
        })
        if (step.status === "limited") countLimited("one-time codes for an app")
        if (step.status === "active" && veteran !== undefined) yield* mailCode(sent, veteran.email, appName, code)
        return step
      })

      const tryCode = Effect.fn("Requests.tryCode")(function*(sent: Sent, code: string) {
        const { request } = named(sent)
        return yield* requests.tryCode({
          ...named(sent),
          codeHash: secrets.codeHash(request, code.replace(/[\s-]/g, "")),
          codeSeconds: appRequestLimits.codeSeconds,
          tries: appRequestLimits.triesPerRequest,
          network: secrets.networkHash(sent.network),
          knownNetworks: appRequestLimits.knownNetworks
        })
      })

      const vouch = Effect.fn("Requests.vouch")(function*(sent: Sent, assertion: string) {
        const vouched = yield* assertions.verify(assertion, sent.request)
        if (Option.isNone(vouched) || !isStorable(vouched.value.vaPatientId)) return "wrong"
        const { endsAt, hash, vaPatientId } = vouched.value
        const veteran = yield* veterans.findByVaPatientId(vaPatientId)
        if (Option.isNone(veteran)) return "wrong"
        const step = yield* requests.vouch({ ...named(sent), veteranId: veteran.value.id, assertion: hash, endsAt })
        return step.status === "used" ? "wrong" : step.status
      })

      const told = (sent: Sent, state: string | null, redirectUri: string, decision: "granted" | "denied") =>
        back(
          redirectUri,
          state ?? undefined,
          decision === "granted" ? { code: secrets.authorizationCode(sent.request) } : { error: "access_denied" }
        )

      const repeat = Effect.fnUntraced(function*(sent: Sent, decision: "granted" | "denied") {
        const codeSeconds = appRequestLimits.authorizationCodeSeconds
        const decided = Option.getOrUndefined(yield* requests.decided({ ...named(sent), codeSeconds }))
        return decided?.status === decision && decided.redirectUri !== null
          ? told(sent, decided.state, decided.redirectUri, decision)
          : "ended"
      })

      const approve = Effect.fn("Requests.approve")(function*(sent: Sent, { categories, days, scope }: Approved) {
        const offline = isOffline(scope)
        const step = yield* requests.approve({
          ...named(sent),
          grantId: GrantId.make(newId()),
          resourceTypes: readTypes(scope),
          categories,
          scope: scopeText(scope),
          offline,
          accessSeconds: offline ? days * 86_400 : appRequestLimits.onlineSeconds,
          codeHash: authorizationCodeHash(secrets.authorizationCode(sent.request)),
          codeSeconds: appRequestLimits.authorizationCodeSeconds,
          perVeteran: grantLimits.perVeteran,
          perClient: grantLimits.perProvider
        })
        if (step.status === "full") return "full"
        return step.status === "granted" && step.redirectUri !== null
          ? told(sent, step.state, step.redirectUri, "granted")
          : yield* repeat(sent, "granted")
      })

      const deny = Effect.fn("Requests.deny")(function*(sent: Sent) {
        const step = yield* requests.deny(named(sent))
        return step.status === "denied" && step.redirectUri !== null
          ? told(sent, step.state, step.redirectUri, "denied")
          : yield* repeat(sent, "denied")
      })

      return Requests.of({ begin, look, sendCode, tryCode, vouch, approve, deny, repeat })
    })
  )
}
