import { assert, describe, test } from "vitest"
import { openFilled } from "./Filled.ts"
import { type Provider, veterans } from "./Rows.ts"
import { app, provider, recipient, release, state, type Stated, veteran } from "./Stated.ts"

const { runtime, superuser } = await openFilled()

// A has one Patient with a category and B has one without any. Everything was stored after the looks of `fill`.
await superuser.query(
  `insert into health_record_items (id, veteran_id, resource_type, fhir_id, raw_ciphertext, content_mac, sensitive_categories)
   values (gen_random_uuid(), $1, 'Patient', 'of A', decode(repeat('00', 40), 'hex'), decode(repeat('00', 32), 'hex'), '{hiv}'),
     (gen_random_uuid(), $2, 'Patient', 'of B', decode(repeat('00', 40), 'hex'), decode(repeat('00', 32), 'hex'), '{}')`,
  [veterans.A, veterans.B]
)

/** What is told of A and of B: the types, whether the provider looked, whether something changed, and the Patient. */
const listed = async (stated: Stated, bytes = 1_000_000, largest = 1_000) => {
  await runtime.query("begin")
  try {
    await state(runtime, stated)
    const { rows } = await runtime.query("select * from app.listed_patients($1, $2, $3)", [
      [veterans.A, veterans.B],
      bytes,
      largest
    ])
    const { rows: [after] } = await runtime.query("select app.actor_veteran() as veteran")
    assert.strictEqual(after.veteran ?? null, stated.veteran_id ?? null)
    return rows.map(({ changed, fhir_id, looked_at, resource_types }) =>
      [resource_types?.join() ?? "every type", looked_at !== null, changed === true, fhir_id] as const
    )
  } finally {
    await runtime.query("rollback")
  }
}

const nothing = ["", false, false, null] as const

const told: Readonly<Partial<Record<Provider, readonly [string, boolean, boolean, string | null]>>> = {
  everything: ["every type", true, true, "of A"],
  hiv: ["every type", true, true, "of A"],
  conditions: ["Condition", true, true, null],
  twoGrants: ["Condition,Observation", true, true, null],
  noTypes: ["", true, false, null]
}

describe("The list of a provider", () => {
  test.each(Object.entries(told))("tells of A what the grant '%s' shows, and nothing of B", async (name, ofA) => {
    assert.deepStrictEqual(await listed(provider(name as Provider)), [ofA, nothing])
  })

  test("tells of B what a grant of B shows, whichever veteran was stated before", async () => {
    for (const owner of ["A", "B"] as const) {
      assert.deepStrictEqual(await listed(provider("ofB", owner)), [nothing, ["every type", true, true, "of B"]])
    }
  })

  test.each(["nothing", "expired", "revoked", "markedExpired", "disabled"] as const)(
    "tells nothing with the grant '%s'",
    async (name) => {
      assert.deepStrictEqual(await listed(provider(name)), [nothing, nothing])
    }
  )

  test("stops after the given bytes of Patients", async () => {
    assert.lengthOf(await listed(provider("everything"), 40), 1)
    assert.lengthOf(await listed(provider("everything"), 41), 2)
  })
})

test("The list leaves out a Patient that is larger than asked, and still tells the rest", async () => {
  await runtime.query("begin")
  await state(runtime, provider("everything"))
  const patients = async (largest: number) => {
    const { rows } = await runtime.query("select * from app.listed_patients($1, 1000, $2)", [[veterans.A], largest])
    return rows.map(({ looked_at, raw_ciphertext }) => [looked_at !== null, raw_ciphertext?.length ?? null])
  }
  assert.deepStrictEqual([await patients(40), await patients(39)], [[[true, 40]], [[true, null]]])
  await runtime.query("rollback")
})

describe("The list of another actor", () => {
  test("has no looks, and as a veteran's or an app's no more than their own reads", async () => {
    for (const stated of [{}, recipient("live"), { ...provider("everything"), actor: null }]) {
      assert.deepStrictEqual(await listed(stated), [nothing, nothing])
    }
    for (const stated of [veteran("B"), app("conditions"), release("Condition", "hiv")]) {
      for (const [, looked, changed] of await listed(stated)) assert.isFalse(looked || changed)
    }
  })
})
