import { randomBytes } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { chunkSize, makeOpener, makeSealer } from "./FileSeal.ts"
import { append, newStorageKey, readAt } from "./SealedFile.ts"
import { makeFolder, type StoreFolders } from "./StoreFolders.ts"

/** So many opened chunks are kept, because what is read together mostly stands together. */
const chunksKept = 32

/**
 * A file for what is too large for memory while one work lasts. It is sealed as every file is, under a key that is nowhere
 * else, and has no name once it is open, so that nothing is left of it however the work ends.
 */
export const openScratch = async ({ root, temporary }: StoreFolders) => {
  await makeFolder(temporary, root)
  const name = newStorageKey()
  const fileKey = randomBytes(32)
  const sealer = makeSealer(name, fileKey)
  const handle = await Fs.open(join(temporary, name), "wx+", 0o600)
  await Fs.unlink(join(temporary, name))
  let size = 0
  let ended: Promise<ReturnType<typeof makeOpener>> | undefined
  const opened = new Map<number, Buffer>()

  const end = async () => {
    await append(handle, sealer.end().block)
    return makeOpener(name, fileKey, size)
  }

  const chunk = async (n: number) => {
    const known = opened.get(n)
    if (known !== undefined) return known
    const opener = await (ended ??= end())
    const { from, to } = opener.range(n, n + 1)
    const [bytes] = opener.open(await readAt(handle, from, to), n, n + 1)
    if (opened.size >= chunksKept) opened.delete(opened.keys().next().value!)
    opened.set(n, bytes!)
    return bytes!
  }

  return {
    /** Answers where the bytes begin. Nothing is added once something was read. */
    add: async (bytes: Uint8Array) => {
      for (const block of sealer.add(bytes)) await append(handle, block)
      return (size += bytes.length) - bytes.length
    },
    read: async (start: number, length: number) => {
      const pieces: Array<Buffer> = []
      for (let at = start; at < start + length;) {
        const from = at % chunkSize
        const piece = (await chunk(Math.floor(at / chunkSize))).subarray(from, from + start + length - at)
        pieces.push(piece)
        at += piece.length
      }
      return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
    },
    close: () => handle.close()
  }
}

export type Scratch = Awaited<ReturnType<typeof openScratch>>
