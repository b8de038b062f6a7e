import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** The pages of the provider's portal: static files, which take their configuration from `/config.json` at run time. */
export default defineConfig({
  root: path("portal"),
  publicDir: false,
  build: {
    outDir: path("../dist/web/portal"),
    emptyOutDir: true,
    target: ["chrome111", "firefox128", "safari17"],
    // A data: URL would be refused by the content security policy, where it is no image.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Some web servers know no type for .mjs, and a script without its type is refused (`nosniff`).
      output: {
        assetFileNames: ({ names: [name = ""] }) => `assets/[name]-[hash]${name.endsWith(".mjs") ? ".js" : "[extname]"}`
      },
      input: { index: path("portal/index.html"), link: path("portal/link.html"), verify: path("portal/verify.html") }
    }
  },
  worker: { format: "es" },
  css: {
    preprocessorOptions: { scss: { loadPaths: [path("../node_modules/@uswds/uswds/packages")], quietDeps: true } }
  }
})
