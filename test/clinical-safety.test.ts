import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { root, textOf } from "./docs/Pages.ts"

const page = "docs/clinical-safety.md"
const text = textOf(page)

/** The section's text up to the next one. */
const section = (title: string) => text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? ""

/** The cells of the tables' rows that begin with a hazard's number. */
const rows = [...text.matchAll(/^\| ([A-Z]\d+) +\|(.*)\|$/gm)].map(([, id, cells]) => {
  const [conclusion, where, severity, likelihood, risk] = cells!.split("|").map((cell) => cell.trim())
  return { id: id!, conclusion, where, severity: Number(severity), likelihood: likelihood!, risk }
})

/** The entries below the tables, without line breaks. */
const entries = [...text.matchAll(/^- \*\*([A-Z]\d+)\.\*\* (.*(?:\n {2}.*)*)/gm)].map(([, id, entry]) => {
  const all = entry!.replaceAll(/\s+/g, " ")
  return {
    id: id!,
    files: [...all.replace(/Tests?: ".*/, "").matchAll(/`([\w/]+\.tsx?|[\w/]+\.css)`/g)].map(([, file]) => file!),
    tests: [...all.matchAll(/"((?:[^"]|\("[^"]*"\))+)" \(`(test\/[\w./-]+)`\)/g)].map(([, name, file]) => ({
      name,
      file
    }))
  }
})

/** Rows from very low to very high likelihood, columns from minor to catastrophic. */
const matrix = [...section("Method").matchAll(/^\| (\d) [a-z ]+\|(.*)\|$/gm)].toSorted(([, a], [, b]) =>
  Number(a) - Number(b)
).map(([, , cells]) => cells!.split("|").map(Number))

const riskOf = (severity: number, likelihood: string) => matrix[Number(likelihood) - 1]?.[severity - 1]

/** Whether the file has a test, or a group of tests, with this name. */
const hasTest = (file: string, name: string) => {
  const source = readFileSync(join(root, file), "utf8")
  return [JSON.stringify(name), `\`${name}`].some((quoted) =>
    source.split(quoted).some((before) => /\(\s*$/.test(before))
  )
}

test("The log has the hazards C1 to C8, P1 to P3 and F1 to F7, and at least 30 more", () => {
  const ids = rows.map(({ id }) => id)
  const required = [...Array.from({ length: 8 }, (_, n) => `C${n + 1}`), "P1", "P2", "P3", ...Array.from(
    { length: 7 },
    (_, n) => `F${n + 1}`
  )]
  for (const id of required) assert.include(ids, id)
  const others = ids.filter((id) => id.startsWith("H"))
  assert.isAtLeast(others.length, 30)
  assert.deepStrictEqual(others, others.map((_, index) => `H${index + 1}`), "numbers without a gap")
  assert.strictEqual(new Set(ids).size, ids.length)
})

test("Each hazard of a table has one entry below it", () => {
  assert.deepStrictEqual(entries.map(({ id }) => id), rows.map(({ id }) => id))
})

test("The tables can be read in 120 columns", () => {
  for (const line of text.split("\n").filter((line) => line.startsWith("|"))) assert.isAtMost(line.length, 120, line)
})

describe.each(rows)("$id", ({ conclusion, id, likelihood, risk, severity, where }) => {
  const entry = entries.find((entry) => entry.id === id)

  test("names a surface, and a risk that agrees with the matrix and did not rise", () => {
    assert.match(where!, /^[LRDPFVMCAT](?: [LRDPFVMCAT])*$/, conclusion)
    const [before, after] = likelihood.split(" → ").map((one) => riskOf(severity, one))
    assert.strictEqual(risk, `${before} → ${after}`)
    assert.isAtMost(after!, before!)
    assert.isAtMost(after!, 3, "a risk of 4 must be reduced before use")
  })

  test("names the code that holds it, and tests that exist", () => {
    assert.isNotEmpty(entry!.files)
    assert.isNotEmpty(entry!.tests)
    for (const { file, name } of entry!.tests) {
      assert.isTrue(existsSync(join(root, file!)), file)
      assert.isTrue(hasTest(file!, name!), `${file}: ${name}`)
    }
  })
})
