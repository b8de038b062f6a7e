import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { DeviceSessions, type SessionRequest } from "../../services/account/DeviceSessions.ts"
import { CurrentVeteran, forVeteran } from "../contract/Authorization.ts"
import { group } from "../wire/Group.ts"
import { provenRequest } from "./AppSignInHandlers.ts"

export const DeviceSessionsHandlers = group(
  "deviceSessions",
  Effect.fn(function*(handlers) {
    const sessions = yield* DeviceSessions
    /** A step is taken whole: a client that hangs up has spent its proof all the same. */
    const presented = <Sent, A, E>(take: (device: SessionRequest, sent: Sent) => Effect.Effect<A, E>) => ({
      handler: ({ headers, payload, request }: {
        readonly headers: { readonly dpop?: string }
        readonly payload: Sent
        readonly request: HttpServerRequest.HttpServerRequest
      }) =>
        Effect.flatMap(
          CurrentVeteran,
          ({ session, veteranId }) =>
            take({ veteranId, sessionId: session.id, request: provenRequest(request, headers) }, payload)
        ),
      options: { uninterruptible: true }
    })
    return handlers.handleAll({
      list: () => Effect.flatMap(CurrentVeteran, ({ session, veteranId }) => sessions.list(veteranId, session.id)),
      endCurrent: {
        handler: () =>
          Effect.flatMap(CurrentVeteran, ({ session, veteranId }) => sessions.endCurrent(veteranId, session.id)),
        options: { uninterruptible: true }
      },
      endAll: { handler: forVeteran(sessions.endAll), options: { uninterruptible: true } },
      end: {
        handler: forVeteran((veteranId, { params }) => sessions.end(veteranId, params.sessionId)),
        options: { uninterruptible: true }
      },
      confirm: presented(sessions.confirm),
      identities: forVeteran(sessions.identities),
      addIdentity: presented(sessions.addIdentity),
      removeIdentity: {
        handler: ({ params }) =>
          Effect.flatMap(
            CurrentVeteran,
            ({ session, veteranId }) => sessions.removeIdentity(veteranId, session.id, params.identityId)
          ),
        options: { uninterruptible: true }
      }
    })
  })
)
