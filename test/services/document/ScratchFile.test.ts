import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SealBroken } from "../../../src/domain/Errors.ts"
import { openScratch, type Piece, type Scratch } from "../../../src/services/document/ScratchFile.ts"
import { storeFolders } from "../../../src/services/document/StoreFolders.ts"
import { bytesOf } from "./StoredFiles.ts"

const inScratch = <A>(use: (scratch: Scratch, root: string) => Promise<A>) =>
  Effect.promise(async () => {
    const root = await mkdtemp(join(tmpdir(), "vrss-scratch-"))
    const scratch = await openScratch(storeFolders(root))
    try {
      return await use(scratch, root)
    } finally {
      await scratch.close()
      await rm(root, { recursive: true })
    }
  })

/** Returns the descriptor and path of each of this process's open files below a folder. */
const held = async (root: string) => {
  const descriptors = await readdir("/proc/self/fd")
  const paths = await Promise.all(
    descriptors.map(async (fd) => [fd, await readlink(`/proc/self/fd/${fd}`).catch(() => "")])
  )
  return paths.filter(([, path]) => path!.startsWith(root))
}

const assertBroken = async (reading: Promise<unknown>) =>
  assert.instanceOf(await reading.then(() => undefined, (error: unknown) => error), SealBroken)

describe("A scratch file", () => {
  it.effect.prop(
    "gives back what was put into it, in any order",
    [
      Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 300_000 }))).check(Schema.isMaxLength(20)),
      Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))).check(Schema.isMaxLength(30))
    ],
    ([sizes, order]) =>
      inScratch(async (scratch) => {
        const texts = sizes.map((size, n) => bytesOf(size, `${n}`))
        const pieces: Array<Piece> = []
        for (const text of texts) pieces.push(await scratch.add(text))
        await scratch.flush()
        const asked = texts.length === 0 ? [] : order.map((n) => n % texts.length)
        const read = await Promise.all(asked.map((n) => scratch.read(pieces[n]!)))
        assert.isTrue(read.every((bytes, at) => bytes.equals(texts[asked[at]!]!)))
      }),
    { arbitrary: { runs: 20 } }
  )

  it.effect("has no name, and its bytes on disk are sealed", () =>
    inScratch(async (scratch, root) => {
      const text = Buffer.from("a line of health data\n".repeat(100_000))
      const piece = await scratch.add(text)
      await scratch.flush()
      assert.isTrue((await scratch.read(piece)).equals(text))
      await assertBroken(scratch.read({ ...piece, length: piece.length - 1 }))
      await assertBroken(scratch.read({ ...piece, number: 1 }))
      assert.deepStrictEqual(await readdir(join(root, "tmp")), [])
      const files = await held(root)
      assert.lengthOf(files, 1)
      const onDisk = await readFile(`/proc/self/fd/${files[0]![0]}`)
      assert.isAtLeast(onDisk.length, text.length)
      assert.notInclude(onDisk.toString("latin1"), "health data")
    }))
})
