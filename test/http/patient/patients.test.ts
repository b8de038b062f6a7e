import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call, giveGrant, ownHeaders, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { instant, nobody } from "../../support/Formats.ts"
import { newProvider } from "../../support/Providers.ts"
import { resource, sync } from "../../support/Sync.ts"
import { kindsOf } from "../ledger/Account.ts"
import {
  expireGrant,
  listPatients,
  readNotes,
  readPatientRecord,
  revoke,
  seenByProvider,
  writeNote
} from "../Sharing.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

let provider: SignedIn

let veteran: SignedIn

beforeEach(async () => {
  provider = await newProvider(superuser)
  veteran = await signInVeteran(service)
})

const ids = (
  answer: { readonly json: { readonly items: ReadonlyArray<{ readonly grant: { readonly id: string } }> } }
) => answer.json.items.map(({ grant }) => grant.id)

describe("GET /api/provider/patients", () => {
  test("is empty without a grant", async () => {
    const answer = await listPatients(service, provider)
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(answer.json, { items: [], nextCursor: null })
  })

  test("shows which veterans gave a grant, and what they granted", async () => {
    const grant = await giveGrant(service, veteran, provider)
    assert.deepStrictEqual((await listPatients(service, provider)).json, {
      items: [{
        veteranId: veteran.id,
        callSign: "Eagle",
        person: null,
        grant: seenByProvider(grant),
        alertCount: 0,
        notLoaded: ["AllergyIntolerance", "MedicationRequest", "Condition"],
        lastLookedAt: null,
        changedSince: false
      }],
      nextCursor: null
    })
    assert.deepStrictEqual(grant.provider, { displayName: "Dr. Ada Gray", organization: "Gray Clinic" })
  })

  test("shows only the active grants to this provider", async () => {
    const kept = await giveGrant(service, veteran, provider)
    const revoked = await giveGrant(service, veteran, provider)
    const expired = await giveGrant(service, veteran, provider)
    await giveGrant(service, veteran, await newProvider(superuser))
    await revoke(service, veteran, revoked)
    await expireGrant(superuser, expired)
    assert.deepStrictEqual(ids(await listPatients(service, provider)), [kept.id])
  })

  test("with veteranId, lists only that veteran's active grants to this provider, if there are any", async () => {
    const [other, both] = [await signInVeteran(service), `?veteranId=${veteran.id}`]
    const first = await giveGrant(service, veteran, provider)
    await giveGrant(service, other, provider)
    const second = await giveGrant(service, veteran, provider)
    await giveGrant(service, veteran, await newProvider(superuser))
    assert.deepStrictEqual(ids(await listPatients(service, provider, both)), [second.id, first.id])
    await revoke(service, veteran, first)
    assert.deepStrictEqual(ids(await listPatients(service, provider, both)), [second.id])
    await revoke(service, veteran, second)
    assert.deepStrictEqual((await listPatients(service, provider, both)).json, { items: [], nextCursor: null })
  })

  test("refuses a cursor of one veteran's list in the full list, and a malformed veteranId", async () => {
    await giveGrant(service, veteran, provider)
    await giveGrant(service, veteran, provider)
    const page = await listPatients(service, provider, `?limit=1&veteranId=${veteran.id}`)
    assert.strictEqual((await listPatients(service, provider, `?cursor=${page.json.nextCursor}`)).status, 400)
    assert.strictEqual((await listPatients(service, provider, "?veteranId=me")).status, 400)
  })
})

const ofRecord = (method: string, path: string) => () =>
  call(service, method, `/api/provider/patients/${veteran.id}/record/${path}`, { headers: provider.headers })

const routes = {
  record: () => readPatientRecord(service, provider, veteran),
  "record of one type": () => readPatientRecord(service, provider, veteran, "?resourceType=Condition"),
  "list of changes": ofRecord("GET", "changes"),
  "list of changes since a time": ofRecord("GET", "changes?since=2020-01-01T00:00:00Z"),
  "notice of a saved copy": ofRecord("POST", "saved"),
  "list of notes": () => readNotes(service, provider, veteran),
  "new note": () => writeNote(service, provider, veteran, { text: "Seen today." })
}

describe.each(Object.entries(routes))("Without consent the %s", (_, ask) => {
  const refusal = async () => {
    const answer = await ask()
    assert.strictEqual(answer.status, 403)
    assert.deepStrictEqual({ ...answer.json, requestId: "" }, {
      error: "consent_required",
      message: "No active consent grant of this veteran covers what is asked.",
      requestId: ""
    })
    return JSON.stringify(ownHeaders(answer))
  }

  test("is refused alike for an unknown veteran, no grant, an expired grant and a revoked grant, and tells nothing", async () => {
    const refusals = [await refusal()]
    await expireGrant(superuser, await giveGrant(service, veteran, provider))
    refusals.push(await refusal())
    await revoke(service, veteran, await giveGrant(service, veteran, provider))
    refusals.push(await refusal())
    await giveGrant(service, veteran, await newProvider(superuser))
    refusals.push(await refusal())
    veteran = { ...veteran, id: nobody }
    refusals.push(await refusal())
    assert.strictEqual(new Set(refusals).size, 1)
    assert.isEmpty((await kindsOf(service, veteran)).filter((kind) => !kind.startsWith("grant_")))
  })

  test("is refused immediately when the only grant is revoked, but not while another grant is active", async () => {
    const [first, second] = [await giveGrant(service, veteran, provider), await giveGrant(service, veteran, provider)]
    await revoke(service, veteran, first)
    assert.oneOf((await ask()).status, [200, 201, 204])
    await revoke(service, veteran, second)
    await refusal()
  })

  test("is refused immediately when the grant expires, and as unauthenticated once the provider is disabled", async () => {
    const grant = await giveGrant(service, veteran, provider)
    assert.oneOf((await ask()).status, [200, 201, 204])
    await expireGrant(superuser, grant)
    await refusal()
    await giveGrant(service, veteran, provider)
    assert.oneOf((await ask()).status, [200, 201, 204])
    await call(service, "POST", `/api/admin/providers/${provider.id}/disable`, { headers: asAdmin })
    const answer = await ask()
    assert.strictEqual(answer.status, 401)
    assert.strictEqual(answer.json.error, "unauthenticated")
  })
})

/** Delays a request by a lock on a table, acts once a connection waits there, and then releases the lock. */
const meanwhile = async <A>(table: string, ask: () => Promise<A>, act: () => Promise<unknown>): Promise<A> => {
  await superuser.query(`begin; lock table ${table} in access exclusive mode`)
  let answered = false
  try {
    const answer = ask().finally(() => answered = true)
    const waiting = "select from pg_locks where not granted and relation = $1::regclass"
    while ((await superuser.query(waiting, [table])).rowCount === 0) {
      assert.isFalse(answered, "the request did not wait")
    }
    await act()
    await superuser.query("commit")
    return await answer
  } finally {
    await superuser.query("rollback")
  }
}

describe("Revoking a grant", () => {
  // The lock on `documents` stops the request after the service has read the items.
  test("during the read of a record withholds even the items that the service had already read", async () => {
    await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c")] })
    const grant = await giveGrant(service, veteran, provider)
    const answer = await meanwhile("documents", routes.record, () => revoke(service, veteran, grant))
    assert.strictEqual(answer.status, 403)
    assert.strictEqual(answer.json.error, "consent_required")
  })

  test("during the read of a record does not withhold what another grant covers", async () => {
    await sync(service, veteran, { Condition: "complete", Observation: "complete" }, {
      Condition: [resource("Condition", "c")],
      Observation: [resource("Observation", "o")]
    })
    const left = await giveGrant(service, veteran, provider, { resourceTypes: ["Condition"] })
    const grant = await giveGrant(service, veteran, provider, { resourceTypes: ["Observation"] })
    const answer = await meanwhile("documents", routes.record, () => revoke(service, veteran, grant))
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(answer.json.grant, seenByProvider(left))
    assert.deepStrictEqual(answer.json.sections.map(({ resourceType }: { resourceType: string }) => resourceType), [
      "Condition"
    ])
  })

  test("during the writing of a note refuses the note", async () => {
    const grant = await giveGrant(service, veteran, provider)
    const answer = await meanwhile("provider_notes", routes["new note"], () => revoke(service, veteran, grant))
    assert.strictEqual(answer.status, 403)
    assert.strictEqual(answer.json.error, "consent_required")
    assert.strictEqual(
      (await superuser.query("select from provider_notes where veteran_id = $1", [veteran.id])).rowCount,
      0
    )
  })
})

test("A record that is synchronised while it is read is shown in the state of one moment", async () => {
  await giveGrant(service, veteran, provider)
  const manifest = async () =>
    (await superuser.query("select fhir_sync_manifest as it from veterans where id = $1", [veteran.id])).rows[0].it
  await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c")] })
  const complete = await manifest()
  await sync(service, veteran, { Condition: "empty" })
  const answer = await meanwhile("health_record_items", routes.record, async () => {
    await superuser.query("update veterans set fhir_sync_manifest = $2 where id = $1", [veteran.id, complete])
    await superuser.query("update health_record_items set active = true, deactivated_at = null where veteran_id = $1", [
      veteran.id
    ])
  })
  const [{ itemCount, state }] = answer.json.sections
  assert.deepStrictEqual([state, itemCount], ["complete", 1])
})

describe("/api/provider/patients/{veteranId}/notes", () => {
  test("stores a note and shows it again, newest first", async () => {
    await giveGrant(service, veteran, provider)
    const written: Array<unknown> = []
    for (const text of ["First.", "Zweite: üñ😀\n<b>&\"", "x".repeat(20_000)]) {
      const answer = await writeNote(service, provider, veteran, { text })
      assert.strictEqual(answer.status, 201)
      const { createdAt, id, ...rest } = answer.json
      assert.match(createdAt, instant)
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.deepStrictEqual(rest, { providerId: provider.id, providerName: "Dr. Ada Gray", text })
      written.unshift(answer.json)
    }
    assert.deepStrictEqual((await readNotes(service, provider, veteran)).json, { items: written, nextCursor: null })
  })

  test("shows providers their own notes, and the veteran every provider's", async () => {
    const other = await newProvider(superuser)
    for (const by of [provider, other]) {
      await giveGrant(service, veteran, by)
      await writeNote(service, by, veteran, { text: by.id })
    }
    for (const by of [provider, other]) {
      const texts = (await readNotes(service, by, veteran)).json.items.map(({ text }: { text: string }) => text)
      assert.deepStrictEqual(texts, [by.id])
    }
    const own = await call(service, "GET", "/api/veteran/me/provider-notes", { headers: veteran.headers })
    assert.deepStrictEqual(own.json.items.map(({ text }: { text: string }) => text), [other.id, provider.id])
  })

  test("refuses a body without a text, with a text that may not be stored, or with more", async () => {
    await giveGrant(service, veteran, provider)
    const texts = ["", " \t", "x".repeat(20_001), "a\0b"]
    for (const body of [{}, ...texts.map((text) => ({ text })), { text: "x", id: "y" }, []]) {
      const answer = await writeNote(service, provider, veteran, body)
      assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"], JSON.stringify(body))
    }
    assert.deepStrictEqual((await readNotes(service, provider, veteran)).json.items, [])
  })

  test("refuses 'me' as the veteran's id", async () => {
    const answer = await readNotes(service, provider, { id: "me" })
    assert.strictEqual(answer.status, 400)
    assert.strictEqual(answer.json.error, "invalid_request")
  })
})
