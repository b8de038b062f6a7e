import { Effect } from "effect"
import type pg from "pg"
import { nodeHash } from "../src/services/ledger/MerkleTree.ts"
import { drain, writeEvents } from "../test/http/ledger/Drained.ts"
import { call, type SignedIn } from "../test/support/Client.ts"
import { type Bench, expecting, open, syncBody, timed, timedSync, type Tree, versioned } from "./Bench.ts"
import { type Benchmark, median, type Sample } from "./Figure.ts"
import { openRecord } from "./requests.ts"
import { measure, type Measured, tell } from "./Rounds.ts"

/** A service whose database holds this number of items of other veterans. */
interface Size {
  readonly tree: Tree
  readonly items: number
}

const figures = {
  me: { name: "me", unit: "ms" },
  view: { name: "view of 3,000", unit: "ms" },
  patients: { name: "patients list of 50", unit: "ms" },
  sync: { name: "sync of 3,000, 100 changed", unit: "ms" },
  drain: { name: "drain of 1,000 events", unit: "ms" }
}

const grown: Benchmark<keyof typeof figures, Size> = {
  rounds: 9,
  figures,
  open: Effect.fnUntraced(function*({ items, tree }) {
    const { owner, service } = yield* open(tree)
    return yield* Effect.promise(() => prepared(service, owner, items))
  })
}

const prepared = async (service: Bench["service"], owner: pg.Client, items: number) => {
  const { path, providers: [provider], veteran } = await openRecord(service, 1)
  // `fill` keeps the first 256 leaves of the Merkle tree, so the tree must have them before `fill` runs.
  await writeEvents(owner, veteran.id, 256 - (await drain(service)).treeSize)
  await drain(service)
  await seed(owner, items, provider!)
  const versions = [1, 2].map((version) => syncBody(versioned(3000, (n) => n < 100 ? version : 0)))
  const read = (path: string, { headers }: SignedIn) => async () =>
    expecting(200, await call(service, "GET", path, { headers }))
  let round = 0
  return async () => {
    await owner.query("delete from rate_limit_spendings")
    const body = versions[round++ % 2]!
    await writeEvents(owner, veteran.id, 1000)
    return {
      me: await medianOf(60, read("/api/veteran/me", veteran)),
      view: await medianOf(15, read(path, provider!)),
      patients: await medianOf(30, read("/api/provider/patients", provider!)),
      sync: { ours: await timedSync(service, veteran, body) },
      drain: { ours: await timed(() => drain(service)) }
    }
  }
}

const medianOf = async (times: number, work: () => Promise<unknown>): Promise<Sample> => {
  const all = []
  for (let n = 0; n < times; n++) all.push(await timed(work))
  return { ours: median(all) }
}

const perVeteran = 3000

/** Number of items that one statement inserts. */
const atOnce = 240_000

/**
 * Adds veterans with up to 3,000 items of 300 bytes each. Each veteran also has ten documents, and grants to five of
 * 1,000 providers. The Merkle tree gets a leaf for every ten items. Triggers are off: with them, these inserts would
 * take hours.
 */
const seed = async (owner: pg.Client, items: number, provider: SignedIn) => {
  const veterans = Math.max(60, Math.ceil(items / perVeteran))
  await owner.query(`
    set session_replication_role = replica;
    set synchronous_commit = off;
    create temporary table others as
      select n, app.uuid_v7(now() - interval '1 day' + n * interval '1 millisecond') as veteran from generate_series(1, ${veterans}) n;
    insert into providers (id, email, password_hash, display_name, organization)
      select gen_random_uuid(), n || '@other.example', 'none', 'Dr. Other', 'Other' from generate_series(1, 1000) n;
    insert into veterans (id, va_patient_id, call_sign, email, fhir_sync_manifest)
      select veteran, 'other-' || n, 'Other', n || '@other.example', (select fhir_sync_manifest from veterans limit 1) from others`)
  const terms = "'{}', true, true, 'treatment', now() + interval '1 day' from others o"
  const columns =
    "id, provider_id, veteran_id, sensitive_categories, include_self_reported, include_documents, purpose, expires_at"
  await owner.query(`
    insert into consent_grants (${columns})
      select app.uuid_v7(clock_timestamp()), p.id, o.veteran, ${terms}, lateral (
        select id from providers where email like '%@other.example' offset o.n % 990 limit 5) p`)
  await owner.query(
    `insert into consent_grants (${columns}) select app.uuid_v7(clock_timestamp()), $1, o.veteran, ${terms} where o.n < 50`,
    [provider.id]
  )
  await owner.query(`
    insert into documents (id, veteran_id, kind, title, content_type, byte_size, sha256, storage_key, file_key)
      select gen_random_uuid(), veteran, 'upload', '\\x00', 'text/plain', 1, decode(repeat('00', 32), 'hex'), gen_random_uuid()::text, '\\x00'
      from others, generate_series(1, 10)`)
  const each = Math.floor(items / veterans)
  const together = Math.max(1, Math.floor(atOnce / each))
  for (let from = 1; from <= veterans; from += together) {
    tell(`growth: ${((from - 1) * each).toLocaleString("en-US")} of ${items.toLocaleString("en-US")} items`)
    // Nobody decrypts these values, so only their lengths matter. Every row has different bytes, so that the rows
    // cannot be compressed.
    await owner.query(
      `insert into health_record_items (id, veteran_id, resource_type, fhir_id, raw_ciphertext, content_mac, sensitive_categories)
       select gen_random_uuid(), veteran, (array['Condition', 'Encounter', 'Immunization', 'Observation', 'Procedure'])[1 + k % 5],
         lpad(k::text, 4, '0') || '-' || md5(k::text), decode(repeat(md5((n + k)::text), 19), 'hex'),
         sha256(k::text::bytea), case when k % 20 = 0 then '{hiv}' else '{}' end::text[]
       from others, generate_series(1, ${each}) k where n between $1 and $2`,
      [from, from + together - 1]
    )
  }
  await owner.query(`
    insert into health_record_counts
      select veteran_id, resource_type, app.category_set(sensitive_categories), count(*) from health_record_items
      where veteran_id in (select veteran from others) group by 1, 2, 3;
    reset session_replication_role`)
  const leaves = Math.max(512, Math.floor(items / 10))
  tell(`growth: a tree of ${leaves.toLocaleString("en-US")} leaves`)
  await fill(owner, leaves)
  await owner.query(
    `insert into proofs (veteran_id, id, kind, at, leaf_hash, leaf_ciphertext, tree_index)
     select o.veteran, app.uuid_v7(now() - interval '1 day' + k * interval '1 microsecond'), 'document_read', now(),
       sha256(k::text::bytea), decode(repeat(md5(k::text), 8), 'hex'), k
     from generate_series(256, $1::int - 1) k join others o on o.n = 1 + k % $2::int`,
    [leaves, veterans]
  )
  await owner.query("vacuum analyze")
  const { rows: [{ size }] } = await owner.query("select pg_size_pretty(pg_database_size(current_database())) as size")
  tell(`growth: ${items.toLocaleString("en-US")} items of ${veterans.toLocaleString("en-US")} veterans take ${size}`)
}

/** Replaces the Merkle tree by one of `size` leaves: its own first 256 leaves, and then copies of one made-up tile. */
const fill = async (owner: pg.Client, size: number) => {
  const { rows: [{ hashes: first }] } = await owner.query(
    "select hashes from proof_tiles where (level, index) = (0, 0)"
  )
  const copy = Buffer.alloc(8192, "hashes of leaves that stand for others")
  await owner.query("truncate proof_tiles, proof_checkpoints")
  const count = Math.floor(size / 256)
  await owner.query(
    "insert into proof_tiles select 0, n, case n when 0 then $1::bytea else $2::bytea end from generate_series(0, $3 - 1) n",
    [first, copy, count]
  )
  if (size % 256 > 0) {
    await owner.query("insert into proof_tiles values (0, $1, $2)", [count, copy.subarray(0, size % 256 * 32)])
  }
  const root = rootOf(copy)
  let entries = Buffer.concat([rootOf(first), ...Array.from({ length: count - 1 }, () => root)])
  for (let level = 1; entries.length > 0; level++) {
    const above: Array<Uint8Array> = []
    for (let at = 0; at < entries.length; at += 8192) {
      const tile = entries.subarray(at, at + 8192)
      await owner.query("insert into proof_tiles values ($1, $2, $3)", [level, at / 8192, tile])
      if (tile.length === 8192) above.push(rootOf(tile))
    }
    entries = Buffer.concat(above)
  }
}

/** Returns the root of a full tree. `hashes` are its concatenated leaf hashes. */
const rootOf = (hashes: Uint8Array): Uint8Array => {
  const half = hashes.length / 2
  return half < 32 ? hashes : nodeHash(rootOf(hashes.subarray(0, half)), rootOf(hashes.subarray(half)))
}

/** Measures all sizes in the same rounds, and compares each with the first. */
export const growth = Effect.fnUntraced(function*(tree: Tree, sizes: ReadonlyArray<number>, rounds?: number) {
  const measured = yield* measure("growth", grown, sizes.map((items) => ({ tree, items })), rounds)
  const [smallest = 0, ...larger] = sizes
  return measured.flatMap(({ benchmark, failed, figure, sides: [least = [], ...sides] }) =>
    larger.map((items, side): Measured => ({
      benchmark,
      figure: {
        ...figure,
        name: `${figure.name}, ${items.toLocaleString("en-US")} items`,
        floor: smallest.toLocaleString("en-US"),
        goal: { atMost: 1.15 }
      },
      sides: [(sides[side] ?? []).map((sample, round) => ({ ...sample, floor: least[round]!.ours }))],
      ...failed !== undefined && { failed }
    }))
  )
})
