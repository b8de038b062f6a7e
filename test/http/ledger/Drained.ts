import { createHash, randomUUID } from "node:crypto"
import type pg from "pg"
import { assert } from "vitest"
import { asDrainer, call, type SignedIn } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"

/** Helpers for the tests of the tree of disclosures. */

export const drain = async (service: Pick<Service, "url">) => {
  const answer = await call(service, "POST", "/api/internal/proofs/drain", {
    headers: asDrainer
  })
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json as { readonly drained: number; readonly treeSize: number }
}

/** No process drains until the returned function is called. By itself, each process drains every 60 seconds. */
export const holdTree = async (holder: pg.Client) => {
  await holder.query("begin")
  await holder.query("select app.lock_tree()")
  return async () => void await holder.query("commit")
}

/** Does the work while no process drains. */
export const undrained = async <A>(holder: pg.Client, work: () => Promise<A>): Promise<A> => {
  const release = await holdTree(holder)
  try {
    return await work()
  } finally {
    await release()
  }
}

/** Writes `count` events of the veteran in one statement, without performing the acts. Returns the ids. */
export const writeEvents = async (
  owner: pg.Client,
  veteranId: string,
  count: number
): Promise<ReadonlyArray<string>> => {
  // Each event belongs to a veteran who is there.
  await owner.query(
    "insert into veterans (id, va_patient_id, call_sign, email) values ($1::uuid, $1::text, 'x', 'x') on conflict do nothing",
    [veteranId]
  )
  const { rows } = await owner.query(
    `insert into proofs (veteran_id, id, kind, at, event)
     select $1::uuid, app.uuid_v7(clock_timestamp()), 'document_read', clock_timestamp(),
       jsonb_build_object('actor', jsonb_build_object('kind', 'veteran', 'id', $1::text), 'documentId', $2::text, 'n', n)
     from generate_series(1, $3) n returning id`,
    [veteranId, randomUUID(), count]
  )
  return rows.map(({ id }) => id)
}

export const proofOf = (service: Pick<Service, "url">, veteran: SignedIn, id: string, accept?: string) =>
  call(service, "GET", `/api/veteran/me/disclosures/${id}/proof`, {
    headers: { ...veteran.headers, ...(accept === undefined ? {} : { accept }) }
  })

export const textOf = async (service: Pick<Service, "url">, path: string) => {
  const answer = await call(service, "GET", path)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.text
}

const sha256 = (...parts: ReadonlyArray<Uint8Array>) =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest()

/** Computes the tree's root from the hashes of its leaves, exactly as RFC 6962, section 2.1, defines it. */
export const rootOf = (hashes: ReadonlyArray<Buffer>): Buffer => {
  if (hashes.length < 2) return hashes[0] ?? sha256()
  let k = 1
  while (k * 2 < hashes.length) k *= 2
  return sha256(Buffer.of(1), rootOf(hashes.slice(0, k)), rootOf(hashes.slice(k)))
}

/**
 * Asserts that each drained row is one leaf, and that the stored tree is the tree of these leaves. Each checkpoint must
 * have the root of the first `size` leaves. Returns the number of leaves.
 */
export const assertWhole = async (owner: pg.Client): Promise<number> => {
  // One transaction sees one state, even if rows are drained meanwhile.
  await owner.query("begin isolation level repeatable read")
  const leaves = await owner.query(
    "select tree_index::int as at, leaf_hash as hash from proofs where tree_index is not null order by 1"
  )
  const [tree] = (await owner.query("select tree_size::int as size, root_hash as root from app.proof_tree()")).rows
  const checkpoints = await owner.query(
    "select tree_size::int as size, root_hash as root from proof_checkpoints order by id"
  )
  await owner.query("commit")
  const hashes = leaves.rows.map(({ hash }) => hash as Buffer)
  assert.deepStrictEqual(leaves.rows.map(({ at }) => at), hashes.map((_, n) => n))
  assert.deepStrictEqual(tree, { size: hashes.length, root: rootOf(hashes) })
  let last = 0
  for (const { root, size } of checkpoints.rows) {
    assert.isAtLeast(size, last)
    assert.deepStrictEqual(root, rootOf(hashes.slice(0, size)))
    last = size
  }
  assert.strictEqual(last, hashes.length)
  return hashes.length
}
