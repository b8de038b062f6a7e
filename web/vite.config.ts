import { createHash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig, type Plugin } from "vite"
import { portal, veteran } from "../src/pages/Sites.ts"
import { designSystem, sassOptions } from "./DesignSystem.ts"

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Files that pdf.js' thread requests by name: fonts and character maps that a PDF may omit, and picture decoders. */
const pdfAssets: Readonly<Record<string, string>> = {
  "cmaps/*.bcmap": "cmaps",
  "standard_fonts/*.{pfb,ttf}": "fonts",
  "wasm/*_nowasm_fallback.js": "decoders"
}

const pdfjs: Plugin = {
  name: "pdfjs-assets",
  apply: "build",
  generateBundle() {
    const folder = path("../node_modules/pdfjs-dist/")
    const { version } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"))
    for (const [pattern, place] of Object.entries(pdfAssets)) {
      for (const file of globSync(folder + pattern)) {
        const fileName = `assets/pdfjs-${version}/${place}/${basename(file)}`
        this.emitFile({ type: "asset", fileName, source: readFileSync(file) })
      }
    }
  }
}

/** Answers the text of an inlined worker instead of code that starts it, which Trusted Types would refuse. */
const workerText: Plugin = {
  name: "worker-text",
  apply: "build",
  enforce: "post",
  transform: (code, id) => {
    const text = id.endsWith("?worker&inline") ? /^const jsContent = .*$/m.exec(code)?.[0] : undefined
    return text === undefined ? undefined : { code: `${text}\nexport default jsContent`, map: null }
  }
}

/** What an installed app needs at fixed addresses: the manifest, its icons, and the service worker with its files. */
const shell: Plugin = {
  name: "app-shell",
  apply: "build",
  enforce: "post",
  generateBundle(_, bundle) {
    const manifest: { icons: Array<{ src: string }> } = JSON.parse(
      readFileSync(path("veteran/manifest.webmanifest"), "utf8")
    )
    for (const icon of manifest.icons) {
      const source = readFileSync(path(`veteran/${icon.src}`))
      icon.src = `/${this.getFileName(this.emitFile({ type: "asset", name: icon.src, source }))}`
    }
    const source = JSON.stringify(manifest)
    this.emitFile({ type: "asset", fileName: "manifest.webmanifest", source })
    const worker = bundle["sw.js"]
    if (worker?.type !== "chunk") throw new Error("The service worker is not built.")
    const page = bundle["index.html"]
    if (page?.type !== "asset") throw new Error("The app's page is not built.")
    // The few of pdf.js' 190 files that a PDF needs are fetched with it.
    const assets = Object.keys(bundle).filter((name) => /^assets\/(?!pdfjs-)/.test(name)).map((name) => `/${name}`)
    const icons = manifest.icons.map(({ src }) => src)
    const files = ["/", "/manifest.webmanifest", ...new Set([...assets, ...icons])].sort()
    // The names of the other files change with their content.
    const hash = createHash("sha256").update(files.join("\n")).update(source).update(page.source)
    worker.code = `const BUILD = ${JSON.stringify({ id: hash.digest("hex").slice(0, 16), files })};${worker.code}`
  }
}

/**
 * `npm run web` shows changes immediately, at the origin that the service admits, without the content security policy.
 * Run it beside `PORTAL_PORT=0 npm start`. It serves the same addresses as the production web server.
 */
const liveAddresses: Plugin = {
  name: "live-addresses",
  configureServer: ({ middlewares }) => {
    middlewares.use((request, response, next) => {
      const [path, query] = request.url!.split("?", 2)
      if (path === "/config.json") {
        const [api, google] = [`http://localhost:${process.env["PORT"] ?? 8080}`, "GOOGLE_CLIENT_ID" in process.env]
        return void response.setHeader("content-type", "application/json").end(JSON.stringify({ api, google }))
      }
      const page = portal.pages[path!]
      if (page !== undefined) request.url = query === undefined ? page : `${page}?${query}`
      next()
    })
  }
}

/** The pages of each build (src/pages/Sites.ts). */
const inputs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pages: {
    index: path("portal/index.html"),
    link: path("portal/link.html"),
    verify: path("portal/verify.html"),
    404: path("portal/404.html")
  },
  frame: { frame: path("portal/frame.html") },
  veteran: { index: path("veteran/index.html"), 404: path("veteran/404.html"), sw: path("veteran/sw.ts") }
}

const siteOf = (mode: string) => veteran.builds.includes(mode) ? veteran : portal

/** The portal and the veteran's app: static pages, which load their configuration from `/config.json` at run time. */
export default defineConfig(({ mode }) => ({
  root: path(siteOf(mode).name),
  publicDir: false,
  plugins: [designSystem, pdfjs, ...siteOf(mode) === portal ? [] : [shell], workerText, liveAddresses],
  server: { host: "127.0.0.1", port: 8081, strictPort: true, fs: { allow: [path("..")] }, cors: { origin: "null" } },
  build: {
    outDir: siteOf(mode).folder,
    emptyOutDir: mode !== "frame",
    target: ["chrome111", "firefox128", "safari17"],
    // The content security policy refuses data: URLs, except for pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The file of pdf.js is large, but it is loaded only when a PDF is shown.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // Renames .mjs to .js: some web servers send no type for .mjs, and browsers then refuse the script (`nosniff`).
      output: {
        // One file for the scripts that all pages share. Several files take 4 kB more in brotli, over two pages'
        // budgets.
        codeSplitting: mode === "frame"
          // The frame requests nothing more once it is there.
          ? false
          : { groups: [{ name: "common", tags: ["$initial"], minShareCount: 3, test: /\.(tsx?|m?js)$/ }] },
        entryFileNames: ({ name }) => name === "sw" ? "sw.js" : "assets/[name]-[hash].js",
        assetFileNames: ({ names: [name = ""] }) => `assets/[name]-[hash]${name.endsWith(".mjs") ? ".js" : "[extname]"}`
      },
      input: inputs[mode] ?? inputs["pages"]!
    }
  },
  // A sandboxed frame starts no modules.
  worker: { format: mode === "frame" ? "iife" : "es" },
  css: { preprocessorOptions: { scss: sassOptions } }
}))
