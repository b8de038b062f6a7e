import { ConfigProvider, Effect, Layer, Stream } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { once } from "node:events"
import { readdir } from "node:fs/promises"
import { type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type pg from "pg"
import type { VeteranId } from "../../../src/domain/Id.ts"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import { linkSecrets } from "../../../src/services/link/LinkSecrets.ts"
import { Crypto } from "../../../src/services/platform/Crypto.ts"
import { placeOf } from "../../../src/services/platform/SealedColumns.ts"
import { Settings } from "../../../src/services/platform/Settings.ts"
import { randomAddress } from "../../support/Client.ts"
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

/** Reads the recipient's copy of a release, which is otherwise served only through a secure link. */
export const recipientCopy = (home: Home, superuser: pg.Client, id: string) =>
  fileOf(home, superuser, id, "recipient_file_key")

/** Reads the record that a release carries. */
export const releasedRecord = (home: Home, superuser: pg.Client, id: string) =>
  fileOf(home, superuser, id, "record_file_key")

const fileOf = async (home: Home, superuser: pg.Client, id: string, key: "recipient_file_key" | "record_file_key") => {
  const column = (name: string) => key.replace("file_key", name)
  const { rows: [row] } = await superuser.query("select * from documents where id = $1", [id])
  const read = Effect.gen(function*() {
    const crypto = yield* Crypto
    const files = yield* FileStore
    const content = yield* files.read({
      storageKey: row[column("storage_key")],
      fileKey: yield* crypto.open(placeOf("documents", key, row.veteran_id, id), row[key]),
      byteSize: Number(row[column("byte_size")]),
      sha256: row[column("sha256")]
    })
    return Buffer.concat(yield* Stream.runCollect(content))
  })
  return within(home, read)
}

/**
 * Replaces the recipient's copy of a release by random bytes: a real copy is too small to be interrupted in transfer.
 */
export const storeCopy = async (home: Home, superuser: pg.Client, id: string, size: number) => {
  const bytes = randomBytes(size)
  const { rows: [{ veteran_id: veteranId }] } = await superuser.query("select * from documents where id = $1", [id])
  const stored = await within(
    home,
    Effect.gen(function*() {
      const crypto = yield* Crypto
      const files = yield* FileStore
      const { fileKey, ...file } = yield* files.write(Stream.make(bytes))
      return { ...file, fileKey: crypto.seal(placeOf("documents", "recipient_file_key", veteranId, id), fileKey) }
    })
  )
  await superuser.query("begin")
  await superuser.query("set local session_replication_role = replica")
  await superuser.query("insert into stored_files (storage_key) values ($1)", [stored.storageKey])
  await superuser.query(
    `update documents set recipient_storage_key = $2, recipient_file_key = $3, recipient_byte_size = $4,
       recipient_sha256 = $5 where id = $1`,
    [id, stored.storageKey, stored.fileKey, stored.byteSize, stored.sha256]
  )
  await superuser.query("commit")
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
export const beginView = async ({ url }: Pick<Service, "url">, viewSession: string, offset?: number) => {
  const sent = request(`${url}/api/secure-links/view`, {
    method: "POST",
    agent: false,
    headers: { "content-type": "application/json", "x-forwarded-for": randomAddress() }
  })
  sent.end(JSON.stringify({ viewSession, offset }))
  const [response] = await once(sent, "response") as [IncomingMessage]
  const chunks: Array<Buffer> = []
  const received = () => chunks.reduce((size, chunk) => size + chunk.length, 0)
  const closed = new Promise<void>((done) => response.once("close", done))
  sent.on("error", () => {})
  response.on("error", () => {}).pause().on("data", (chunk: Buffer) => chunks.push(chunk))
  return {
    status: response.statusCode,
    range: response.headers["content-range"],
    /** Reads at least this many bytes, and then pauses. Fails if the answer ends before. */
    receive: async (bytes: number) => {
      response.resume()
      while (received() < bytes) {
        await Promise.race([once(response, "data"), closed])
        if (response.closed && received() < bytes) {
          throw new Error(`${response.statusCode}: the answer ended after ${received()} of ${bytes} bytes`)
        }
      }
      response.pause()
      return Buffer.concat(chunks)
    },
    /** Reads everything that arrives within this many milliseconds, and then pauses. */
    receiveFor: async (milliseconds: number) => {
      response.resume()
      await setTimeout(milliseconds)
      response.pause()
      return Buffer.concat(chunks)
    },
    /** Reads slowly until the connection ends. Returns all received bytes and whether the answer was complete. */
    rest: async () => {
      response.on("data", () => {
        response.pause()
        void setTimeout(1).then(() => response.resume())
      }).resume()
      await closed
      return { bytes: Buffer.concat(chunks), complete: response.complete }
    },
    hangUp: async () => {
      response.destroy()
      await closed
    }
  }
}

/** Lists the names of all files in the store. */
export const storedFiles = async ({ directory }: Home) => (await readdir(join(directory, ".data/uploads/files"))).sort()
