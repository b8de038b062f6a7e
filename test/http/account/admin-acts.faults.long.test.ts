import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openDatabase, openService } from "../../support/App.ts"
import { asAdmin, call, giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"
import { killAtEachStep, killing, whole } from "../../support/KilledProcess.ts"

const database = await openDatabase()

const superuser = await database.connect("superuser")

/** It makes what the killed processes work on, and goes on while they are killed. */
const helper = await openService(database)

const killAt = killing(database, {})

const count = async (query: string, ...values: ReadonlyArray<unknown>) =>
  Number((await superuser.query(`select count(*) from ${query}`, [...values])).rows[0].count)

const noted = async (id: string, act: string) =>
  await count("admin_acts where target_id = $1 and act = $2", id, act) === 1

const admin = (service: { readonly url: string }, method: string, path: string, body?: unknown) =>
  call(service, method, `/api/admin${path}`, { headers: asAdmin, ...(body === undefined ? {} : { body }) })

interface Act {
  /** The first statement of the act. */
  readonly words: string
  readonly prepare: () => Promise<{
    readonly send: (service: { readonly url: string }) => Promise<{ readonly status: number }>
    /** What the act does, each of which happened or not. */
    readonly facts: () => Promise<ReadonlyArray<boolean>>
  }>
}

const acts: Record<string, Act> = {
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
}

describe("A process that is killed at any step, beside another,", () => {
  test.each(Object.entries(acts))("while %s leaves the act with its row, or neither", async (_, { prepare, words }) => {
    const prepareBoth = async () => {
      const { facts, send } = await prepare()
      const happened = async () => {
        const did = whole(await facts())
        // The other process can go on at once: no lock is left.
        assert.strictEqual((await send(helper)).status, 200)
        return did
      }
      return { send, happened }
    }
    await killAtEachStep(killAt, { words, prepare: prepareBoth })
  })
})
