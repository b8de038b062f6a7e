import { randomUUID } from "node:crypto"
import { call, giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"
import { openPeople } from "../../support/People.ts"
import { openKilled } from "./Killed.ts"

const { count, helper, killDuring } = await openKilled()

const noted = async (id: string, act: string) =>
  await count("admin_acts where target_id = $1 and act = $2", id, act) === 1

const admin = (service: { readonly url: string }, method: string, path: string, body?: unknown) =>
  openPeople(service).admin(method, path, body)

killDuring({
  "a provider is changed": {
    words: "change_provider",
    prepare: async () => {
      const { id } = await signInProvider(helper)
      return {
        send: (service) => admin(service, "PATCH", `/providers/${id}`, { displayName: "Dr. Ada Smith" }),
        facts: async () => [
          await count("providers where id = $1 and display_name = 'Dr. Ada Smith'", id) === 1,
          await noted(id, "provider_changed")
        ]
      }
    }
  },
  "a provider is enabled": {
    words: "update providers set disabled_at = null",
    prepare: async () => {
      const { id } = await signInProvider(helper)
      await admin(helper, "POST", `/providers/${id}/disable`)
      return {
        send: (service) => admin(service, "POST", `/providers/${id}/enable`),
        facts: async () => [
          await count("providers where id = $1 and disabled_at is null", id) === 1,
          await noted(id, "provider_enabled")
        ]
      }
    }
  },
  "a veteran's address and call sign are changed": {
    words: "change_veteran_email",
    prepare: async () => {
      const { id } = await signInVeteran(helper)
      const email = `hawk-${randomUUID()}@example.org`
      return {
        send: (service) => admin(service, "PATCH", `/veterans/${id}`, { callSign: "Hawk", email }),
        facts: async () => [
          await count("veterans where id = $1 and email = $2", id, email) === 1,
          await count("veterans where id = $1 and call_sign = 'Hawk'", id) === 1,
          await count("proofs where veteran_id = $1 and kind = 'email_changed'", id) === 1,
          await noted(id, "veteran_changed")
        ]
      }
    }
  },
  "all access to a veteran is ended": {
    words: "app.end_access",
    prepare: async () => {
      const veteran = await signInVeteran(helper)
      const provider = await signInProvider(helper)
      await giveGrant(helper, veteran, provider)
      return {
        send: (service) => admin(service, "POST", `/veterans/${veteran.id}/end-access`),
        facts: async () => [
          await count("consent_grants where veteran_id = $1 and status = 'active'", veteran.id) === 0,
          await count("proofs where veteran_id = $1 and kind = 'grant_revoked'", veteran.id) === 1,
          (await call(helper, "GET", "/api/veteran/me/notices", { headers: veteran.headers })).status === 401,
          await noted(veteran.id, "access_ended")
        ]
      }
    }
  }
}, true)
