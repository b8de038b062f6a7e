import { Clock, Effect } from "effect"
import { SigningNotConfigured } from "../../domain/Release.ts"
import { Settings, variable } from "../platform/Settings.ts"
import { isLoopback } from "../platform/VariableRules.ts"
import { readSigningFiles } from "../release/SigningFiles.ts"
import { validityAt, validitySentence } from "../release/SigningValidity.ts"
import { check, error, errorIf, type Finding, refusal, warning, warningIf } from "./Finding.ts"
import { isSameSite } from "./SameSite.ts"

/** `problems` are the lines with which the service refuses to start. */
export const problemsOfSettings = (problems: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  problems.map((problem) => refusal(problem, `Set it as docs/operator.md says under "Configuration".`))

const choices = Effect.gen(function*() {
  const { apiDocs, maxConnections, maxConnectionsPerAddress, portalOrigins, portalUrl, production, trustedProxyHops } =
    yield* Settings
  const portal = new URL(portalUrl)
  return [
    ...errorIf(
      (yield* variable("NODE_TLS_REJECT_UNAUTHORIZED")) === "0",
      "NODE_TLS_REJECT_UNAUTHORIZED=0 is set.",
      "Node then verifies no certificate: anybody on the network can read and change what goes to the database and the mail server.",
      "Unset it. Name a private authority in DATABASE_CA_CERT and SMTP_CA_CERT."
    ),
    ...warningIf(
      production && (yield* variable("NODE_ENV")) !== "production",
      "APP_ENV is production, and NODE_ENV is not.",
      "Libraries may behave as in development.",
      "Set NODE_ENV=production."
    ),
    ...warningIf(
      production && apiDocs,
      "API_DOCS is true in production.",
      "Anybody may load the API's documentation and its scripts, 3 MB each time.",
      "Unset API_DOCS, unless you mean to publish the documentation."
    ),
    ...warningIf(
      production && trustedProxyHops === 0,
      "TRUSTED_PROXY_HOPS is 0 in production.",
      "The service speaks plain HTTP behind a proxy, and takes the proxy's address for every client's: one client's limits stop all of them.",
      "Set TRUSTED_PROXY_HOPS to the number of proxies before the service that write x-forwarded-for, mostly 1."
    ),
    ...warningIf(
      !portalOrigins.includes(portal.origin),
      `PROVIDER_PORTAL_ORIGINS does not have ${portal.origin}, the origin of PROVIDER_PORTAL_URL.`,
      "The portal that links point to may not call this service: browsers refuse its answers.",
      `Add ${portal.origin} to PROVIDER_PORTAL_ORIGINS.`
    ),
    ...errorIf(
      production && isLoopback(portal.hostname),
      "PROVIDER_PORTAL_URL names this machine.",
      "Secure links lead recipients to their own machine, where nothing answers.",
      "Set PROVIDER_PORTAL_URL to the portal's public address."
    ),
    ...warningIf(
      maxConnectionsPerAddress > maxConnections,
      "MAX_CONNECTIONS_PER_ADDRESS is higher than MAX_CONNECTIONS.",
      "One client address may take every connection.",
      "Lower MAX_CONNECTIONS_PER_ADDRESS, to a quarter of MAX_CONNECTIONS at most."
    )
  ]
})

const site = Effect.map(Settings, ({ portalOrigins, portalUrl, production, publicUrl }) => {
  const api = new URL(publicUrl).origin
  const onThisMachine = production && isLoopback(new URL(portalUrl).hostname)
  // A portal on this machine is wrong in any case, which `choices` says.
  const others = onThisMachine ? [] : portalOrigins.filter((origin) => !isSameSite(origin, api))
  return errorIf(
    others.length > 0,
    `The portal and the API are on two sites: ${others.join(", ")} and ${api}.`,
    "Browsers send the cookie of a provider's session only within one site, so each reload of a page signs the provider out.",
    "Give both names of one domain, such as portal.example.org and api.example.org, in PROVIDER_PORTAL_URL and OAUTH_ISSUER."
  )
})

const signing = Effect.gen(function*() {
  const { production, signing } = yield* Settings
  const renew = "Renew it, name its chain and key in ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY, and restart."
  if (signing === undefined) {
    return warningIf(
      production,
      new SigningNotConfigured().message,
      "Signing a release answers 503.",
      renew
    )
  }
  const now = yield* Clock.currentTimeMillis
  return yield* Effect.match(readSigningFiles(signing), {
    onFailure: ({ message }) => [refusal(message, renew)],
    onSuccess: (certificate) => {
      const validity = validityAt(certificate, now)
      if (validity === "good") return []
      const [finding, from] = validity === "ending" ? [warning, "From then on signing"] : [error, "Signing"]
      const meaning = `${from} a release answers 503; releases that were signed keep their seal.`
      return [finding(`${validitySentence(certificate, validity)}.`, meaning, renew)]
    }
  })
})

export const configurationChecks = [
  check(
    "choices",
    ["PROVIDER_PORTAL_URL", "PROVIDER_PORTAL_ORIGINS", "OAUTH_ISSUER"],
    Effect.zipWith(choices, site, (chosen, sites) => [...chosen, ...sites])
  ),
  check("signing certificate", ["ROI_SIGNING_CERTIFICATE", "ROI_SIGNING_KEY"], signing)
]
