import { ConfigProvider, Effect, Layer, Stream } from "effect"
import { join } from "node:path"
import type pg from "pg"
import { Crypto } from "../../src/services/Crypto.ts"
import { documentPlace } from "../../src/services/Documents.ts"
import { FileStore } from "../../src/services/FileStore.ts"
import { Settings } from "../../src/services/Settings.ts"
import type { Service } from "../support/Service.ts"

/** The recipient's copy of a release, which no route answers but a secure link. */
export const recipientCopy = async (service: Pick<Service, "directory">, superuser: pg.Client, id: string) => {
  const { rows: [row] } = await superuser.query("select * from documents where id = $1", [id])
  const read = Effect.gen(function*() {
    const crypto = yield* Crypto
    const files = yield* FileStore
    const content = yield* files.read({
      storageKey: row.recipient_storage_key,
      fileKey: yield* crypto.open(documentPlace(row.veteran_id, id, "recipient_file_key"), row.recipient_file_key),
      byteSize: Number(row.recipient_byte_size),
      sha256: row.recipient_sha256
    })
    return Buffer.concat(yield* Stream.runCollect(content))
  })
  const settings = ConfigProvider.fromUnknown({
    APP_ENV: "test",
    UPLOAD_DIR: join(service.directory, ".data/uploads")
  })
  const stores = Layer.mergeAll(Crypto.layer, FileStore.layer).pipe(
    Layer.provide(Settings.layer),
    Layer.provide(ConfigProvider.layer(settings)),
    Layer.fresh
  )
  return Effect.runPromise(Effect.provide(read, stores))
}
