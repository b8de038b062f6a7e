import { Effect } from "effect"
import { isIP } from "node:net"
import { Settings } from "../platform/Settings.ts"
import { isLoopback } from "../platform/VariableRules.ts"
import { upstreamNames } from "../platform/Variables.ts"
import { adviceIf, check, errorIf, warningIf } from "./Finding.ts"

/** The VA's own environment for trying out. Its accounts and their passwords are published. */
const trialHosts: ReadonlyArray<string> = ["sandbox-api.va.gov", "deptva-eval.okta.com"]

const isTrial = (address: string) => URL.canParse(address) && trialHosts.includes(new URL(address).hostname)

const addresses = Effect.map(Settings, ({ portalOrigins, production, va, veteranApp }) => {
  if (va === undefined) return []
  const app = new URL(veteranApp.url)
  const { authorizationUrl, fhirBase, issuer, keys, tokenUrl } = va
  const named = {
    VA_ISSUER: issuer,
    VA_AUTHORIZATION_URL: authorizationUrl,
    VA_TOKEN_URL: tokenUrl,
    VA_FHIR_BASE: fhirBase
  }
  const trials = [
    ...Object.entries(named).filter(([, address]) => isTrial(address) || isLoopback(new URL(address).hostname)),
    // A proxy on this machine may fetch the keys, and they may be a file.
    ...Object.entries({ VA_KEYS: keys }).filter(([, address]) => isTrial(address))
  ].map(([name]) => name)
  const shared = veteranApp.origins.filter((origin) => portalOrigins.includes(origin))
  return [
    ...errorIf(
      shared.length > 0,
      `${shared.join(", ")}: an origin of the veteran's app and of the portal.`,
      "Pages of one origin read each other's storage, so a fault in the portal would be one in the app, and may use its device key.",
      "Give the app an origin of its own, in VETERAN_APP_URL and VETERAN_APP_ORIGINS."
    ),
    ...errorIf(
      production && trials.length > 0,
      `${trials.join(", ")}: a sandbox's address in production.`,
      "Anybody may sign in at a sandbox as any of its people, whose accounts are published.",
      "Set all of VA_* to the addresses that the VA gave you for production."
    ),
    ...errorIf(
      !veteranApp.origins.includes(app.origin),
      `VETERAN_APP_ORIGINS does not have ${app.origin}, the origin of VETERAN_APP_URL.`,
      "The app may not call this service: browsers refuse its answers.",
      `Add ${app.origin} to VETERAN_APP_ORIGINS.`
    ),
    ...errorIf(
      app.pathname !== "/",
      "VETERAN_APP_URL has a path.",
      "The app stands at its origin's root, and the VA sends veterans back there. Desk codes lead to the path.",
      "Give the app an origin without a path, and set VETERAN_APP_URL to it."
    ),
    ...errorIf(
      production && isLoopback(app.hostname),
      "VETERAN_APP_URL names this machine.",
      "Providers' desk codes lead veterans to their own machine, where nothing answers.",
      "Set VETERAN_APP_URL to the app's public address."
    ),
    ...warningIf(
      isIP(app.hostname.replace(/^\[|\]$/g, "")) !== 0 && !(production && isLoopback(app.hostname)),
      "VETERAN_APP_URL has an IP address instead of a name.",
      "Browsers bind passkeys to a name and make none for an IP address (Web Authentication, 5.1.3).",
      "Give the app a name, such as app.example.org, and set VETERAN_APP_URL to it."
    )
  ]
})

const choices = Effect.map(
  Settings,
  ({ production, requireIdentityAssertion, va, veteranPairing }) =>
    va === undefined || !production ? [] : [
      ...adviceIf(
        !requireIdentityAssertion,
        "REQUIRE_IDENTITY_ASSERTION is false.",
        "The session exchange still opens any record to a client that has VETERAN_SESSION_EXCHANGE_SECRET. The veteran's app never uses it.",
        "Set REQUIRE_IDENTITY_ASSERTION=true, unless another client of yours signs veterans in by that secret alone."
      ),
      ...adviceIf(
        veteranPairing === "mail",
        "VETERAN_PAIRING is mail.",
        "A mailed code does not hold against a stolen mailbox of a veteran who is not paired yet, or against a veteran who is talked into reading the code out on the phone.",
        "Set VETERAN_PAIRING=operator where you enrol people in person. Then only codes that you hand over pair an account."
      )
    ]
)

export const veteranAppChecks = [
  check("veteran's app", [...upstreamNames, "VETERAN_APP_URL", "VETERAN_APP_ORIGINS"], addresses),
  check("enrolment of veterans", ["VETERAN_PAIRING"], choices)
]
