import { Context, Effect, Layer } from "effect"
import { Settings } from "../services/platform/Settings.ts"
import { appHeaders } from "./Headers.ts"
import { serveSite } from "./ServedPages.ts"
import { veteran } from "./Sites.ts"

/** The address of the veteran's app, or the reason why it is not served. */
export class AppPages extends Context.Service<AppPages, { readonly at: string } | { readonly not: string }>()(
  "vrss/pages/AppPages"
) {
  static readonly layer = Layer.effect(
    AppPages,
    Effect.gen(function*() {
      const { port, sandboxVaPort, va, veteranApp } = yield* Settings
      if (veteranApp.port === undefined) return { not: "not served (VETERAN_APP_PORT)" }
      const api = `http://localhost:${port}`
      const upstream = va && {
        authorizationUrl: va.authorizationUrl,
        tokenUrl: va.tokenUrl,
        fhirBase: va.fhirBase,
        clientId: va.clientId,
        scopes: va.scopes,
        resourceTypes: va.resourceTypes,
        sandbox: sandboxVaPort !== undefined
      }
      const vaOrigins = va === undefined ? [] : [va.fhirBase, va.tokenUrl].map((address) => new URL(address).origin)
      return yield* serveSite(veteran, veteranApp.port, {
        told: upstream === undefined ? { api } : { api, va: upstream },
        headers: (file) => appHeaders([...new Set([api, ...vaOrigins])], false, file)
      })
    })
  )
}
