import { fileURLToPath } from "node:url"
import { defineConfig } from "vite"
import { liveAddresses } from "./LiveAddresses.ts"

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** The pages of the provider's portal: static files, which take their configuration from `/config.json` at run time. */
export default defineConfig({
  root: path("portal"),
  publicDir: false,
  plugins: [liveAddresses],
  server: { host: "127.0.0.1", port: 8081, strictPort: true, fs: { allow: [path("..")] } },
  build: {
    outDir: path("../dist/web/portal"),
    emptyOutDir: true,
    target: ["chrome111", "firefox128", "safari17"],
    // A data: URL would be refused by the content security policy, where it is no image.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: path("portal/index.html"),
        link: path("portal/link.html"),
        verify: path("portal/verify.html"),
        404: path("portal/404.html")
      }
    }
  },
  worker: { format: "es" },
  css: {
    preprocessorOptions: { scss: { loadPaths: [path("../node_modules/@uswds/uswds/packages")], quietDeps: true } }
  }
})
