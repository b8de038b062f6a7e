import { assert, test } from "vitest"
import { lint } from "./support/Lint.ts"

test("Lint refuses a regular expression that may take more than linear time", async () => {
  const expressions = [
    String.raw`/(?<=T.*) (?=\d\d:\d\d$)/`,
    String.raw`/-----BEGIN.+?-----END/s`,
    String.raw`/^(a+)+$/`,
    String.raw`/[\p{L}--[a]]+$/v`,
    String.raw`/\s+$/`
  ]
  const text = expressions.map((expression, at) => `export const a${at} = ${expression}\n`).join("")
  const found = await lint({ "src/services/fhir/Dates.ts": text, "web/portal/Dates.ts": text })
  for (const path of ["src/services/fhir/Dates.ts", "web/portal/Dates.ts"]) {
    const lines = found.filter(({ code, file }) => file === path && /^(redos|regexp)\(/.test(code)).map(({ line }) =>
      line
    )
    assert.deepStrictEqual([...new Set(lines)].sort(), [1, 2, 3, 4, 5])
  }
})

test("Lint allows regular expressions that read each character once", async () => {
  const text = String.raw`export const a = / (?=\d\d:\d\d$)/
export const b = /(?<!\s)\s+$/
export const c = /^[[\p{L}]--[a]]+$/v
`
  assert.deepStrictEqual(await lint({ "src/services/fhir/Dates.ts": text }), [])
})
