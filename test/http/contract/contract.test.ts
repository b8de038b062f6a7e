import { resolve } from "node:path"
import { createContext, runInContext } from "node:vm"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { assert, describe, test } from "vitest"
import { importsOf, root } from "../../support/Imports.ts"

const contract = "src/http/Api.ts"

/** The file and all files that it imports, directly or indirectly. */
const closure = (file: string, known = new Set<string>()): ReadonlySet<string> => {
  if (known.has(file)) return known
  known.add(file)
  for (const imported of importsOf(file).own) closure(imported, known)
  return known
}

/** Bundles the source text `module` for a browser, as if it were a file in `src/http`. */
const bundle = async (module: string) => {
  const entry = resolve(root, "src/http/Entry.ts")
  const build = await rolldown({
    input: entry,
    platform: "browser",
    plugins: [{
      name: "entry",
      resolveId: (id) => id === entry ? id : undefined,
      load: (id) => id === entry ? module : undefined
    }]
  })
  const { output } = await build.generate({ format: "iife", minify: true })
  assert.lengthOf(output, 1)
  return output[0].code
}

describe("The contract", () => {
  test("imports no third-party module except effect, and fewer than 90 files of this project", () => {
    const files = [...closure(contract)]
    assert.isAbove(files.length, 20)
    assert.isBelow(files.length, 90)
    const foreign = new Set(files.flatMap((file) => importsOf(file).foreign))
    assert.deepStrictEqual([...foreign].filter((name) => !/^effect(\/|$)/.test(name)), [])
  })

  test("imports from this project only the domain and contracts", () => {
    for (const file of closure(contract)) {
      assert.match(
        file,
        /^src\/(domain\/\w+|http\/(Api|\w+\/\w*Api|contract\/\w+))\.ts$/
      )
    }
  })

  test("runs without the APIs of Node, and its bundle is smaller than 68 kB compressed", async () => {
    const code = await bundle(`
      import { HttpApiClient } from "effect/http-api"
      import { Api } from "./Api.ts"
      const { consent } = HttpApiClient.urlBuilder(Api, { baseUrl: "https://records.example" })
      globalThis.url = consent.list({ params: { veteranId: "me" }, query: { limit: 5 } })
    `)
    const browser: { readonly url?: string } = createContext({ URL, URLSearchParams, TextEncoder, TextDecoder })
    runInContext(code, browser)
    assert.strictEqual(browser.url, "https://records.example/api/veteran/me/consent-grants?limit=5")
    assert.isBelow(gzipSync(code).length, 68_000)
  })
})
