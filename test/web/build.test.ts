import { globSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, describe, test } from "vitest"
import { mediaTypes } from "../../src/pages/Headers.ts"
import { portal } from "../../src/pages/Sites.ts"

const files = globSync("**/*", { cwd: portal.folder, withFileTypes: true }).filter((entry) => entry.isFile()).map((
  entry
) => join(entry.parentPath, entry.name).slice(portal.folder.length)).sort()

const read = (file: string) => readFileSync(join(portal.folder, file))

const plain = files.filter((file) => !/\.(br|gz)$/.test(file))

const html = plain.filter((file) => file.endsWith(".html"))

const isCode = (file: string) => /\.m?js$/.test(file)

/** Returns the files whose names appear in this page, script or style. */
const named = (file: string) => {
  if (!/\.(html|css|m?js)$/.test(file)) return []
  const text = read(file).toString()
  return plain.filter((other) => other !== file && text.includes(other.slice(other.lastIndexOf("/") + 1)))
}

/** Returns a script and all scripts that it imports statically, directly or through others. */
const imported = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, path] of read(file).toString().matchAll(/\b(?:from|import)\s*["'](\.[^"']+)["']/g)) {
    imported(join(dirname(file), path!), seen)
  }
  return seen
}

/** Returns the bytes of a page with its scripts and styles, compressed with brotli. Fonts and pictures load later. */
const firstLoad = (page: string) => {
  const linked = [...read(page).toString().matchAll(/(?:src|href)="(\/[^"]+\.(?:m?js|css))"/g)].map(([, path]) => path!)
  const loaded = new Set([page, ...linked, ...linked.filter(isCode).flatMap((file) => [...imported(file)])])
  return [...loaded].reduce((sum, file) => sum + statSync(join(portal.folder, `${file}.br`)).size, 0)
}

describe("The built pages", () => {
  test("There are five pages", () => {
    assert.deepStrictEqual(html, ["/404.html", "/frame.html", "/index.html", "/link.html", "/verify.html"])
  })

  test.each([["/index.html", 165_000], ["/link.html", 136_000], ["/verify.html", 135_000], ["/404.html", 10_000], [
    "/frame.html",
    620_000
  ]])(
    "%s loads at most %i bytes",
    (page, budget) => {
      const bytes = firstLoad(page)
      assert.isAtMost(bytes, budget)
      // Without this check, a sum that missed the scripts would pass.
      if (page !== "/404.html") assert.isAbove(bytes, 50_000)
    }
  )

  test("The HTML has no inline script or style, and loads from its own origin only", () => {
    for (const page of html) {
      const text = read(page).toString()
      assert.notMatch(text, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:/i, page)
      assert.notMatch(text, /(?:src|href)="(?!\/)/, page)
    }
    for (const file of plain.filter((file) => file.endsWith(".css"))) {
      assert.notMatch(read(file).toString(), /@import|url\((?!\/assets\/|""\))/, file)
    }
  })

  test("The build has no module of Node.js, no source map and no unreferenced file", () => {
    for (const file of plain.filter(isCode)) {
      assert.notMatch(read(file).toString(), /\b(?:from|import|require)\s*\(?\s*["'`]node:|sourceMappingURL/, file)
    }
    const reached = new Set(html)
    for (const file of reached) for (const other of named(file)) reached.add(other)
    // No file refers to these by name: pdf.js requests them only for a PDF that needs them.
    const byNeed = /^\/assets\/pdfjs-/
    assert.deepStrictEqual(plain.filter((file) => !reached.has(file) && !byNeed.test(file)), [])
  })

  test("Every file has a known media type, and its compressed copies have the same content", () => {
    for (const file of plain) assert.isDefined(mediaTypes[file.slice(file.lastIndexOf(".") + 1)], file)
    for (const file of plain.filter((file) => /\.(html|m?js|css|svg)$/.test(file))) {
      assert.deepStrictEqual(brotliDecompressSync(read(`${file}.br`)), read(file), file)
      // A very small file has no copy that is larger than itself.
      if (read(file).length < 200 && !files.includes(`${file}.gz`)) continue
      assert.deepStrictEqual(gunzipSync(read(`${file}.gz`)), read(file), file)
    }
  })

  test("The pages that need their configuration at once preload it", () => {
    const preload = "<link rel=\"preload\" as=\"fetch\" href=\"/config.json\" crossorigin>"
    assert.deepStrictEqual(html.filter((page) => read(page).includes(preload)), ["/index.html", "/link.html"])
  })
})
