import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { openApp } from "../../support/App.ts"
import { asAdmin, bearer, call, giveGrant, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { runs } from "../../support/Runs.ts"
import { createLink, expire, type Link, step } from "../link/Links.ts"
import { giveCode, redeem, registerClient } from "../oauth/Grants.ts"
import { readPatientRecord } from "../Sharing.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const runtime = await database.connect("runtime")

const client = await registerClient(service)

const acts = ["share", "share", "connect", "link", "stop", "stop", "expire", "change", "disable",
  "end release"] as const

/** An act, and a number that chooses what it is done to. */
const Steps = Schema.Array(Schema.Struct({
  act: Schema.Literals(acts),
  choice: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99 }))
})).check(Schema.isMinLength(3), Schema.isMaxLength(14))

interface World {
  readonly veteran: SignedIn
  /** Each has its own provider, app or recipient, who says whether they can read now. */
  readonly sharings: Array<{ readonly kind: string; readonly id: string; readonly reads: () => Promise<boolean> }>
}

const listed = async ({ veteran }: World) => {
  const { json } = await call(service, "GET", "/api/veteran/me/sharing?limit=200", { headers: veteran.headers })
  return json.items as ReadonlyArray<{ readonly kind: string; readonly id: string; readonly what: any }>
}

const byProvider = (world: World, provider: SignedIn, id: string) => ({
  kind: "provider",
  id,
  reads: async () => (await readPatientRecord(service, provider, world.veteran)).status === 200
})

const byRecipient = ({ id, token }: Link) => ({
  kind: "link",
  id,
  reads: async () => (await step(service, "open", { token })).status === 200
})

const run = async (world: World, act: typeof acts[number], choice: number) => {
  const { sharings, veteran } = world
  const chosen = (kinds: ReadonlyArray<string>) => {
    const fit = sharings.filter(({ kind }) => kinds.includes(kind))
    return fit[choice % Math.max(1, fit.length)]
  }
  if (act === "share") {
    const provider = await newProvider(superuser)
    sharings.push(byProvider(world, provider, (await giveGrant(service, veteran, provider)).id))
  } else if (act === "connect") {
    const given = await giveCode(runtime, client, veteran)
    const { json } = await redeem(service, client, given)
    const headers = bearer(json.access_token)
    const reads = async () => (await call(service, "GET", "/api/fhir/R4/Condition", { headers })).status === 200
    sharings.push({ kind: "app", id: given.grantId, reads })
  } else if (act === "link") {
    sharings.push(byRecipient(await createLink(service, veteran)))
  } else if (act === "stop") {
    const one = chosen(["provider", "app", "link"])
    if (one === undefined) return
    const path = `/api/veteran/me/sharing/${one.kind}/${one.id}/stop`
    assert.strictEqual((await call(service, "POST", path, { headers: veteran.headers })).status, 200)
  } else if (act === "expire") {
    const one = chosen(["provider", "app", "link"])
    if (one?.kind === "link") await expire(superuser, "secure_links.expires_at", one.id)
    else if (one !== undefined) {
      await superuser.query(
        "update consent_grants set expires_at = clock_timestamp() - interval '1 ms' where id = $1 and status = 'active'",
        [one.id]
      )
    }
  } else if (act === "change") {
    const provider = await newProvider(superuser)
    const { id: supersedes } = await giveGrant(service, veteran, provider)
    const { id } = await giveGrant(service, veteran, provider, { supersedes })
    sharings.push(byProvider(world, provider, id))
  } else if (act === "disable") {
    const one = chosen(["provider"])
    if (one === undefined) return
    const { rows } = await superuser.query("select provider_id from consent_grants where id = $1", [one.id])
    await call(service, "POST", `/api/admin/providers/${rows[0].provider_id}/disable`, { headers: asAdmin })
  } else {
    const releases = (await listed(world)).filter(({ kind }) => kind === "release")
    const one = releases[choice % Math.max(1, releases.length)]
    if (one !== undefined) {
      await call(service, "POST", `/api/veteran/me/roi/${one.id}/revoke`, { headers: veteran.headers })
    }
  }
}

/** Compares the list with what each provider, app and recipient can really read at this moment. */
const compare = async (world: World) => {
  const active = (await listed(world)).filter(({ kind }) => kind !== "release").map(({ id }) => id)
  const reading = []
  for (const { id, reads } of world.sharings) if (await reads()) reading.push(id)
  assert.sameMembers(active, reading)
  return reading.length
}

describe("The list of everybody who has the record", () => {
  it.effect.prop(
    "has, after any history, exactly those who can read, and nobody after everything was stopped",
    { steps: Steps },
    ({ steps }) =>
      Effect.promise(async () => {
        const world: World = { veteran: await signInVeteran(service), sharings: [] }
        for (const { act, choice } of steps) await run(world, act, choice)
        const readers = await compare(world)
        const { json } = await call(service, "POST", "/api/veteran/me/sharing/stop-all", {
          headers: world.veteran.headers,
          body: {}
        })
        assert.strictEqual(json.provider + json.app + json.link, readers)
        assert.deepStrictEqual(await listed(world), [])
        assert.strictEqual(await compare(world), 0)
      }),
    { arbitrary: { runs: runs(20) } }
  )
})
