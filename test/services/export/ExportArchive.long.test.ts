import { execFile } from "node:child_process"
import { createWriteStream, readFileSync } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import { assert, describe, onTestFinished, test, vi } from "vitest"
import { ZipFile } from "yazl"
import { archive, type ArchiveEntry } from "../../../src/services/export/ExportArchive.ts"
import { openFolder } from "../../support/App.ts"

const folder = await openFolder()

const execute = promisify(execFile)

const text = async function*(words: string) {
  yield Buffer.from(words)
}

const entries = async function*(count: number): AsyncGenerator<ArchiveEntry> {
  for (let n = 0; n < count; n++) yield { name: `${n}.txt`, content: text(`entry ${n}`), isCompressed: n % 2 > 0 }
}

const written = async (name: string, from: AsyncIterable<ArchiveEntry>) => {
  const file = join(folder, name)
  await pipeline(archive(from, new Date()), createWriteStream(file))
  return file
}

/** The signature of the end that only ZIP64 has. */
const zip64End = Buffer.from("PK\u0006\u0006")

describe("An archive is valid for Info-ZIP's unzip as ZIP64", () => {
  test("if it has more entries than ZIP can count", async () => {
    const add = ZipFile.prototype.addReadStream
    const adding = vi.spyOn(ZipFile.prototype, "addReadStream").mockImplementationOnce(
      function(this: ZipFile & { entries?: Array<unknown> }, ...file) {
        const all = []
        // yazl looks through the list for each entry, so each of these is the only one of its list.
        for (let n = 0; n < 65_536; n++) {
          this.entries = []
          this.addEmptyDirectory(`${n}`)
          all.push(...this.entries)
        }
        this.entries = all
        return add.call(this, ...file)
      }
    )
    onTestFinished(() => adding.mockRestore())
    const file = await written("many.zip", entries(4))
    const { stdout } = await execute("unzip", ["-tqq", file])
    assert.strictEqual(stdout, "")
    const { stdout: last } = await execute("unzip", ["-p", file, "3.txt"])
    assert.strictEqual(last, "entry 3")
    assert.isTrue(readFileSync(file).includes(zip64End))
  })

  test("if each file is written as if it were larger than 4 GB", async () => {
    const add = ZipFile.prototype.addReadStream
    const forced = vi.spyOn(ZipFile.prototype, "addReadStream").mockImplementation(
      function(this: ZipFile, stream, name, options) {
        return add.call(this, stream, name, { ...options, forceZip64Format: true })
      }
    )
    onTestFinished(() => forced.mockRestore())
    const file = await written("large.zip", entries(4))
    assert.strictEqual(forced.mock.calls.length, 4)
    await execute("unzip", ["-tqq", file])
    for (let n = 0; n < 4; n++) {
      assert.strictEqual((await execute("unzip", ["-p", file, `${n}.txt`])).stdout, `entry ${n}`)
    }
  })

  test("and for nobody if a file fails", async () => {
    const broken = async function*(): AsyncGenerator<ArchiveEntry> {
      yield* entries(2)
      throw new Error("gone")
    }
    const error = await written("broken.zip", broken()).then(() => undefined, (reason: Error) => reason.message)
    assert.strictEqual(error, "gone")
    assert.isTrue(await execute("unzip", ["-tqq", join(folder, "broken.zip")]).then(() => false, () => true))
  })
})
