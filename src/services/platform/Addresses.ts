import { withoutEndSlashes } from "./VariableRules.ts"
import type { Values } from "./Variables.ts"

/** Where others find the service and the portal: outside production on this machine, at the ports that are configured. */
export const addresses = (development: boolean, given: ReadonlyMap<string, string>, values: Values) => {
  const { PORT: port, PORTAL_PORT: configured } = values
  const configuredIssuer = given.has("OAUTH_ISSUER") ? values.OAUTH_ISSUER : `http://localhost:${port}`
  const publicUrl = withoutEndSlashes(configuredIssuer).replace(/\/api\/oauth$/, "")
  const free = configured === port && !given.has("PORTAL_PORT") ? port + 1 : configured
  const portalPort = free > 0 && (development || given.has("PORTAL_PORT")) ? free : undefined
  const portalUrl = portalPort === undefined || given.has("PROVIDER_PORTAL_URL")
    ? values.PROVIDER_PORTAL_URL
    : `http://localhost:${portalPort}`
  return {
    /** Others know the service by this URL, without a slash at its end: it is OAUTH_ISSUER without `/api/oauth`. */
    publicUrl,
    /** Names the authorization server (RFC 8414, section 2). */
    oauthIssuer: `${publicUrl}/api/oauth`,
    /** Here apps read by FHIR: the resource that their tokens are for (RFC 8707). */
    fhirBase: `${publicUrl}/api/fhir/R4`,
    /** Undefined: the portal's pages are served by somebody else, as they are in production. */
    portalPort,
    portalUrl,
    portalOrigins: values.PROVIDER_PORTAL_ORIGINS ?? [new URL(portalUrl).origin]
  }
}
