import { Config, Context, Data, Effect, Layer, Option, Redacted } from "effect"
import { namesOf } from "../../domain/HostName.ts"
import { type Addresses, addresses, maxPublicUrl, publicUrlOf } from "./Addresses.ts"
import { bucketNames, bucketProblems, bucketSettings } from "./BucketSettings.ts"
import { readOperatorSecrets } from "./OperatorSecrets.ts"
import { isLoopback } from "./VariableRules.ts"
import { differing, host, type Name, type Values, variables } from "./Variables.ts"
import { vaProblems, vaSettings } from "./VaSettings.ts"

/** One line per wrong variable. A line names the variable and never holds its value. */
export class SettingsInvalid extends Data.TaggedError("SettingsInvalid")<{ readonly problems: ReadonlyArray<string> }> {
  override get message() {
    return this.problems.join("\n")
  }
}

/** Every environment variable of the service is read once at start (contract, part 2). */
export class Settings
  extends Context.Service<Settings, Effect.Success<typeof load>>()("vrss/services/platform/Settings")
{
  static readonly layer = Layer.effect(Settings, Effect.suspend(() => load))
}

const environments = ["development", "test", "staging", "production"] as const

type Environment = typeof environments[number]

/** OpenID Connect's client and issuer for the providers' sign-in with Google. */
export interface GoogleSettings {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly issuer: string
}

/** A variable that is set but empty counts as unset. */
export const variable = (name: string) =>
  Config.option(Config.String(name)).pipe(
    Effect.map(Option.getOrUndefined),
    Effect.map((value) => value === "" ? undefined : value),
    Effect.orElseSucceed(() => undefined)
  )

/** Returns the problems and the settings. Outside production a wrong variable counts as unset. */
export const readSettings = Effect.gen(function*() {
  const named = (yield* variable("APP_ENV")) ?? (yield* variable("NODE_ENV")) ?? "development"
  const known = environments.find((name) => name === named)
  const environment = known ?? "development"
  const texts = new Map<string, string>()
  for (const { name } of variables) {
    const value = yield* variable(name)
    if (value !== undefined) texts.set(name, value)
  }
  if (!texts.has("UPLOAD_URL")) { for (const name of bucketNames) texts.delete(name) }
  const { exposed, problems, values } = read(texts, environment)
  if (known === undefined) {
    problems.unshift(`APP_ENV (or NODE_ENV where it is unset) must be one of ${environments.join(", ")}`)
  }
  return { problems, settings: settings(environment, exposed, texts, values) }
})

const load = Effect.flatMap(
  readSettings,
  ({ problems, settings }) =>
    problems.length > 0 ? Effect.fail(new SettingsInvalid({ problems })) : Effect.succeed(settings)
)

type Texts = ReadonlyMap<string, string>

const read = (texts: Texts, environment: Environment) => {
  const production = environment === "production"
  const published = production || environment === "staging"
  const fallbackOf = <A>(variable: { readonly default: A; readonly publishedDefault?: string }) =>
    (published ? variable.publishedDefault : undefined) ?? variable.default
  const exposed = production || !isLoopback(texts.get("HOST") ?? fallbackOf(host))
  const problems: Array<string> = []
  const values = Object.fromEntries(variables.map(({ name, rule, secret, ...variable }) => {
    const value = texts.get(name)
    const fallback = fallbackOf(variable)
    const otherwise = fallback === undefined ? undefined : rule.parse(fallback, false)
    if (value === undefined) {
      if (production && variable.requiredInProduction !== undefined) {
        problems.push(`${name} ${variable.requiredInProduction}`)
      } else if (exposed && secret === true && variable.default !== undefined) {
        problems.push(`${name} is missing: it has no default where HOST is no loopback address`)
      }
      return [name, otherwise]
    }
    const strict = secret === true ? exposed : production
    const parsed = rule.parse(value, strict)
    if (parsed === undefined) problems.push(`${name} ${rule.says(strict)}`)
    return [name, parsed ?? otherwise]
  }))
  problems.push(...problemsTogether(texts, values as unknown as Values, { environment, exposed }))
  return { exposed, problems, values: values as unknown as Values }
}

/** These problems show only when variables are compared. */
const problemsTogether = (
  texts: Texts,
  { OAUTH_ISSUER, PORT, PORTAL_PORT, VETERAN_APP_PORT }: Values,
  { environment, exposed }: { readonly environment: Environment; readonly exposed: boolean }
) => {
  const production = environment === "production"
  const problems: Array<string> = []
  const has = (name: Name) => texts.has(name)
  const secrets = differing.flatMap((name) => {
    const text = texts.get(name)
    return text === undefined
      ? []
      : name === "INTERNAL_ADMIN_SECRET"
      ? readOperatorSecrets(text).map(({ secret }) => Redacted.value(secret))
      : [text]
  })
  if (exposed && new Set(secrets).size < secrets.length) {
    problems.push(`${differing.join(", ")} must all differ`)
  }
  if (publicUrlOf(OAUTH_ISSUER).length > maxPublicUrl) {
    problems.push(`OAUTH_ISSUER must have at most ${maxPublicUrl} characters before /api/oauth`)
  }
  if (has("PORTAL_PORT") && PORTAL_PORT > 0) {
    if (PORTAL_PORT === PORT) problems.push("PORTAL_PORT must differ from PORT")
    if (production) {
      problems.push("PORTAL_PORT is for development: in production a web server serves the portal's pages")
    }
  }
  if (has("VETERAN_APP_PORT") && VETERAN_APP_PORT > 0) {
    if ([PORT, PORTAL_PORT].includes(VETERAN_APP_PORT)) {
      problems.push("VETERAN_APP_PORT must differ from PORT and PORTAL_PORT")
    }
    if (production) {
      problems.push("VETERAN_APP_PORT is for development: in production a web server serves the app's pages")
    }
  }
  problems.push(...vaProblems(texts, { environment, exposed }))
  const google = (["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET", "GOOGLE_ISSUER"] as const).filter(has).length
  if (google !== 0 && google !== 3) {
    problems.push("GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET and GOOGLE_ISSUER must be set together or not at all")
  }
  if (has("ROI_SIGNING_CERTIFICATE") !== has("ROI_SIGNING_KEY")) {
    problems.push("ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY must be set together or not at all")
  }
  problems.push(...bucketProblems(has))
  const runtime = has("DATABASE_APP_URL") || has("DATABASE_URL")
  const owner = has("MIGRATION_DATABASE_URL") || has("DATABASE_URL")
  if (!runtime && (production || owner)) {
    problems.push("DATABASE_APP_URL (or DATABASE_URL) is missing: the runtime role's connection")
  }
  if (has("DATABASE_SESSION_URL") && !runtime) {
    problems.push("DATABASE_SESSION_URL needs DATABASE_APP_URL (or DATABASE_URL), which leads to the pooler")
  }
  if (!owner && runtime && !production) {
    problems.push("MIGRATION_DATABASE_URL (or DATABASE_URL) is missing: the owner role's connection")
  }
  return problems
}

/** All URLs by which something of the service is reached. HOST may be any address of 127.0.0.0/8. */
const configuredAddresses = (host: string, { portalOrigins, portalUrl, publicUrl, veteranApp }: Addresses) => [
  ...(host.startsWith("127.") ? [`http://${host}`] : []),
  publicUrl,
  portalUrl,
  ...portalOrigins,
  veteranApp.url,
  ...veteranApp.origins
]

const settings = (environment: Environment, exposed: boolean, texts: Texts, values: Values) => {
  const [development, production] = [environment === "development", environment === "production"]
  const at = addresses(development, texts, values)
  const { ROI_SIGNING_CERTIFICATE: certificateFile, ROI_SIGNING_KEY: keyFile } = values
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer } = values
  const google: GoogleSettings | undefined =
    clientId === undefined || clientSecret === undefined || issuer === undefined
      ? undefined
      : { clientId, clientSecret, issuer }
  return {
    environment,
    production,
    /** True in production, and if other machines reach the service. Weak and default secrets are then refused. */
    exposed,
    /** True in development if no variable configures a secret or a database. Secrets may then be made and shown. */
    firstStart: development &&
      variables.every(({ name, secret }) => !texts.has(name) || (secret !== true && !name.includes("DATABASE"))),
    port: values.PORT,
    host: values.HOST,
    /** The names that requests may be for, or undefined for any name. Published secrets protect nothing from a page. */
    answeredHosts: development && !exposed ? namesOf(configuredAddresses(values.HOST, at)) : undefined,
    /** Holds the stored files, or scratch files alone if there is a bucket. */
    uploadDirectory: values.UPLOAD_DIR,
    uploadBucket: bucketSettings(values),
    /** Share of the stored files, in percent, that a sweep may move to trash. */
    sweepLimitPercent: values.SWEEP_LIMIT_PERCENT,
    /** If a recipient saw a release that the veteran then deleted, it is kept for this many years after its end. */
    releaseRetentionYears: values.RELEASE_RETENTION_YEARS,
    /** Years for which an event of the account of disclosures can be read, or undefined for no limit. */
    disclosureRetentionYears: values.DISCLOSURE_RETENTION_YEARS,
    /** Days for which inactive items of a record are kept. */
    inactiveItemDays: values.INACTIVE_ITEM_DAYS,
    /** Limits for one veteran: bytes of sealed items, of uploads and of releases; numbers of entries and notes. */
    storageLimits: {
      record: values.RECORD_LIMIT_MB * 1024 * 1024,
      uploads: values.UPLOAD_LIMIT_MB * 1024 * 1024,
      releases: values.RELEASE_LIMIT_MB * 1024 * 1024,
      entries: values.ENTRY_LIMIT,
      notes: values.NOTE_LIMIT
    },
    database: {
      /** With undefined, the service runs the embedded PostgreSQL under `.data/postgres`. */
      runtimeUrl: values.DATABASE_APP_URL ?? values.DATABASE_URL,
      /** Leads past a pooler in transaction mode. With undefined, there is no such pooler. */
      sessionUrl: values.DATABASE_SESSION_URL,
      ownerUrl: values.MIGRATION_DATABASE_URL ?? values.DATABASE_URL,
      caCertificateFile: values.DATABASE_CA_CERT
    },
    sessionExchangeSecret: values.VETERAN_SESSION_EXCHANGE_SECRET,
    /** True if `sessionExchangeSecret` was made at the first start. Only then may it be printed. */
    sessionExchangeSecretMade: false,
    sessionExchangePerMinute: values.SESSION_EXCHANGE_PER_MINUTE,
    appSecret: values.APP_SECRET,
    providerJwtSecret: values.PROVIDER_JWT_SECRET,
    oauthJwtSecret: values.OAUTH_JWT_SECRET,
    identityAssertionSecret: values.IDENTITY_ASSERTION_SECRET,
    /** If true, a veteran gets a session only with an identity assertion by the app's backend. */
    requireIdentityAssertion: values.REQUIRE_IDENTITY_ASSERTION,
    operatorSecrets: values.INTERNAL_ADMIN_SECRET,
    webhookSecret: values.WEBHOOK_SECRET,
    /** With undefined, checkpoints are sent to nobody. */
    witnessUrl: values.WITNESS_URL,
    tokenEncryptionKeys: values.TOKEN_ENCRYPTION_KEY,
    ...at,
    ...vaSettings(texts, values, { development, exposed }, [values.PORT, at.portalPort, at.veteranApp.port]),
    /** Requests a minute that the sandbox's FHIR server answers, or 0 for no limit. */
    sandboxVaLimit: values.SANDBOX_VA_LIMIT,
    /** `operator`: an identity is paired by the operator's code alone. */
    veteranPairing: values.VETERAN_PAIRING,
    /** With undefined, providers sign in by password alone. */
    google,
    smtpUrl: values.SMTP_URL,
    /** PEM file of authorities that are trusted for the mail server, beside those that Node trusts. */
    smtpAuthorityFile: values.SMTP_CA_CERT,
    mailFrom: values.MAIL_FROM,
    adminEmail: values.ADMIN_EMAIL,
    /** If undefined: in production no release is signed; elsewhere PEM files are made at the first start. */
    signing: certificateFile === undefined || keyFile === undefined ? undefined : { certificateFile, keyFile },
    /** If undefined: in production no checkpoint of proofs is signed; elsewhere a key is made at the first start. */
    proofSigningKey: values.PROOF_SIGNING_KEY,
    proofDrainerSecret: values.PROOF_DRAINER_SECRET,
    /** How many large syncs one process runs at the same time, each with a child process and a connection. */
    syncsAtOnce: values.SYNCS_AT_ONCE,
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    maxConnections: values.MAX_CONNECTIONS,
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    /** In bytes. */
    memoryBudget: values.MEMORY_BUDGET_MIB * 1024 * 1024,
    apiDocs: values.API_DOCS,
    logFormat: values.LOG_FORMAT,
    /** With undefined, traces and logs go to no collector. */
    collector: values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? undefined : {
      url: values.OTEL_EXPORTER_OTLP_ENDPOINT,
      headers: values.OTEL_EXPORTER_OTLP_HEADERS,
      serviceName: values.OTEL_SERVICE_NAME,
      /** The share of traces that are sent, from 0 to 1. */
      share: values.OTEL_TRACES_SAMPLER_ARG
    }
  }
}
