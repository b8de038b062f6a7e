import { assert, test } from "vitest"
import { lint } from "./support/Lint.ts"

test("Lint finds an asynchronous body of a describe that may be skipped, and no other body", async () => {
  const text = `import { describe, test } from "vitest"
describe.skipIf(isMissing)("A program", async () => {})
describe.runIf(isThere).concurrent("A program", async () => {})
describe.skipIf(isMissing).each(programs)("A program", async () => {})
describe.skipIf(isMissing)("A program", () => {})
describe("A program", async () => {})
test.skipIf(isMissing)("answers", async () => {})
`
  const findings = await lint({ "test/programs.test.ts": text })
  assert.deepStrictEqual(
    findings.map(({ code, line }) => ({ code, line })),
    [2, 3, 4].map((line) => ({
      code: "skipped(bodies)",
      line
    }))
  )
})
