import { Context, Effect, Layer } from "effect"
import { Settings } from "../services/platform/Settings.ts"
import { portalHeaders } from "./Headers.ts"
import { serveSite } from "./ServedPages.ts"
import { portal } from "./Sites.ts"

/** The address of the portal's pages, or the reason why they are not served. */
export class PortalPages extends Context.Service<PortalPages, { readonly at: string } | { readonly not: string }>()(
  "vrss/pages/PortalPages"
) {
  static readonly layer = Layer.effect(
    PortalPages,
    Effect.gen(function*() {
      const { google, port, portalPort } = yield* Settings
      if (portalPort === undefined) return { not: "not served (PORTAL_PORT)" }
      const api = `http://localhost:${port}`
      return yield* serveSite(portal, portalPort, {
        told: { api, google: google !== undefined },
        headers: (file) => portalHeaders(api, false, file)
      })
    })
  )
}
