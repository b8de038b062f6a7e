import { freePort } from "./Addresses.ts"
import { type Name, upstreamNames, type Values } from "./Variables.ts"

/** The VA: what the veteran's app asks it for, and how the service checks the identity that it proves. */
export interface VaSettings {
  /** The audience of id_tokens. */
  readonly clientId: string
  /** The exact `iss` of id_tokens. At the VA it is not the address that discovery is fetched from. */
  readonly issuer: string
  /** A JWKS: an address or the path of a file. */
  readonly keys: string
  readonly authorizationUrl: string
  readonly tokenUrl: string
  readonly fhirBase: string
  readonly scopes: string
  readonly resourceTypes: ReadonlyArray<string>
}

type Texts = ReadonlyMap<string, string>

/** The types of the sandbox's three people. */
const sandboxTypes = ["AllergyIntolerance", "Condition", "DiagnosticReport", "DocumentReference", "Encounter",
  "Immunization", "MedicationRequest", "Observation", "Patient", "Procedure", "Provenance"]

/** The sandbox VA on a port of this machine. Its issuer is not its address, as at the VA. */
const sandboxAt = (port: number): VaSettings => ({
  clientId: "sandbox-veteran-app",
  issuer: `http://localhost:${port}/okta`,
  keys: `http://localhost:${port}/oauth2/health/v1/keys`,
  authorizationUrl: `http://localhost:${port}/oauth2/health/v1/authorization`,
  tokenUrl: `http://localhost:${port}/oauth2/health/v1/token`,
  fhirBase: `http://localhost:${port}/services/fhir/v0/r4`,
  scopes: ["openid", "launch/patient", ...sandboxTypes.map((type) => `patient/${type}.read`)].join(" "),
  resourceTypes: sandboxTypes
})

/**
 * The VA as configured, with the sandbox's values for what is unset outside production. Without any of its variables,
 * the sandbox runs if the service is for development on this machine; elsewhere nobody signs in with the VA.
 */
export const vaSettings = (
  texts: Texts,
  values: Values,
  { development, exposed }: Record<"development" | "exposed", boolean>,
  taken: ReadonlyArray<number | undefined>
): { readonly va: VaSettings | undefined; readonly sandboxVaPort: number | undefined } => {
  const configured = upstreamNames.some((name) => texts.has(name))
  const runs = !configured && development && !exposed && values.SANDBOX_VA_PORT > 0
  if (!configured && !runs) return { va: undefined, sandboxVaPort: undefined }
  const port = freePort(values.SANDBOX_VA_PORT, texts.has("SANDBOX_VA_PORT"), taken)
  const sandbox = sandboxAt(port)
  return {
    sandboxVaPort: runs ? port : undefined,
    va: {
      clientId: values.VA_CLIENT_ID ?? sandbox.clientId,
      issuer: values.VA_ISSUER ?? sandbox.issuer,
      keys: values.VA_KEYS ?? sandbox.keys,
      authorizationUrl: values.VA_AUTHORIZATION_URL ?? sandbox.authorizationUrl,
      tokenUrl: values.VA_TOKEN_URL ?? sandbox.tokenUrl,
      fhirBase: values.VA_FHIR_BASE ?? sandbox.fhirBase,
      scopes: values.VA_SCOPES ?? sandbox.scopes,
      resourceTypes: values.VA_RESOURCE_TYPES ?? sandbox.resourceTypes
    }
  }
}

/** In production and staging the VA is configured whole, by https, or not at all. */
export const vaProblems = (
  texts: Texts,
  { environment, exposed }: { readonly environment: string; readonly exposed: boolean }
): ReadonlyArray<string> => {
  const has = (name: Name) => texts.has(name)
  const problems: Array<string> = []
  if (Number(texts.get("SANDBOX_VA_PORT") ?? 0) > 0 && (environment !== "development" || exposed)) {
    problems.push("SANDBOX_VA_PORT is for development on this machine alone: unset it")
  }
  if (environment !== "production" && environment !== "staging") return problems
  const all = [...upstreamNames, "VETERAN_APP_URL"] as const
  if (upstreamNames.some(has)) {
    const missing = all.filter((name) => !has(name))
    if (missing.length > 0) problems.push(`${missing.join(", ")} must be set if any of VA_* is set`)
  }
  // In production each variable's own rule says so.
  for (const name of environment === "staging" ? [...all, "VETERAN_APP_ORIGINS"] as const : []) {
    if (texts.get(name)?.split(",").some((one) => one.trim().startsWith("http:")) === true) {
      problems.push(`${name} must be an https address`)
    }
  }
  return problems
}
