import { withoutEndSlashes } from "./VariableRules.ts"
import type { Values } from "./Variables.ts"

/** The URLs of the service and the portal. Outside production they default to this machine and the configured ports. */
export const addresses = (development: boolean, texts: ReadonlyMap<string, string>, values: Values) => {
  const { PORT: port, PORTAL_PORT: configured } = values
  const configuredIssuer = texts.has("OAUTH_ISSUER") ? values.OAUTH_ISSUER : `http://localhost:${port}`
  const publicUrl = withoutEndSlashes(configuredIssuer).replace(/\/api\/oauth$/, "")
  const free = configured === port && !texts.has("PORTAL_PORT") ? port + 1 : configured
  const portalPort = free > 0 && (development || texts.has("PORTAL_PORT")) ? free : undefined
  const portalUrl = portalPort === undefined || texts.has("PROVIDER_PORTAL_URL")
    ? values.PROVIDER_PORTAL_URL
    : `http://localhost:${portalPort}`
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
    portalOrigins: values.PROVIDER_PORTAL_ORIGINS ?? [new URL(portalUrl).origin]
  }
}
