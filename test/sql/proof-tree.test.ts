import { createHash, randomBytes, randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { writeEvents } from "../http/ledger/Drained.ts"
import { openDatabase } from "../support/App.ts"

const database = await openDatabase()

const owner = await database.connect("superuser")

const runtime = await database.connect("runtime")

const veteran = randomUUID()

/** Returns the SQLSTATE that refused a statement, or "done". */
const outcome = (text: string, values: ReadonlyArray<unknown> = []) =>
  runtime.query(text, [...values]).then(() => "done", ({ code }) => code as string)

const tree = async () =>
  (await runtime.query("select tree_size::int as size, root_hash as root from app.proof_tree()")).rows[0]

const append = (ids: ReadonlyArray<string>, hashes: ReadonlyArray<Buffer>) =>
  outcome("select app.append_leaves($1, $2, $3, $4, $5)", [
    ids.map(() => veteran),
    ids,
    ids.map(() => Buffer.from("sealed")),
    hashes,
    ids.map(() => null)
  ])

const leaf = () => randomBytes(32)

const node = (left: Buffer, right: Buffer) =>
  createHash("sha256").update(Buffer.of(1)).update(left).update(right).digest()

describe("The runtime role", () => {
  test("writes tiles, checkpoints and proofs only through functions", async () => {
    for (
      const statement of [
        "insert into proof_tiles values (0, 0, decode(repeat('00', 32), 'hex'))",
        "update proof_tiles set hashes = hashes",
        "delete from proof_tiles",
        "truncate proof_tiles",
        "insert into proof_checkpoints values (gen_random_uuid(), 1, '', '', now())",
        "update proof_checkpoints set note = ''",
        "delete from proof_checkpoints",
        "update proofs set tree_index = 1",
        "delete from proofs",
        "select app.lock_tree()",
        "select app.last_tile(0)"
      ]
    ) assert.strictEqual(await outcome(statement), "42501", statement)
  })

  test("appends each row once, and changes no leaf", async () => {
    const [a, b, c] = await writeEvents(owner, veteran, 3) as [string, string, string]
    const [first, second] = [leaf(), leaf()]
    assert.strictEqual(await append([a, b], [first, second]), "done")
    assert.deepStrictEqual(await tree(), { size: 2, root: node(first, second) })
    const refused = "P0001"
    assert.strictEqual(await append([a], [leaf()]), refused, "a leaf again")
    assert.strictEqual(await append([c, c], [leaf(), leaf()]), refused, "one row as two leaves")
    assert.strictEqual(await append([randomUUID()], [leaf()]), refused, "no row")
    assert.strictEqual(await append([c], [leaf(), leaf()]), refused, "more leaves than rows")
    assert.strictEqual(await append([c], [leaf().subarray(1)]), "23514", "a short hash")
    assert.strictEqual(await append([c], [null as never]), "23514", "no hash")
    await runtime.query("select app.set_proofs_aside($1, $2, array['a reason'])", [[veteran], [a]])
    await runtime.query("select app.set_proofs_aside($1, $2, array['a reason'])", [[veteran], [c]])
    assert.strictEqual(await append([c], [leaf()]), refused, "a row that was set aside")
    assert.deepStrictEqual(await tree(), { size: 2, root: node(first, second) })
    const { rows } = await owner.query(
      "select id, tree_index::int, leaf_hash from proofs where leaf_hash is not null order by 2"
    )
    assert.deepStrictEqual(rows, [{ id: a, tree_index: 0, leaf_hash: first }, {
      id: b,
      tree_index: 1,
      leaf_hash: second
    }])
  })

  test("stores only checkpoints of the present tree", async () => {
    const { root, size } = await tree()
    const store = (size: number, hash: Buffer) =>
      outcome("select app.store_checkpoint($1, false)", [`log\n${size}\n${hash.toString("base64")}\n`])
    assert.strictEqual(await store(size - 1, root), "P0001")
    assert.strictEqual(await store(size + 1, root), "P0001")
    assert.strictEqual(await store(size, leaf()), "P0001")
    assert.strictEqual(await outcome("select app.store_checkpoint('', false)"), "P0001")
    assert.strictEqual(await outcome("select app.store_checkpoint(null, true)"), "23502")
    assert.strictEqual(await store(size, root), "done")
  })

  test("sees the events of a veteran only if that veteran is set as actor", async () => {
    assert.strictEqual((await runtime.query("select from proofs")).rowCount, 0)
  })
})

describe("A row whose leaf is in the tree", () => {
  const outcomeOf = (text: string, values: ReadonlyArray<unknown> = []) =>
    owner.query(text, [...values]).then(() => "done", ({ code }) => code as string)

  test("is not removed and not changed by anybody, but sealed anew and forgotten after its time", async () => {
    const [kept, waiting] = await writeEvents(owner, veteran, 2) as [string, string]
    assert.strictEqual(await append([kept], [leaf()]), "done")
    const kind = "23000"
    assert.strictEqual(await outcomeOf("delete from proofs where id = $1", [kept]), kind)
    assert.strictEqual(await outcomeOf("truncate proofs"), kind)
    for (
      const change of ["tree_index = null, leaf_hash = null", "leaf_hash = sha256('x')", "kind = 'link_opened'",
        "id = gen_random_uuid()", "tree_index = tree_index + 1000"]
    ) assert.strictEqual(await outcomeOf(`update proofs set ${change} where id = $1`, [kept]), kind, change)
    assert.strictEqual(await outcomeOf("update proofs set leaf_ciphertext = 'x' where id = $1", [kept]), "done")
    assert.strictEqual(await outcomeOf("update proofs set leaf_ciphertext = null where id = $1", [kept]), "done")
    assert.strictEqual(await outcomeOf("delete from proofs where id = $1", [waiting]), "done")
    assert.strictEqual(await outcomeOf("delete from veterans where id = $1", [veteran]), "23503")
  })

  test("is missed by the comparison of rows and leaves once it is gone", async () => {
    const missing = async () => {
      const { rows: [row] } = await runtime.query("select expected - held as missing from app.leaves_held(0, 100000)")
      return row.missing
    }
    assert.strictEqual(await missing(), 0)
    await owner.query("begin")
    await owner.query("set local session_replication_role = replica")
    await owner.query("delete from proofs where tree_index = 0")
    await owner.query("commit")
    assert.strictEqual(await missing(), 1)
  })
})
