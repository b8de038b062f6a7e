import type pg from "pg"
import { afterAll, assert, beforeAll, test } from "vitest"
import { createDatabase, type TestDatabase } from "../support/Database.ts"
import { deviations } from "./Matrix.ts"
import { type Mutant, mutants } from "./Mutants.ts"
import { fill } from "./Rows.ts"

let database: TestDatabase
let superuser: pg.Client

beforeAll(async () => {
  database = await createDatabase()
  superuser = await database.connect("superuser")
  await fill(superuser)
})
afterAll(() => database.close())

/** Changes the policies and looks at the matrix as the runtime role, all in a transaction that is rolled back. */
const deviationsWith = async (...changes: ReadonlyArray<Mutant>) => {
  await superuser.query("begin")
  try {
    for (const { sql } of changes) await superuser.query(sql)
    await superuser.query("set local role vrss_app")
    return await deviations(superuser, 1)
  } finally {
    await superuser.query("rollback")
  }
}

/** The kind of actor is asked for twice, by the policy and by `app.active_grants`: either alone would do. */
const asksForProvider = /without .*app\.actor\(\)\)? = 'provider'$/
/** The verbs that the policy would open are not granted on the table, or another policy opens them the same way. */
const closedByRights = ["provider_notes.provider_reads_own for every verb"]

test("the matrix holds for the policies as they are", async () => {
  assert.deepStrictEqual(await deviationsWith(), [])
})

test("every clause of every policy is there to be tried", () => {
  assert.isAtLeast(mutants.length, 50)
  assert.strictEqual(new Set(mutants.map(({ name }) => name)).size, mutants.length)
})

for (const mutant of mutants) {
  const redundant = asksForProvider.test(mutant.name) || closedByRights.includes(mutant.name)
  test(`the matrix ${redundant ? "cannot notice" : "notices"}: ${mutant.name}`, async () => {
    assert.strictEqual((await deviationsWith(mutant)).length, redundant ? 0 : 1)
  })
}

const [inFunction, ...inPolicies] = mutants.filter(({ name }) => asksForProvider.test(name)).reverse()

for (const mutant of inPolicies) {
  test(`the matrix notices: ${mutant.name}, nor in active_grants`, async () => {
    assert.strictEqual((await deviationsWith(mutant, inFunction!)).length, 1)
  })
}
