import type { Plugin } from "vite"
import { pages } from "./headers.ts"

/**
 * `npm run web` shows changes at once, at the origin that the service admits, without the content security policy: beside
 * `PORTAL_PORT=0 npm start`. It answers the addresses that the web server of production does.
 */
export const liveAddresses: Plugin = {
  name: "live-addresses",
  configureServer: ({ middlewares }) => {
    middlewares.use((request, response, next) => {
      const [path, query] = request.url!.split("?", 2)
      if (path === "/config.json") {
        const [api, google] = [`http://localhost:${process.env["PORT"] ?? 8080}`, "GOOGLE_CLIENT_ID" in process.env]
        return void response.setHeader("content-type", "application/json").end(JSON.stringify({ api, google }))
      }
      const page = pages[path!]
      if (page !== undefined) request.url = query === undefined ? page : `${page}?${query}`
      next()
    })
  }
}
