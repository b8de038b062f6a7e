import { assert, test } from "vitest"
import { openFilled } from "./Filled.ts"
import { openGuard } from "./Guard.ts"
import { deviations } from "./Matrix.ts"
import { definerFunctions, type Mutant, mutants } from "./Mutants.ts"
import { protectedTables } from "./Rows.ts"
import { tellingWrites } from "./Writes.ts"

const { database, superuser } = await openFilled()

/** Changes the policies and reads the matrix as the runtime role, in a transaction that is rolled back. */
const deviationsWith = async (...changes: ReadonlyArray<Mutant>) => {
  await superuser.query("begin")
  try {
    for (const { sql } of changes) await superuser.query(sql)
    await superuser.query("set local role vrss_app")
    return await deviations(superuser, tellingWrites, 1)
  } finally {
    await superuser.query("rollback")
  }
}

/**
 * Matches mutants that lack a check of the kind of actor. Both a policy and the function that it calls make this check,
 * so the matrix cannot notice that one of the two is missing.
 */
const asksForKind = /without .*app\.actor\(\)\)? = '(provider|recipient|app)'$/

/** An actor of one kind who also sets the ids of another kind would count as both. The matrix has such actors. */
const noticedAlone = /^(active_grants|provider_notes\.provider_reads_own|record_looks\.provider_reads_own) /

/** Without this check a recipient still sees no upload: the policy also requires an end date, and uploads have none. */
const asksForRelease = "documents.recipient_reads_linked without kind = 'roi'"

const uploadsWithEnd: Mutant = {
  name: "an upload with an end",
  sql: `alter table documents drop constraint documents_check;
        update documents set ends_at = now() + interval '1 hour' where kind = 'upload'`
}

/**
 * The matrix cannot notice that these policies apply to every verb, or that a table has none. The role has no right to
 * the other verbs or to the table, or another policy allows the same.
 */
const closedByRights = [
  "email_changes without row-level security",
  "endings_told without row-level security",
  "health_record_tombstones.veteran_reads for every verb",
  "looks_untold without row-level security",
  "provider_notes.provider_reads_own for every verb",
  "proofs.veteran_reads for every verb",
  "record_looks.provider_reads_own for every verb",
  "veteran_deletions without row-level security",
  "veteran_identities.veteran_reads for every verb",
  "veteran_pairings without row-level security",
  "veteran_passkeys.veteran_reads for every verb",
  "veteran_sessions.veteran_reads for every verb"
]

/**
 * No other policy of vrss_runtime shows a row to the actor `verification`, so the matrix cannot notice this mutant. The
 * clause matters only if the database's owner is a member of vrss_runtime. verification.test.ts tests that case.
 */
const asksForVerification = "documents.kept_are_hidden without (select app.actor()) = 'verification'"

/**
 * This clause decides whether an ended link is called disabled or expired. The link shows nothing in either case, so
 * the matrix cannot notice. test/http/link/secure-links.test.ts covers the distinction.
 */
const namesTheEnd = ["link_status without r.revoked_at < link.expires_at"]

test("The policies of the migrations allow exactly what the matrix says", async () => {
  assert.deepStrictEqual(await deviationsWith(), [])
})

test("Every clause of every policy has a mutant", () => {
  assert.isAtLeast(mutants.length, 75)
  assert.strictEqual(new Set(mutants.map(({ name }) => name)).size, mutants.length)
})

for (const mutant of mutants) {
  const redundant = (asksForKind.test(mutant.name) && !noticedAlone.test(mutant.name)) ||
    [...closedByRights, ...namesTheEnd, asksForRelease, asksForVerification].includes(mutant.name)
  test(`The matrix ${redundant ? "cannot notice" : "notices"}: ${mutant.name}`, async () => {
    assert.strictEqual((await deviationsWith(mutant)).length, redundant ? 0 : 1)
  })
}

const guard = openGuard(database)

test.each(["set search_path = ''", "reset search_path", "security invoker"])(
  "The guard at the start notices each function that runs as its owner after: %s",
  async (change) => {
    assert.lengthOf(definerFunctions, 116)
    const found = await guard("vrss_app", definerFunctions.map((name) => `alter function ${name} ${change}`))
    const changed = found.map((problem) => /the function (app\.\w+)\(.*\) is changed\.$/.exec(problem)?.[1])
    assert.deepStrictEqual(changed.sort(), definerFunctions.toSorted())
  }
)

const changeable = new Set([
  ...protectedTables,
  ...mutants.flatMap(({ sql }) =>
    /function app\.(\w+)|^grant .* on (\w+) to|^alter table (\w+)/.exec(sql)?.slice(1) ?? []
  )
])

/** The table or function that a mutant changes. */
const changedBy = ({ name }: Mutant) => name.match(/\w+/g)!.find((word) => changeable.has(word))!

/** A look at one mutant takes as long as a look at many, and a finding names what was changed. */
test("The guard at the start notices each mutant, beside mutants of other tables and functions", async () => {
  const ofOne = Object.values(Object.groupBy(mutants, changedBy)) as ReadonlyArray<ReadonlyArray<Mutant>>
  const unnoticed: Array<string> = []
  for (let at = 0; at < Math.max(...ofOne.map(({ length }) => length)); at++) {
    const beside = ofOne.flatMap((mutants) => mutants[at] ?? [])
    const found = await guard("vrss_app", beside.map(({ sql }) => sql))
    const named = new Set(found.flatMap((problem) => problem.match(/\w+/g)))
    unnoticed.push(...beside.filter((mutant) => !named.has(changedBy(mutant))).map(({ name }) => name))
  }
  assert.deepStrictEqual(unnoticed, [])
})

const asking = Object.groupBy(mutants, ({ name }) => asksForKind.exec(name)?.[1] ?? "")

const isPolicy = ({ name }: Mutant) => /^\w+\.\w+ without /.test(name)

const functionName = ({ name }: Mutant) => name.split(" ")[0]

test("Each kind of actor is checked by its policies and by one function", () => {
  const names = ["provider", "recipient", "app"].flatMap((kind) => asking[kind]!.filter((mutant) => !isPolicy(mutant)))
  assert.deepStrictEqual(names.map(functionName), ["active_grants", "linked_documents", "active_grants"])
})

for (const kind of ["provider", "recipient", "app"]) {
  const inFunction = asking[kind]!.find((mutant) => !isPolicy(mutant))!
  for (const mutant of asking[kind]!.filter(isPolicy)) {
    test(`The matrix notices: ${mutant.name}, if ${functionName(inFunction)} does not check it either`, async () => {
      assert.strictEqual((await deviationsWith(mutant, inFunction)).length, 1)
    })
  }
}

test("If uploads had end dates, the matrix would notice a policy that lets recipients read uploads", async () => {
  const notAsking = mutants.find(({ name }) => name === asksForRelease)!
  assert.deepStrictEqual(await deviationsWith(uploadsWithEnd), [])
  assert.deepStrictEqual(await deviationsWith(uploadsWithEnd, notAsking), [
    "reading as a recipient whose link is 'toUpload': A upload instead of "
  ])
})
