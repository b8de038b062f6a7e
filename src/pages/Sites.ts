import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../..", import.meta.url))

/** Static pages on a separate origin. */
export interface Site {
  /** The folder of its sources under `web/`. */
  readonly name: "portal" | "veteran"
  /** What logs and errors call its pages. */
  readonly called: string
  readonly portVariable: "PORTAL_PORT" | "VETERAN_APP_PORT"
  /** The folder of the built pages. */
  readonly folder: string
  /** Each build shares no file with the others. */
  readonly builds: ReadonlyArray<string>
  /** Maps the paths used in links to their files. Files under `/assets/` have their own paths. */
  readonly pages: Readonly<Record<string, string>>
}

/** The pages for providers and recipients. */
export const portal: Site = {
  name: "portal",
  called: "the portal's pages",
  portVariable: "PORTAL_PORT",
  folder: join(root, "dist/web/portal"),
  // Browsers keep what a sandboxed frame loads apart, so its page is built apart.
  builds: ["pages", "frame"],
  pages: {
    "/": "/index.html",
    "/password": "/index.html",
    "/link": "/link.html",
    "/verify": "/verify.html",
    "/frame": "/frame.html"
  }
}

/** The veteran's app. */
export const veteran: Site = {
  name: "veteran",
  called: "the pages of the veteran's app",
  portVariable: "VETERAN_APP_PORT",
  folder: join(root, "dist/web/veteran"),
  builds: ["veteran"],
  pages: { "/": "/index.html", "/sw.js": "/sw.js", "/manifest.webmanifest": "/manifest.webmanifest" }
}

/** Shown at any other address. */
export const missingPage = "/404.html"
