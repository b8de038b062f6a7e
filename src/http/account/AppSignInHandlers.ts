import { Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import { NotFound } from "../../domain/Errors.ts"
import { AppSignIn, type DeviceRequest } from "../../services/account/session/AppSignIn.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { clientNetwork } from "../wire/ClientAddress.ts"
import { group, whole } from "../wire/Group.ts"
import { VaConfigured } from "./AppSignInApi.ts"

export interface DeviceCall<Sent> {
  readonly headers: { readonly dpop?: string }
  readonly payload: Sent
  readonly request: HttpServerRequest.HttpServerRequest
}

/** What a request of a device proves: that the holder of the key sent this method to this path. */
export const provenRequest = ({ headers, request }: DeviceCall<unknown>) => ({
  proof: headers.dpop,
  method: request.method,
  path: request.url.split("?", 1)[0]!
})

export const AppSignInHandlers = group("appSignIn", function*(handlers) {
  const signIn = yield* AppSignIn
  const { trustedProxyHops } = yield* Settings
  const step = <Sent, A, E>(take: (request: DeviceRequest, sent: Sent) => Effect.Effect<A, E>) =>
    whole((call: DeviceCall<Sent>) =>
      take({ ...provenRequest(call), network: clientNetwork(call.request, trustedProxyHops) }, call.payload)
    )
  return handlers.handleAll({
    challenge: () => signIn.challenge,
    session: step(signIn.begin),
    pairing: step(signIn.pair),
    passkey: step(signIn.byPasskey),
    renew: step(signIn.renew)
  })
})

export const VaConfiguredLive = Layer.effect(
  VaConfigured,
  Effect.map(Settings, ({ va }) => (httpEffect) => va === undefined ? Effect.fail(new NotFound()) : httpEffect)
)
