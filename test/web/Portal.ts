import { freePort } from "../../src/layers/EmbeddedPostgres.ts"
import { openApp } from "../support/App.ts"
import { until } from "../support/Until.ts"

/** The real service on a database of the file's own, with the built pages served on an origin of their own. */
export const openPortal = async (environment: Record<string, string | undefined> = {}) => {
  const portalPort = await freePort()
  const portal = `http://localhost:${portalPort}`
  // Browsers say no address of their own: all of a file are one client, as far as limits go.
  const app = await openApp({ PORTAL_PORT: `${portalPort}`, PROVIDER_PORTAL_URL: portal, ...environment })
  await until("the portal's pages are read", () => fetch(portal).then(({ ok }) => ok))
  return { ...app, portal }
}
