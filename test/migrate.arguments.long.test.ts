import { assert, describe } from "vitest"
import { test, two } from "./support/MigrateProgram.ts"

describe("migrate", () => {
  const both = "001_a.sql,002_b.sql"
  for (
    const { code, expect, label, lists, says } of [
      { label: "exact", expect: both, code: 0, says: "" },
      { label: "reordered", expect: "002_b.sql,001_a.sql", code: 0, says: "" },
      { label: "duplicate", expect: `${both},001_a.sql`, code: 0, says: "" },
      { label: "blanks", expect: " 001_a.sql , 002_b.sql ,", code: 0, says: "" },
      { label: "one missing", expect: "001_a.sql", code: 2, says: "Pending but not expected: 002_b.sql." },
      { label: "one extra", expect: `${both},003_c.sql`, code: 2, says: "Expected but not pending: 003_c.sql." },
      { label: "empty", expect: "", code: 2, says: "Pending but not expected: 001_a.sql, 002_b.sql." },
      { label: "exact, list only", expect: both, code: 0, says: "", lists: true },
      { label: "other, list only", expect: "002_b.sql", code: 2, says: "not expected: 001_a.sql.", lists: true }
    ]
  ) {
    test(`exits with ${code} for --expect ${label}`, two, async (p) => {
      const outcome = await p.run("--expect", expect, ...(lists === true ? ["--list-pending"] : []))
      assert.strictEqual(outcome.code, code)
      assert.include(outcome.stderr, says)
      assert.strictEqual(outcome.stdout, code === 0 || lists === true ? "001_a.sql\n002_b.sql\n" : "")
      assert.deepStrictEqual(await p.tables(), code === 0 && lists !== true ? ["a", "b"] : [])
    })
  }

  test("exits with 0 for --expect \"\" when no file is pending, and then with 2 for a name", two, async (p) => {
    await p.run()
    assert.deepInclude(await p.run("--expect", ""), { code: 0, stdout: "", stderr: "none pending\n" })
    assert.deepInclude(await p.run("--expect", "001_a.sql"), { code: 2, stdout: "" })
  })

  for (const args of [["--expcet", both], ["--expect", "001_a.sql,", "002_b.sql"], ["--expect"], ["001_a.sql"]]) {
    test(`a mistaken command line applies nothing: ${args.join(" ")}`, two, async (p) => {
      const outcome = await p.run(...args)
      assert.deepInclude(outcome, { code: 1, stdout: "" })
      assert.include(outcome.stderr, "See migrate --help.")
      assert.deepStrictEqual(await p.tables(), [])
    })
  }

  for (const name of ["12_x.sql", "050-x.sql", "050_X.sql", "050_x.sql.bak", "x.sql", "README.md"]) {
    test(`a file named ${name} is an error that names it`, { ...two, [name]: "" }, async (p) => {
      for (const args of [[], ["--list-pending"]]) {
        const outcome = await p.run(...args)
        assert.deepInclude(outcome, { code: 1, stdout: "" })
        assert.include(outcome.stderr, name)
      }
      assert.deepStrictEqual(await p.tables(), [])
    })
  }
})
