import { newAuthenticator } from "../../support/Authenticator.ts"
import { asAdmin, call } from "../../support/Client.ts"
import {
  atVa,
  newDevice,
  operatorCode,
  pair,
  prove,
  registerPerson,
  signInByVa,
  signInDevice
} from "../../support/Device.ts"
import { addPasskey, appEnvironment, appOrigin, newPasskey, signInByPasskey } from "../../support/Passkeys.ts"
import { newSubject, openVaIssuer } from "../../support/VaIssuer.ts"
import { openKilled } from "./Killed.ts"

const va = await openVaIssuer()

const { count, helper, killDuring } = await openKilled({ ...va.environment, ...appEnvironment })

const sessionsOf = (veteranId: string) => count("veteran_sessions where veteran_id = $1", veteranId)

const liveOf = (veteranId: string) => count("veteran_sessions where veteran_id = $1 and ended_at is null", veteranId)

const identitiesOf = (veteranId: string) => count("veteran_identities where veteran_id = $1", veteranId)

const passkeysOf = (veteranId: string) => count("veteran_passkeys where veteran_id = $1", veteranId)

const proofsOf = (veteranId: string, kind: string) =>
  count("proofs where veteran_id = $1 and kind = $2", veteranId, kind)

killDuring({
  "a pairing is begun": {
    words: "begin_veteran_session",
    prepare: async () => {
      const person = await registerPerson(helper)
      return {
        send: async (service) => signInByVa(service, va, await newDevice(), person),
        facts: async () => [
          await count("veteran_pairings where veteran_id = $1", person.id) === 1
        ]
      }
    }
  },
  "a session is begun": {
    words: "begin_veteran_session",
    prepare: async () => {
      const { device, person } = await signInDevice(helper, va)
      return {
        send: (service) => signInByVa(service, va, device, person),
        facts: async () => [await sessionsOf(person.id) === 2, await proofsOf(person.id, "session_started") === 2]
      }
    }
  },
  "an account is paired": {
    words: "app.pair(",
    prepare: async () => {
      const person = await registerPerson(helper)
      const device = await newDevice()
      const { json: { pairingId } } = await signInByVa(helper, va, device, person)
      const code = await operatorCode(helper, person.id)
      return {
        send: (service) => pair(service, device, pairingId, code),
        facts: async () => [
          await sessionsOf(person.id) === 1,
          await identitiesOf(person.id) === 1,
          await proofsOf(person.id, "identity_paired") === 1,
          await proofsOf(person.id, "session_started") === 1,
          await count("veteran_pairings where id = $1", pairingId) === 0,
          await count("veterans where id = $1 and pairing_code_hash is null", person.id) === 1
        ]
      }
    }
  },
  "a passkey is added": {
    words: "add_passkey",
    prepare: async () => {
      const { headers, person } = await signInDevice(helper, va)
      return {
        send: (service) => addPasskey(service, headers, newAuthenticator({ origin: appOrigin })),
        facts: async () => [await passkeysOf(person.id) === 1, await proofsOf(person.id, "passkey_added") === 1]
      }
    }
  },
  "a passkey is removed": {
    words: "remove_passkey",
    prepare: async () => {
      const { headers, person } = await signInDevice(helper, va)
      const { passkeyId } = await newPasskey(helper, headers)
      return {
        send: (service) => call(service, "POST", `/api/veteran/me/passkeys/${passkeyId}/remove`, { headers }),
        facts: async () => [await passkeysOf(person.id) === 0, await proofsOf(person.id, "passkey_removed") === 1]
      }
    }
  },
  "a session is begun by a passkey": {
    words: "begin_passkey_session",
    prepare: async () => {
      const { device, headers, person } = await signInDevice(helper, va)
      const passkey = await newPasskey(helper, headers)
      return {
        send: (service) => signInByPasskey(service, device, passkey),
        facts: async () => [
          await sessionsOf(person.id) === 2,
          await proofsOf(person.id, "session_started") === 2,
          await count(
            "veteran_passkeys where veteran_id = $1 and last_used_at is not null",
            person.id
          ) === 1
        ]
      }
    }
  },
  "all sessions are ended": {
    words: "end_all_veteran_sessions",
    prepare: async () => {
      const { device, headers, person } = await signInDevice(helper, va)
      await signInByVa(helper, va, device, person)
      return {
        send: (service) => call(service, "POST", "/api/veteran/me/sessions/end-all", { headers }),
        facts: async () => [
          await liveOf(person.id) === 0,
          await proofsOf(person.id, "session_ended") === 2,
          await count("veteran_token_ends where veteran_id = $1", person.id) === 1
        ]
      }
    }
  },
  "an account is removed": {
    words: "remove_identity",
    prepare: async () => {
      const { headers, person } = await signInDevice(helper, va)
      await newPasskey(helper, headers)
      const path = `/api/admin/veterans/${person.id}/identities`
      const { json: { items } } = await call(helper, "GET", path, { headers: asAdmin })
      return {
        send: (service) => call(service, "POST", `${path}/${items[0].id}/remove`, { headers: asAdmin }),
        facts: async () => [
          await identitiesOf(person.id) === 0,
          await liveOf(person.id) === 0,
          await passkeysOf(person.id) === 0,
          await proofsOf(person.id, "identity_removed") === 1,
          await proofsOf(person.id, "passkey_removed") === 1,
          await proofsOf(person.id, "session_ended") === 1
        ]
      }
    }
  },
  "a further account is added": {
    words: "add_identity",
    prepare: async () => {
      const { device, headers, person } = await signInDevice(helper, va)
      const path = "/api/veteran/me/identities"
      return {
        send: async (service) => {
          const signedIn = await atVa(service, va, device, { subject: newSubject() })
          return prove(service, device, path, signedIn.challenge, signedIn, headers)
        },
        facts: async () => [await identitiesOf(person.id) === 2, await proofsOf(person.id, "identity_paired") === 2]
      }
    }
  }
})
