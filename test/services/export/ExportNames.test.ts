import { execFile } from "node:child_process"
import { createWriteStream } from "node:fs"
import { mkdir, readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import { assert, describe, test } from "vitest"
import type { Document } from "../../../src/domain/Document.ts"
import { archive, type ArchiveEntry } from "../../../src/services/export/ExportArchive.ts"
import { documentNames } from "../../../src/services/export/ExportNames.ts"
import { openFolder } from "../../support/App.ts"
import { describeWith } from "../../support/DescribeWith.ts"
import { isMissing } from "../../support/Programs.ts"

const titled = (title: string, contentType = "text/plain"): Document => ({
  id: "0",
  kind: "upload",
  title,
  contentType,
  byteSize: 1,
  sha256: "",
  signedAt: null,
  createdAt: new Date(0)
} as unknown as Document)

const namesOf = (...titles: ReadonlyArray<string>) => documentNames(titles.map((title) => titled(title)))

/** The part of a path that a file system bounds, in bytes of UTF-8. */
const maxBytes = 200 - "documents/".length

/** Letters of each length in UTF-8 and UTF-16, and what systems refuse or read otherwise. */
const letters = ["a", "Z", "7", " ", ".", "-", "ß", "é", "e\u0301", "ш", "漢", "한", "ﷺ", "😀", "👩‍👩‍👧", "🇺🇸", "\u200f",
  "\u2028", "/", "\\", ":", "*", "?", "\"", "<", ">", "|", "\n", "\u001b", "\u0085", "\u{1d15e}", "%", "~", "$", "CON",
  "..", "txt"]

/** Titles of 0 to 300 letters, the same in each run. */
const titles = Array.from(
  { length: 400 },
  (_, n) =>
    Array.from({ length: n * 3 % 301 }, (_, at) => letters[(n * 7_919 + at * (n % 31 + 1) * 104_729) % letters.length])
      .join("")
)

const hostile = [
  "CON",
  "con.txt",
  "NUL.txt",
  "nul .txt",
  "Aux.",
  "COM1.text",
  "com¹.txt",
  "LPT9",
  "CONIN$",
  "clock$.txt",
  "..",
  ".",
  ".txt",
  "../../etc/passwd",
  "..\\..\\boot.ini",
  "C:\\x",
  "a:b",
  "name. ",
  "name.txt.",
  "name.txt ",
  " name",
  "-rf",
  "~",
  "\u202etxt.exe",
  "\u0301",
  "Straße",
  "STRASSE",
  "STRAßE",
  "é",
  "e\u0301",
  "ＬＥＴＴＥＲ",
  "letter",
  "Letter",
  "漢".repeat(255),
  "😀".repeat(127),
  "e\u0301".repeat(127),
  `${"x".repeat(254)}a`,
  `${"x".repeat(254)}b`,
  `${"ü".repeat(120)}.txt`,
  "Z\u0301".repeat(120)
]

/** The rules of Windows for a name, which no other system's exceed (Win32, "Naming Files, Paths, and Namespaces"). */
const assertName = (name: string, title: string) => {
  assert.isAtMost(Buffer.byteLength(name), maxBytes, title)
  assert.isTrue(name.isWellFormed(), title)
  assert.notMatch(name, /[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]/u, title)
  assert.notMatch(name, /^[. ]|[. ]$/, title)
  assert.notMatch(name, /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(\.|$)/i, title)
  assert.match(name, /.\.(txt|text)$/i, title)
}

/** What a disk that ignores case and normal forms compares. */
const keyOf = (name: string) => name.normalize("NFKD").toUpperCase().toLowerCase()

describe("The name of a document in the archive", () => {
  test("is one that Linux, macOS and Windows take, of at most 200 bytes with its folder, for any title", () => {
    const all = [...hostile, ...titles, ...hostile]
    const names = namesOf(...all)
    for (const [index, name] of names.entries()) assertName(name, all[index]!)
    assert.strictEqual(new Set(names.map(keyOf)).size, all.length)
  })

  test("is the title, as far as there is room for it, and keeps its extension", () => {
    assert.deepStrictEqual(namesOf("Letter of Dr. Gray.txt", "Blood test, März 2026", "Arzt/Brief"), [
      "Letter of Dr. Gray.txt",
      "Blood test, März 2026.txt",
      "Arzt_Brief.txt"
    ])
    const [first, second] = namesOf(`${"漢".repeat(100)}.text`, `${"漢".repeat(99)}字.text`)
    assert.match(first!, /^漢{58}\.text$/)
    assert.strictEqual(second, first!.replace(".text", " (2).text"))
    assert.match(documentNames([titled("x".repeat(255), "application/pdf")])[0]!, /^x{176}\.pdf$/)
  })

  test("costs no more for ten thousand equal titles than for others", () => {
    const names = namesOf(...Array.from({ length: 10_000 }, () => "letter.txt"))
    assert.deepStrictEqual([names[0], names[1], names[9_999]], ["letter.txt", "letter (2).txt", "letter (10000).txt"])
  })
})

const execute = promisify(execFile)

const tools = [
  ["unzip", (file: string, into: string) => ["-q", file, "-d", into]],
  ["python3", (file: string, into: string) => ["-m", "zipfile", "-e", file, into]]
] as const

for (const [tool, argumentsFor] of tools) {
  describeWith(isMissing(tool), `An archive that ${tool} unpacks (skipped without it)`, () => {
    test("has each document under its name, with its content", async () => {
      const folder = await openFolder()
      const all = [...hostile, ...titles.slice(0, 60)]
      const names = namesOf(...all)
      const entries = async function*(): AsyncGenerator<ArchiveEntry> {
        for (const [index, name] of names.entries()) {
          const content = async function*() {
            yield Buffer.from(`${index}`)
          }
          yield { name: `documents/${name}`, content: content() }
        }
      }
      const [file, into] = [join(folder, "export.zip"), join(folder, "out")]
      await pipeline(archive(entries(), new Date()), createWriteStream(file))
      await mkdir(into)
      await execute(tool, argumentsFor(file, into), { env: { ...process.env, LC_ALL: "C.UTF-8" } })
      const there = await readdir(join(into, "documents"))
      assert.deepStrictEqual(there.toSorted(), names.toSorted())
      for (const [index, name] of names.entries()) {
        assert.strictEqual(await readFile(join(into, "documents", name), "utf8"), `${index}`)
      }
    })
  })
}
