import { ConfigProvider, Effect, Layer, Stream } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import type pg from "pg"
import type { VeteranId } from "../../../src/domain/Id.ts"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import { linkSecrets } from "../../../src/services/link/LinkSecrets.ts"
import { Crypto } from "../../../src/services/platform/Crypto.ts"
import { placeAt, placeOf } from "../../../src/services/platform/SealedColumns.ts"
import { Settings } from "../../../src/services/platform/Settings.ts"
import { beginAnswer } from "../../support/BegunAnswer.ts"
import type { Service } from "../../support/Service.ts"

/** Helpers for the recipient's copies of releases, in the store and in transfer. */

type Home = Pick<Service, "directory">

/** Runs an effect with the secrets and the files of a service. */
export const within = <A, E>({ directory }: Home, use: Effect.Effect<A, E, Crypto | FileStore>) => {
  const settings = ConfigProvider.fromUnknown({ APP_ENV: "test", UPLOAD_DIR: join(directory, ".data/uploads") })
  const stores = Layer.mergeAll(Crypto.layer, FileStore.layer).pipe(
    Layer.provide(Settings.layer),
    Layer.provide(ConfigProvider.layer(settings)),
    Layer.fresh
  )
  return Effect.runPromise(Effect.provide(use, stores))
}

/** A stored file, by the row that names it in columns whose names begin with `prefix`. */
interface NamedFile {
  readonly table: "documents" | "secure_links"
  readonly prefix: "" | "recipient_" | "record_" | "shl_"
  readonly id: string
}

const rowOf = async (superuser: pg.Client, { id, table }: NamedFile) =>
  (await superuser.query(`select * from ${table} where id = $1`, [id])).rows[0]

/** Reads a file as the service itself can, with its database, its files and all its keys. */
export const readNamed = async (home: Home, superuser: pg.Client, file: NamedFile) => {
  const { id, prefix, table } = file
  const row = await rowOf(superuser, file)
  const read = Effect.gen(function*() {
    const crypto = yield* Crypto
    const files = yield* FileStore
    const content = yield* files.read({
      storageKey: row[`${prefix}storage_key`],
      fileKey: yield* crypto.open(placeAt(table, `${prefix}file_key`, [row.veteran_id, id]), row[`${prefix}file_key`]),
      byteSize: Number(row[`${prefix}byte_size`]),
      sha256: row[`${prefix}sha256`]
    })
    return Buffer.concat(yield* Stream.runCollect(content))
  })
  return within(home, read)
}

/** Replaces a file by other content. A real one is often too small to be interrupted in transfer. */
export const replaceNamed = async <E>(
  home: Home,
  superuser: pg.Client,
  file: NamedFile,
  content: Stream.Stream<Uint8Array, E>
) => {
  const { id, prefix, table } = file
  const { veteran_id: veteranId } = await rowOf(superuser, file)
  const stored = await within(
    home,
    Effect.gen(function*() {
      const crypto = yield* Crypto
      const files = yield* FileStore
      const { fileKey, ...written } = yield* files.write(content)
      return { ...written, fileKey: crypto.seal(placeAt(table, `${prefix}file_key`, [veteranId, id]), fileKey) }
    })
  )
  await superuser.query("begin")
  await superuser.query("set local session_replication_role = replica")
  await superuser.query("insert into stored_files (storage_key) values ($1)", [stored.storageKey])
  await superuser.query(
    `update ${table} set ${prefix}storage_key = $2, ${prefix}file_key = $3, ${prefix}byte_size = $4,
       ${prefix}sha256 = $5 where id = $1`,
    [id, stored.storageKey, stored.fileKey, stored.byteSize, stored.sha256]
  )
  await superuser.query("commit")
}

/** Gives a release a record of these resources. To sign a large one would take much longer. */
export const replaceRecord = (home: Home, superuser: pg.Client, id: string, texts: ReadonlyArray<string>) => {
  const entries = texts.map((text) => `{"resource":${text}}`).join()
  const bundle = Buffer.from(`{"resourceType":"Bundle","type":"collection","entry":[${entries}]}`)
  return replaceNamed(home, superuser, { table: "documents", prefix: "record_", id }, Stream.make(bundle))
}

/** Reads the recipient's copy of a release, which is otherwise served only through a secure link. */
export const recipientCopy = (home: Home, superuser: pg.Client, id: string) =>
  readNamed(home, superuser, { table: "documents", prefix: "recipient_", id })

/** Reads the record that a release carries. */
export const releasedRecord = (home: Home, superuser: pg.Client, id: string) =>
  readNamed(home, superuser, { table: "documents", prefix: "record_", id })

/** Replaces the recipient's copy of a release by random bytes. */
export const storeCopy = async (home: Home, superuser: pg.Client, id: string, size: number) => {
  const bytes = randomBytes(size)
  await replaceNamed(home, superuser, { table: "documents", prefix: "recipient_", id }, Stream.make(bytes))
  return bytes
}

/** Gives a veteran links to a release by SQL, because HTTP allows only 300 an hour. */
export const giveLinks = async (
  home: Home,
  superuser: pg.Client,
  { documentId, id: veteranId }: { readonly id: string; readonly documentId: string },
  count: number
): Promise<ReadonlyArray<{ readonly id: string }>> => {
  const ids = Array.from({ length: count }, () => randomUUID())
  const { seal } = await within(home, Crypto)
  const sealed = ids.map((id) =>
    seal(
      placeOf("secure_links", "recipient_email_ciphertext", veteranId as VeteranId, id),
      Buffer.from("jane.gray@clinic.example")
    )
  )
  await superuser.query(
    `insert into secure_links (veteran_id, document_id, id, recipient_name, recipient_email_ciphertext, token_hash, expires_at)
     select $1, $2, id, 'Jane Gray', email, token, now() + interval '1 day'
     from unnest($3::uuid[], $4::bytea[], $5::bytea[]) as n (id, email, token)`,
    [veteranId, documentId, ids, sealed, ids.map(() => randomBytes(32))]
  )
  return ids.map((id) => ({ id }))
}

/** Gives each link a view session, as if its code had just been verified. */
export const giveSessions = async (
  home: Home,
  superuser: pg.Client,
  links: ReadonlyArray<{ readonly id: string }>
): Promise<ReadonlyArray<string>> => {
  const sessions = links.map(() => randomBytes(32).toString("base64url"))
  const { sessionHash } = await within(home, linkSecrets)
  await superuser.query(
    `insert into secure_link_view_sessions (veteran_id, link_id, session_hash)
     select l.veteran_id, l.id, n.hash from unnest($1::uuid[], $2::bytea[]) as n (id, hash) join secure_links l using (id)`,
    [links.map(({ id }) => id), sessions.map((session) => sessionHash(session))]
  )
  return sessions
}

/** Begins a view. The client reads the answer's head, and reads the body only when the test says so. */
export const beginView = (service: Pick<Service, "url">, viewSession: string, offset?: number) =>
  beginAnswer(service, "POST", "/api/secure-links/view", { body: { viewSession, offset } })

/** Lists the names of all files in the store. */
export const storedFiles = async ({ directory }: Home) => (await readdir(join(directory, ".data/uploads/files"))).sort()
