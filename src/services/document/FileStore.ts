import { Context, Effect, Exit, Layer, Option, Stream } from "effect"
import { createHash, randomBytes } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import type { StorageFull } from "../../domain/Document.ts"
import { SealBroken, type ServiceUnavailable } from "../../domain/Errors.ts"
import { Settings } from "../platform/Settings.ts"
import { errnoCode, fromDisk, toDisk } from "./DiskErrors.ts"
import { blockChunks, makeOpener, makeSealer } from "./FileSeal.ts"
import { type Claimed, moveToTrash, sweepFiles, unlinkAll } from "./FileSweeper.ts"
import { makeFolder, type StoreFolders, storeFolders, syncFolder } from "./StoreFolders.ts"

export interface StoredFile {
  /** Names the file under UPLOAD_DIR. It is no secret. */
  readonly storageKey: string
  /**
   * These 32 random bytes open this file alone. They are sealed in the file's row: with the row, the content is gone.
   */
  readonly fileKey: Uint8Array
  /** Size in bytes and SHA-256 are those of the plaintext. */
  readonly byteSize: number
  readonly sha256: Uint8Array
}

/**
 * Keeps files under UPLOAD_DIR, each sealed as a stream (FileSeal.ts). A file is written in `tmp` and appears in
 * `files` whole, and on disk, or not at all. Memory is the same for every size of file.
 */
export class FileStore extends Context.Service<FileStore, {
  /** Stores `content`. Where it fails or is interrupted, nothing is left of it. */
  readonly write: <E, R>(
    content: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<StoredFile, E | StorageFull | ServiceUnavailable, R>
  /**
   * Succeeds once the file is there with its right size and an authentic beginning. The stream opens the file for
   * itself and emits authentic chunks only; the last ones come once the SHA-256 of the whole agrees.
   */
  readonly read: (
    file: StoredFile
  ) => Effect.Effect<Stream.Stream<Uint8Array, SealBroken | ServiceUnavailable>, SealBroken | ServiceUnavailable>
  /** Removes what it can: what stays is swept later, once no row claims it. */
  readonly remove: (storageKeys: ReadonlyArray<string>) => Effect.Effect<void>
  /** Moves files that no row claims any more to `trash`, as a sweep would. */
  readonly discard: (storageKeys: ReadonlyArray<string>) => Effect.Effect<void>
  /**
   * Takes away what nobody touched for an hour and no row claims, or what was never whole; returns how many files. Whole
   * files are kept in `trash` for 7 days, and none goes where it were more than the limit that is set.
   */
  readonly sweep: (claimed: Claimed) => Effect.Effect<number>
}>()("vrss/FileStore") {
  static readonly layer = Layer.effect(
    FileStore,
    Effect.map(Settings, ({ sweepLimitPercent, uploadDirectory }) => {
      const folders = storeFolders(uploadDirectory)
      return FileStore.of({
        write: (content) =>
          Effect.acquireUseRelease(
            toDisk(() => openDraft(folders)),
            (draft) =>
              Stream.runForEachArray(content, (pieces) => toDisk(() => draft.add(pieces))).pipe(
                Effect.andThen(toDisk(draft.finish))
              ),
            (draft, exit) => Exit.isSuccess(exit) ? Effect.void : Effect.promise(draft.discard)
          ),
        read: Effect.fn("FileStore.read")(function*(file) {
          const reader = makeReader(folders, file)
          const opened = Effect.acquireRelease(fromDisk(reader.open), (handle) => Effect.promise(() => handle.close()))
          yield* Effect.scoped(Effect.flatMap(opened, (handle) => fromDisk(() => reader.chunks(handle, 0, 1))))
          return Stream.unwrap(Effect.map(opened, (handle) => {
            const next = reader.run(handle)
            return Stream.paginate(0, (first) => fromDisk(() => next(first)))
          }))
        }),
        remove: (storageKeys) => Effect.asVoid(unlinkAll(folders.files, storageKeys)),
        discard: (storageKeys) => Effect.asVoid(moveToTrash(folders, storageKeys)),
        sweep: Effect.fn("FileStore.sweep")((claimed) => sweepFiles(folders, sweepLimitPercent, claimed))
      })
    })
  )
}

/** Opens one file on its way into `files`. */
const openDraft = async ({ files, root, temporary }: StoreFolders) => {
  // They are made each time, because they may have vanished and nobody should have to restart the service for them.
  for (const folder of [temporary, files]) await makeFolder(folder, root)
  const storageKey = randomBytes(16).toString("hex")
  const fileKey = randomBytes(32)
  const sealer = makeSealer(storageKey, fileKey)
  let path = join(temporary, storageKey)
  const handle = await Fs.open(path, "wx", 0o600)

  const append = async (block: Buffer) => {
    for (let at = 0; at < block.length;) at += (await handle.write(block, at)).bytesWritten
  }

  return {
    add: async (pieces: ReadonlyArray<Uint8Array>) => {
      for (const piece of pieces) for (const block of sealer.add(piece)) await append(block)
    },
    finish: async (): Promise<StoredFile> => {
      const { block, byteSize, sha256 } = sealer.end()
      await append(block)
      await handle.chmod(0o400)
      await handle.sync()
      await handle.close()
      await Fs.rename(path, join(files, storageKey))
      path = join(files, storageKey)
      await syncFolder(files)
      return { storageKey, fileKey, byteSize, sha256 }
    },
    discard: () => Promise.allSettled([handle.close(), Fs.unlink(path)])
  }
}

const makeReader = ({ files }: StoreFolders, { byteSize, fileKey, sha256, storageKey }: StoredFile) => {
  const { chunkCount, open, range, sealedSize } = makeOpener(storageKey, fileKey, byteSize)

  const chunks = async (handle: Fs.FileHandle, first: number, end: number) => {
    if (first === 0 && (await handle.stat()).size !== sealedSize) throw new SealBroken()
    const { from, to } = range(first, end)
    const sealed = Buffer.allocUnsafe(to - from)
    for (let at = 0; at < sealed.length;) {
      const { bytesRead } = await handle.read(sealed, at, sealed.length - at, from + at)
      if (bytesRead === 0) throw new SealBroken()
      at += bytesRead
    }
    return open(sealed, first, end)
  }

  return {
    chunks,
    open: () =>
      Fs.open(join(files, storageKey)).catch(async (error: unknown) => {
        if (errnoCode(error) !== "ENOENT") throw error
        // With its folder there the file is lost; without it the disk is away, which is an errno of its own.
        await Fs.access(files, Fs.constants.R_OK)
        throw new SealBroken()
      }),
    /** Begins one run over the whole file; each step answers a block of chunks, and where the next begins. */
    run: (handle: Fs.FileHandle) => {
      const hash = createHash("sha256")
      return async (first: number) => {
        const end = Math.min(first + blockChunks, chunkCount)
        const block = await chunks(handle, first, end)
        for (const chunk of block) hash.update(chunk)
        // The size needs no count: authentic chunks of the very lengths that `byteSize` demands were read.
        if (end === chunkCount && !hash.digest().equals(sha256)) throw new SealBroken()
        return [block, end < chunkCount ? Option.some(end) : Option.none<number>()] as const
      }
    }
  }
}
