import { setImmediate } from "node:timers/promises"
import { assert, describe, test } from "vitest"
import { archive, type ArchiveEntry } from "../../../src/services/export/ExportArchive.ts"

/** Entries whose contents are counted while they are open. `pause` is the wait before each entry, in turns. */
const counted = (pause: number) => {
  const contents = { open: 0 }
  const content = async function*() {
    contents.open++
    try {
      for (let piece = 0; piece < 40; piece++) {
        await setImmediate()
        yield new Uint8Array(64 * 1024)
      }
    } finally {
      contents.open--
    }
  }
  const entries = async function*(): AsyncGenerator<ArchiveEntry> {
    for (let n = 0; n < 3; n++) {
      for (let turn = 0; turn < pause; turn++) await setImmediate()
      yield { name: `${n}.bin`, content: content(), isCompressed: true }
    }
  }
  return { contents, entries: entries() }
}

describe("An archive that nobody reads any more", () => {
  test("leaves no content open, whenever the reader goes", async () => {
    for (const pause of [0, 3, 10]) {
      for (let turns = 0; turns < 40; turns++) {
        const { contents, entries } = counted(pause)
        const out = archive(entries, new Date())
        if (turns % 2 === 0) out.resume()
        for (let turn = 0; turn < turns; turn++) await setImmediate()
        out.destroy()
        for (let turn = 0; turn < 60; turn++) await setImmediate()
        assert.strictEqual(contents.open, 0, `${pause} turns before each entry, destroyed after ${turns}`)
      }
    }
  })
})

test("An archive that fails before anybody reads it fails its reader alone", async () => {
  const broken = async function*(): AsyncGenerator<ArchiveEntry> {
    throw new Error("broken")
  }
  const out = archive(broken(), new Date())
  for (let turn = 0; turn < 10; turn++) await setImmediate()
  const failure = await Array.fromAsync(out).catch((error: Error) => error.message)
  assert.strictEqual(failure, "broken")
})
