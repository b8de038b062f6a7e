import { withoutEndSlashes } from "./VariableRules.ts"
import type { Values } from "./Variables.ts"

/**
 * The URLs of the service, the portal and the veteran's app. Outside production they default to this machine and the
 * configured ports.
 */
export const addresses = (development: boolean, texts: ReadonlyMap<string, string>, values: Values) => {
  const { PORT: port, PORTAL_PORT: configured } = values
  const configuredIssuer = texts.has("OAUTH_ISSUER") ? values.OAUTH_ISSUER : `http://localhost:${port}`
  const publicUrl = publicUrlOf(configuredIssuer)
  const free = freePort(configured, texts.has("PORTAL_PORT"), [port])
  const portalPort = free > 0 && (development || texts.has("PORTAL_PORT")) ? free : undefined
  const portalUrl = portalPort === undefined || texts.has("PROVIDER_PORTAL_URL")
    ? values.PROVIDER_PORTAL_URL
    : `http://localhost:${portalPort}`
  const appPort = freePort(values.VETERAN_APP_PORT, texts.has("VETERAN_APP_PORT"), [port, portalPort])
  const served = appPort > 0 && (development || texts.has("VETERAN_APP_PORT")) ? appPort : undefined
  const appUrl = served === undefined || texts.has("VETERAN_APP_URL")
    ? values.VETERAN_APP_URL
    : `http://localhost:${served}`
  return {
    /** The service's public URL without a slash at its end: OAUTH_ISSUER without `/api/oauth`. */
    publicUrl,
    /** The issuer of the authorization server (RFC 8414, section 2). */
    oauthIssuer: `${publicUrl}/api/oauth`,
    /** The base URL of FHIR for apps: the resource that their tokens are for (RFC 8707). */
    fhirBase: `${publicUrl}/api/fhir/R4`,
    /** The portal's port; undefined if another server serves the portal's pages, as in production. */
    portalPort,
    portalUrl,
    portalOrigins: values.PROVIDER_PORTAL_ORIGINS ?? [new URL(portalUrl).origin],
    /** The veteran's app. `port` is undefined if another server serves its pages, as in production. */
    veteranApp: {
      url: appUrl,
      origins: values.VETERAN_APP_ORIGINS ?? [new URL(appUrl).origin],
      port: served,
      /** Whether the app is there: it is served here, or its address was configured. */
      stands: served !== undefined || texts.has("VETERAN_APP_URL")
    }
  }
}

export type Addresses = ReturnType<typeof addresses>

/** The longest public URL: with `/api/shl/` and 43 characters behind it, it has the 128 of SMART Health Links STU1. */
export const maxPublicUrl = 76

export const publicUrlOf = (issuer: string) => withoutEndSlashes(issuer).replace(/\/api\/oauth$/, "")

/** Returns a default port, or the next one that is not `taken`. A port that was configured stays. */
export const freePort = (port: number, configured: boolean, taken: ReadonlyArray<number | undefined>): number =>
  configured || port === 0 || !taken.includes(port) ? port : freePort(port + 1, false, taken)
