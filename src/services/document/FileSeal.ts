import { createCipheriv, createDecipheriv, createHash, createSecretKey } from "node:crypto"
import { SealBroken } from "../../domain/Errors.ts"

/**
 * A stored file is a header and then chunks of 64 KiB of plaintext, each under AES-256-GCM with its tag behind it. The
 * last chunk may be shorter; an empty file is one empty chunk. This is the STREAM construction (Hoang, Reyhanitabar,
 * Rogaway, Vizár: "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", 2015), as used by age. The
 * nonce is the chunk's number (11 bytes, big-endian) and a flag for the last chunk (1 byte). The additional data is the
 * header and the storage key. So a chunk opens only in its file and place, and nothing can be cut off or added.
 *
 * The key is 32 random bytes, used for one file only, so that no nonce is used twice.
 */
const header = Buffer.from("vrss-file/1\n")

const chunkSize = 64 * 1024

const tagLength = 16

const sealedChunkSize = chunkSize + tagLength

/** Number of chunks in a block. A block is 512 KiB of plaintext, and is sealed, written and read in one step. */
export const blockChunks = 8

const blockSize = blockChunks * chunkSize

const chunkCount = (byteSize: number) => Math.max(1, Math.ceil(byteSize / chunkSize))

/** Seals one file from start to end, in blocks. */
export const makeSealer = (storageKey: string, fileKey: Uint8Array) => {
  const key = createSecretKey(fileKey)
  const bound = boundTo(storageKey)
  const hash = createHash("sha256")
  // The buffer grows up to a block, because most files are small.
  let block = Buffer.allocUnsafe(chunkSize)
  let [blocks, filled] = [0, 0]

  const sealBlock = (ends: boolean) => {
    const plaintext = block.subarray(0, filled)
    hash.update(plaintext)
    const count = chunkCount(filled)
    const pieces = Array.from({ length: count }, (_, n) => {
      const nonce = nonceOf(blocks * blockChunks + n, ends && n === count - 1)
      const cipher = createCipheriv("aes-256-gcm", key, nonce, gcm).setAAD(bound)
      const sealed = cipher.update(plaintext.subarray(n * chunkSize, (n + 1) * chunkSize))
      cipher.final()
      return [sealed, cipher.getAuthTag()]
    }).flat()
    return Buffer.concat(blocks === 0 ? [header, ...pieces] : pieces)
  }

  return {
    /** Yields each full block once more bytes follow it. The last block, even if it is full, is left for `end`. */
    add: function*(piece: Uint8Array) {
      for (let at = 0; at < piece.length;) {
        if (filled === blockSize) {
          yield sealBlock(false)
          blocks++
          filled = 0
        } else if (filled === block.length) block = Buffer.concat([block], 2 * filled)
        const taken = piece.subarray(at, at + block.length - filled)
        block.set(taken, filled)
        filled += taken.length
        at += taken.length
      }
    },
    /** Returns the last block, and the size and SHA-256 of the plaintext. */
    end: () => ({ block: sealBlock(true), byteSize: blocks * blockSize + filled, sha256: hash.digest() })
  }
}

export const makeOpener = (storageKey: string, fileKey: Uint8Array, byteSize: number) => {
  const key = createSecretKey(fileKey)
  const bound = boundTo(storageKey)
  const count = chunkCount(byteSize)
  const sealedSize = header.length + byteSize + count * tagLength
  return {
    chunkCount: count,
    sealedSize,
    /** Returns where the chunks `first` to `end - 1` are in the stored file. The header belongs to chunk 0. */
    range: (first: number, end: number) => ({
      from: first === 0 ? 0 : header.length + first * sealedChunkSize,
      to: Math.min(header.length + end * sealedChunkSize, sealedSize)
    }),
    /** Opens the chunks of `range(first, end)`. Throws `SealBroken` unless every chunk is authentic. */
    open: (sealed: Buffer, first: number, end: number) => {
      const start = first === 0 ? header.length : 0
      if (!header.subarray(0, start).equals(sealed.subarray(0, start))) throw new SealBroken()
      return Array.from({ length: end - first }, (_, n) => {
        const chunk = sealed.subarray(start + n * sealedChunkSize, start + (n + 1) * sealedChunkSize)
        try {
          const nonce = nonceOf(first + n, first + n === count - 1)
          const decipher = createDecipheriv("aes-256-gcm", key, nonce, gcm).setAAD(bound)
          decipher.setAuthTag(chunk.subarray(-tagLength))
          const plaintext = decipher.update(chunk.subarray(0, -tagLength))
          decipher.final()
          return plaintext
        } catch {
          throw new SealBroken()
        }
      })
    }
  }
}

const gcm = { authTagLength: tagLength }

const boundTo = (storageKey: string) => Buffer.concat([header, Buffer.from(storageKey)])

const nonceOf = (n: number, last: boolean) => {
  const nonce = Buffer.alloc(12)
  // `writeUIntBE` writes at most six of the eleven bytes, enough for 2^48 chunks.
  nonce.writeUIntBE(n, 5, 6)
  nonce[11] = last ? 1 : 0
  return nonce
}
