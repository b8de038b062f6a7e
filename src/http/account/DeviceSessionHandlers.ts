import type { Effect } from "effect"
import { DeviceSessions, type SessionRequest } from "../../services/account/session/DeviceSessions.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { group, whole } from "../wire/Group.ts"
import { type DeviceCall, provenRequest } from "./AppSignInHandlers.ts"

export const DeviceSessionsHandlers = group("deviceSessions", function*(handlers) {
  const sessions = yield* DeviceSessions
  const presented = <Sent, A, E>(take: (device: SessionRequest, sent: Sent) => Effect.Effect<A, E>) =>
    whole(
      forVeteran((veteranId, call: DeviceCall<Sent>, sessionId) =>
        take({ veteranId, sessionId, request: provenRequest(call) }, call.payload)
      )
    )
  return handlers.handleAll({
    list: forVeteran((veteranId, _, sessionId) => sessions.list(veteranId, sessionId)),
    endCurrent: whole(forVeteran((veteranId, _, sessionId) => sessions.endCurrent(veteranId, sessionId))),
    endAll: whole(forVeteran(sessions.endAll)),
    end: whole(forVeteran((veteranId, { params }) => sessions.end(veteranId, params.sessionId))),
    confirm: presented(sessions.confirm),
    identities: forVeteran(sessions.identities),
    addIdentity: presented(sessions.addIdentity),
    removeIdentity: whole(
      forVeteran((veteranId, { params }, sessionId) => sessions.removeIdentity(veteranId, sessionId, params.identityId))
    )
  })
})
