import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { SealBroken } from "../../domain/Errors.ts"
import { appendBlock, newStorageKey, readAt } from "./SealedFile.ts"
import { makeFolder, type StoreFolders } from "./StoreFolders.ts"

/** A piece of a scratch file: its number and place, in bytes. */
export interface Piece {
  readonly number: number
  readonly start: number
  readonly length: number
}

/** The least number of bytes in one write, except on `flush`. */
const block = 512 * 1024

const gcm = { authTagLength: 16 }

/**
 * A temporary file for data that is too large for memory. Each piece is sealed under AES-256-GCM with its number as the
 * nonce and a key that exists only in memory. The open file has no name, so that it vanishes when the process ends.
 */
export const openScratch = async ({ root, temporary }: StoreFolders) => {
  await makeFolder(temporary, root)
  const path = join(temporary, newStorageKey())
  const key = createSecretKey(randomBytes(32))
  const handle = await Fs.open(path, "wx+", 0o600)
  await Fs.unlink(path).catch(async (error: unknown) => {
    await handle.close()
    throw error
  })
  let [count, size, waitingBytes] = [0, 0, 0]
  let waiting: Array<Buffer> = []

  const flush = async () => {
    const bytes = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    await appendBlock(handle, bytes)
  }

  return {
    add: async (bytes: Uint8Array): Promise<Piece> => {
      const piece = { number: count++, start: size, length: bytes.length }
      const cipher = createCipheriv("aes-256-gcm", key, nonceOf(piece.number), gcm)
      const sealed = [cipher.update(bytes), cipher.final(), cipher.getAuthTag()]
      waiting.push(...sealed)
      const length = bytes.length + gcm.authTagLength
      size += length
      waitingBytes += length
      if (waitingBytes >= block) await flush()
      return piece
    },
    /** Writes pending pieces to disk. Call it before reading. */
    flush,
    read: async ({ length, number, start }: Piece) => {
      const sealed = await readAt(handle, start, start + length + gcm.authTagLength)
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(number), gcm)
        decipher.setAuthTag(sealed.subarray(length))
        const opened = decipher.update(sealed.subarray(0, length))
        decipher.final()
        return opened
      } catch {
        throw new SealBroken()
      }
    },
    close: () => handle.close()
  }
}

export type Scratch = Awaited<ReturnType<typeof openScratch>>

const nonceOf = (number: number) => {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 6, 6)
  return nonce
}
