import { readFile } from "node:fs/promises"
import { assert, describe, test } from "vitest"
import { pageStyle } from "../../../src/http/oauth/PageStyle.ts"

const colours = (css: string) =>
  [...css.matchAll(/(--[\w-]+): (light-dark\(.*?\));/g)].map(([, name, value]) => `${name}: ${value}`)

describe("The style of the consent pages", () => {
  test("has only colours of the portal's theme", async () => {
    const theme = new Set(colours(await readFile("web/shared/theme/theme.css", "utf8")))
    const own = colours(`${pageStyle}`)
    assert.isAbove(own.length, 10)
    assert.deepStrictEqual(own.filter((colour) => !theme.has(colour)), [])
  })
})
