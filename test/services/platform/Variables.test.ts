import { readFileSync } from "node:fs"
import { assert, describe, test } from "vitest"
import { variables } from "../../../src/services/platform/Variables.ts"

/** The rows of the table of variables in docs/operator.md. */
const documented = readFileSync(new URL("../../../docs/operator.md", import.meta.url), "utf8")
  .split("\n## Database")[0]!
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, name, , fallback, production, secret]) => ({ name: name!, fallback: fallback!, production, secret }))

describe("docs/operator.md", () => {
  test("lists every variable that the service reads, in the same order, and no other", () => {
    assert.deepStrictEqual(documented.map(({ name }) => name), variables.map(({ name }) => `\`${name}\``))
  })

  test.each(variables)(
    "states for $name its default, whether production requires it, and whether it is secret",
    (variable) => {
      const row = documented.find(({ name }) => name === `\`${variable.name}\``)!
      assert.strictEqual(row.secret, variable.secret === true ? "secret" : "")
      assert.strictEqual(row.production === "required", variable.requiredInProduction !== undefined)
      if (variable.publishedDefault !== undefined) {
        assert.strictEqual(row.fallback, `\`${variable.default}\`, in staging \`${variable.publishedDefault}\``)
        assert.strictEqual(row.production, `\`${variable.publishedDefault}\``)
      } else if (variable.default === undefined) assert.match(row.fallback, /^(unset|made|the )/)
      else {assert.strictEqual(
          row.fallback,
          variable.secret === true ? "a development value" : `\`${variable.default}\``
        )}
    }
  )
})
