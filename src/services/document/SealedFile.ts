import { createHash, randomBytes } from "node:crypto"
import * as Fs from "node:fs/promises"
import { dirname, join } from "node:path"
import { SealBroken } from "../../domain/Errors.ts"
import { errnoCode } from "./DiskErrors.ts"
import { blockChunks, makeOpener, makeSealer } from "./FileSeal.ts"
import { makeFolder, type StoreFolders, syncFolder } from "./StoreFolders.ts"

/** Reads and writes stored files, in the service and in worker processes. These plain functions throw disk errors. */

export interface StoredFile {
  /** The file's name under UPLOAD_DIR. This name is not secret. */
  readonly storageKey: string
  /** 32 random bytes that open only this file. They are sealed in its row, so deleting the row erases the file. */
  readonly fileKey: Uint8Array
  /** The size in bytes and the SHA-256 of the plaintext. */
  readonly byteSize: number
  readonly sha256: Uint8Array
}

export const newStorageKey = () => randomBytes(16).toString("hex")

export type Draft = Awaited<ReturnType<typeof openDraft>>

/** Creates a file in `tmp`, which `finish` moves to `files`. */
export const openDraft = async ({ files, root, temporary }: StoreFolders, storageKey = newStorageKey()) => {
  // The folders may have vanished since the start, so they are made again without a restart.
  for (const folder of [temporary, files]) await makeFolder(folder, root)
  const fileKey = randomBytes(32)
  const sealer = makeSealer(storageKey, fileKey)
  let path = join(temporary, storageKey)
  const handle = await Fs.open(path, "wx", 0o600)

  const writeLast = async (): Promise<StoredFile> => {
    const { block, byteSize, sha256 } = sealer.end()
    await appendBlock(handle, block)
    return { storageKey, fileKey, byteSize, sha256 }
  }

  let completed: Promise<StoredFile> | undefined

  const complete = () => completed ??= writeLast()

  return {
    add: async (pieces: Iterable<Uint8Array>) => {
      for (const piece of pieces) for (const block of sealer.add(piece)) await appendBlock(handle, block)
    },
    /** Completes the file in `tmp`, where it can be read until `finish`. */
    complete,
    /** Completes the file in `tmp`, to be read once. */
    end: async () => {
      const file = await complete()
      await handle.close()
      return file
    },
    /** Completes the file in `files`, where it survives a power failure. */
    finish: async () => {
      const file = await complete()
      await handle.chmod(0o400)
      await handle.sync()
      await handle.close()
      await Fs.rename(path, join(files, storageKey))
      path = join(files, storageKey)
      await syncFolder(files)
      return file
    },
    discard: () => Promise.allSettled([handle.close(), Fs.unlink(path)])
  }
}

/** Finishes several files at once. If one fails, the others have ended too when this throws. */
export const finishAll = async (drafts: ReadonlyArray<Draft>): Promise<ReadonlyArray<StoredFile>> => {
  const finished = await Promise.allSettled(drafts.map((draft) => draft.finish()))
  return finished.map((one) => {
    if (one.status === "rejected") throw one.reason
    return one.value
  })
}

export const appendBlock = async (handle: Fs.FileHandle, block: Buffer) => {
  for (let at = 0; at < block.length;) at += (await handle.write(block, at)).bytesWritten
}

export const readAt = async (handle: Fs.FileHandle, from: number, to: number) => {
  const bytes = Buffer.allocUnsafe(to - from)
  for (let at = 0; at < bytes.length;) {
    const { bytesRead } = await handle.read(bytes, at, bytes.length - at, from + at)
    if (bytesRead === 0) throw new SealBroken()
    at += bytesRead
  }
  return bytes
}

/** The sealed bytes of a stored file, wherever they are. */
export interface SealedBytes {
  /** Throws `SealBroken` if the file does not hold these bytes or, when read from its start, has another size. */
  readonly readAt: (from: number, to: number, size: number) => Promise<Buffer>
  readonly close: () => Promise<unknown>
}

export const openSealed = async (path: string): Promise<SealedBytes> => {
  const handle = await Fs.open(path).catch(async (error: unknown) => {
    if (errnoCode(error) !== "ENOENT") throw error
    // If the folder exists, the file is lost. Otherwise the disk is missing, and `access` throws its errno.
    await Fs.access(dirname(path), Fs.constants.R_OK)
    throw new SealBroken()
  })
  return {
    readAt: async (from, to, size) => {
      if (from === 0 && (await handle.stat()).size !== size) throw new SealBroken()
      return readAt(handle, from, to)
    },
    close: () => handle.close()
  }
}

export const makeReader = ({ byteSize, fileKey, sha256, storageKey }: StoredFile) => {
  const { chunkCount, open, range, sealedSize } = makeOpener(storageKey, fileKey, byteSize)

  const chunks = async (sealed: SealedBytes, first: number, end: number) => {
    if (!Number.isSafeInteger(byteSize) || byteSize < 0) throw new SealBroken()
    const { from, to } = range(first, end)
    return open(await sealed.readAt(from, to, sealedSize), first, end)
  }

  return {
    chunks,
    /** Reads the whole file. Each step returns a block of chunks, and the number of the next chunk if there is one. */
    run: (sealed: SealedBytes) => {
      const hash = createHash("sha256")
      return async (first: number) => {
        const end = Math.min(first + blockChunks, chunkCount)
        const block = await chunks(sealed, first, end)
        for (const chunk of block) hash.update(chunk)
        // The size needs no check: all chunks were authentic and had the lengths that follow from `byteSize`.
        if (end === chunkCount && !hash.digest().equals(sha256)) throw new SealBroken()
        return { block, next: end < chunkCount ? end : undefined }
      }
    }
  }
}

/** Yields a local file's content from start to end. */
export const contentOf = async function*(path: string, file: StoredFile) {
  const sealed = await openSealed(path)
  try {
    const step = makeReader(file).run(sealed)
    for (let at: number | undefined = 0; at !== undefined;) {
      const { block, next } = await step(at)
      yield* block
      at = next
    }
  } finally {
    await sealed.close()
  }
}
