import { randomUUID } from "node:crypto"
import { observation } from "../http/fhir/Apps.ts"
import { sign, signed, upload } from "../http/release/Releases.ts"
import { newAuthenticator } from "../support/Authenticator.ts"
import { type Answer, askGrant, bearer, call, type SignedIn } from "../support/Client.ts"
import { atVa, newDevice, prove, signInByVa, type signInDevice } from "../support/Device.ts"
import { addPasskey, appOrigin } from "../support/Passkeys.ts"
import type { Service } from "../support/Service.ts"
import { postSync } from "../support/Sync.ts"
import { newSubject, type VaIssuer } from "../support/VaIssuer.ts"

export type Session = Awaited<ReturnType<typeof signInDevice>>

/** An act of a veteran and what undoes it. An act without an opposite is only repeated. */
export interface Opposites {
  /** `round` counts from 0. */
  readonly act: (session: Session, round: number) => Promise<Answer>
  readonly undo?: (session: Session, done: any) => Promise<Answer>
  /** How often it is done at most, if it takes seconds. */
  readonly most?: number
  /** How many rows one round may leave. Without it, the act must be refused in the end. */
  readonly leaves?: number
}

const me = "/api/veteran/me"

const asSignedIn = ({ headers, person }: Session) => ({ id: person.id, token: "", headers })

export const ask = (
  service: Service,
  { headers }: Pick<Session, "headers">,
  method: string,
  path: string,
  body?: unknown
) => call(service, method, `${me}${path}`, { headers, ...(body === undefined ? {} : { body }) })

/** Every act of a veteran that can be undone and done again. */
export const oppositesOf = (service: Service, va: VaIssuer, provider: SignedIn) => {
  const post = (session: Session, path: string, body?: unknown) => ask(service, session, "POST", path, body)
  const sync = (session: Session, texts: ReadonlyArray<string>) =>
    postSync(service, session, { Observation: "complete" }, { Observation: texts })
  const notices = (session: Session, looks: string) => ask(service, session, "PUT", "/notices", { looks })
  const linkedReleases = new Map<Session, string>()

  return {
    "a grant, revoked": {
      act: (session) => askGrant(service, session, provider),
      undo: (session, { id }) => post(session, `/consent-grants/${id}/revoke`)
    },
    "a grant, stopped with all": {
      act: (session) => askGrant(service, session, provider),
      undo: (session) => post(session, "/sharing/stop-all", {})
    },
    "a passkey": {
      act: ({ headers }) => addPasskey(service, headers, newAuthenticator({ origin: appOrigin })),
      undo: (session, { id }) => post(session, `/passkeys/${id}/remove`)
    },
    "an account of the VA": {
      act: async ({ device, headers }) => {
        const signedIn = await atVa(service, va, device, { subject: newSubject() })
        return prove(service, device, `${me}/identities`, signedIn.challenge, signedIn, headers)
      },
      // This ends all sessions, so the veteran signs in again.
      undo: async (session, { id }) => {
        const removed = await post(session, `/identities/${id}/remove`)
        const { json } = await signInByVa(service, va, session.device, session.person)
        Object.assign(session, { headers: bearer(json.accessToken) })
        return removed
      }
    },
    "a sign-in on a new device": {
      act: async ({ person }) => signInByVa(service, va, await newDevice(), person),
      undo: (session, { sessionId }) => post(session, `/sessions/${sessionId}/end`)
    },
    "a new e-mail address": {
      act: (session) => post(session, "/email", { email: `${randomUUID()}@example.org` })
    },
    "a deletion": {
      act: (session) => post(session, "/deletion", { confirm: "Eagle" }),
      undo: (session) => post(session, "/deletion/cancel")
    },
    "an export": { act: (session) => post(session, "/exports") },
    "mails about looks": {
      act: (session) => notices(session, "each"),
      undo: (session) => notices(session, "daily"),
      leaves: 0
    },
    "an entry": {
      act: (session) => post(session, "/self-reported-entries", { category: "note", text: "x" }),
      undo: (session, { id }) => ask(service, session, "DELETE", `/self-reported-entries/${id}`),
      // ENTRY_LIMIT bounds them, the deleted ones too.
      leaves: 1
    },
    "an upload": {
      act: (session) => upload(service, asSignedIn(session), "text"),
      undo: (session, { id }) => ask(service, session, "DELETE", `/documents/${id}`)
    },
    "a release": {
      act: (session) => sign(service, asSignedIn(session)),
      undo: (session, { document }) => post(session, `/roi/${document.id}/revoke`),
      most: 20,
      // RELEASE_LIMIT_MB bounds them.
      leaves: 7
    },
    "a link": {
      act: async (session, round) => {
        const documentId = linkedReleases.get(session) ?? (await signed(service, asSignedIn(session))).document.id
        linkedReleases.set(session, documentId)
        const recipientEmail = `${session.person.id}-${round}@clinic.example`
        return post(session, "/secure-links", { documentId, recipientName: "Jane", recipientEmail })
      },
      undo: (session, { link }) => post(session, `/secure-links/${link.id}/revoke`)
    },
    "a resource of the record": {
      act: (session) => sync(session, [observation("one")]),
      undo: (session) => sync(session, []),
      // There are six syncs a minute at most.
      leaves: 3
    }
  } satisfies Record<string, Opposites>
}
