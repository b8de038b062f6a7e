import { Effect, Stream } from "effect"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { access } from "node:fs/promises"
import { type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import type pg from "pg"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import { Crypto } from "../../../src/services/platform/Crypto.ts"
import { placeOf } from "../../../src/services/platform/SealedColumns.ts"
import { randomAddress } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { within } from "../document/Copies.ts"

/** Helpers for the files of SMART Health Links, in the store and in transfer. */

type Home = Pick<Service, "directory">

const rowOf = async (superuser: pg.Client, id: string) =>
  (await superuser.query("select * from secure_links where id = $1", [id])).rows[0]

export const fileNameOf = async (superuser: pg.Client, id: string): Promise<string> =>
  (await rowOf(superuser, id)).shl_storage_key

export const hasFile = ({ directory }: Home, name: string) =>
  access(join(directory, ".data/uploads/files", name)).then(() => true, () => false)

/** What the service itself can read of a link's bundle, with its database, its files and all its keys. */
export const storedJwe = async (home: Home, superuser: pg.Client, id: string) => {
  const row = await rowOf(superuser, id)
  return within(
    home,
    Effect.gen(function*() {
      const crypto = yield* Crypto
      const files = yield* FileStore
      const content = yield* files.read({
        storageKey: row.shl_storage_key,
        fileKey: yield* crypto.open(placeOf("secure_links", "shl_file_key", row.veteran_id, id), row.shl_file_key),
        byteSize: Number(row.shl_byte_size),
        sha256: row.shl_sha256
      })
      return Buffer.concat(yield* Stream.runCollect(content)).toString()
    })
  )
}

/** Replaces the file of a link by random text: a real one is too small to be interrupted in transfer. */
export const storeBundle = async (home: Home, superuser: pg.Client, id: string, size: number) => {
  const { veteran_id: veteranId } = await rowOf(superuser, id)
  const text = randomBytes(size * 3 / 4).toString("base64url")
  const stored = await within(
    home,
    Effect.gen(function*() {
      const crypto = yield* Crypto
      const files = yield* FileStore
      const { fileKey, ...file } = yield* files.write(Stream.make(Buffer.from(text)))
      return { ...file, fileKey: crypto.seal(placeOf("secure_links", "shl_file_key", veteranId, id), fileKey) }
    })
  )
  await superuser.query("insert into stored_files (storage_key) values ($1)", [stored.storageKey])
  await superuser.query(
    `update secure_links set shl_storage_key = $2, shl_file_key = $3, shl_byte_size = $4, shl_sha256 = $5 where id = $1`,
    [id, stored.storageKey, stored.fileKey, stored.byteSize, stored.sha256]
  )
  return text
}

/** Sends a request of an app. The client reads the answer's head, and reads the body only when the test says so. */
export const beginAnswer = async ({ url }: Pick<Service, "url">, path: string, body?: unknown) => {
  const sent = request(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    agent: false,
    headers: {
      "x-forwarded-for": randomAddress(),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    }
  })
  sent.on("error", () => {}).end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(sent, "response") as [IncomingMessage]
  const chunks: Array<Buffer> = []
  const closed = new Promise<void>((done) => response.once("close", done))
  response.on("error", () => {}).pause().on("data", (chunk: Buffer) => chunks.push(chunk))
  return {
    status: response.statusCode,
    /** Reads until the connection ends. */
    rest: async () => {
      response.resume()
      await closed
      return { text: Buffer.concat(chunks).toString(), complete: response.complete }
    }
  }
}
