import { Config, Context, Data, Effect, Layer, Option, type Redacted } from "effect"
import { addresses } from "./Addresses.ts"
import { isLoopback } from "./VariableRules.ts"
import { differing, host, type Name, type Values, variables } from "./Variables.ts"

/** One line per wrong variable; a line names the variable and never holds its value. */
export class SettingsInvalid extends Data.TaggedError("SettingsInvalid")<{ readonly problems: ReadonlyArray<string> }> {
  override get message() {
    return this.problems.join("\n")
  }
}

/** Every environment variable of the service is read once at start (contract, part 2). */
export class Settings extends Context.Service<Settings, Effect.Success<typeof load>>()("vrss/Settings") {
  static readonly layer = Layer.effect(Settings, Effect.suspend(() => load))
}

const environments = ["development", "test", "staging", "production"] as const

type Environment = typeof environments[number]

/** Where providers may sign in with Google: OpenID Connect's client and issuer. */
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

/** Answers what is wrong, and the settings as far as they are right: a wrong variable counts as unset outside production. */
export const readSettings = Effect.gen(function*() {
  const named = (yield* variable("APP_ENV")) ?? (yield* variable("NODE_ENV")) ?? "development"
  const found = environments.find((name) => name === named)
  const environment = found ?? "development"
  const given = new Map<string, string>()
  for (const { name } of variables) {
    const value = yield* variable(name)
    if (value !== undefined) given.set(name, value)
  }
  const { exposed, problems, values } = read(given, environment)
  if (found === undefined) {
    problems.unshift(`APP_ENV (or NODE_ENV where it is unset) must be one of ${environments.join(", ")}`)
  }
  return { problems, settings: settings(environment, exposed, given, values) }
})

const load = Effect.flatMap(
  readSettings,
  ({ problems, settings }) =>
    problems.length > 0 ? Effect.fail(new SettingsInvalid({ problems })) : Effect.succeed(settings)
)

type Given = ReadonlyMap<string, string>

const read = (given: Given, environment: Environment) => {
  const production = environment === "production"
  const published = production || environment === "staging"
  const fallbackOf = <A>(variable: { readonly default: A; readonly publishedDefault?: string }) =>
    (published ? variable.publishedDefault : undefined) ?? variable.default
  const exposed = production || !isLoopback(given.get("HOST") ?? fallbackOf(host))
  const problems: Array<string> = []
  const values = Object.fromEntries(variables.map(({ name, rule, secret, ...variable }) => {
    const value = given.get(name)
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
  problems.push(...problemsTogether(given, values as unknown as Values, { production, exposed }))
  return { exposed, problems, values: values as unknown as Values }
}

/** Some variables are wrong only beside others. */
const problemsTogether = (
  given: Given,
  { PORT, PORTAL_PORT }: Values,
  { exposed, production }: Record<"exposed" | "production", boolean>
) => {
  const problems: Array<string> = []
  const has = (name: Name) => given.has(name)
  const differingGiven = differing.flatMap((name) => given.get(name) ?? [])
  if (exposed && new Set(differingGiven).size < differingGiven.length) {
    problems.push(`${differing.join(", ")} must all differ`)
  }
  if (has("PORTAL_PORT") && PORTAL_PORT > 0) {
    if (PORTAL_PORT === PORT) problems.push("PORTAL_PORT must differ from PORT")
    if (production) {
      problems.push("PORTAL_PORT is for development: in production a web server serves the portal's pages")
    }
  }
  const google = (["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET", "GOOGLE_ISSUER"] as const).filter(has).length
  if (google !== 0 && google !== 3) {
    problems.push("GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET and GOOGLE_ISSUER must be set together or not at all")
  }
  if (has("ROI_SIGNING_CERTIFICATE") !== has("ROI_SIGNING_KEY")) {
    problems.push("ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY must be set together or not at all")
  }
  const runtime = has("DATABASE_APP_URL") || has("DATABASE_URL")
  const owner = has("MIGRATION_DATABASE_URL") || has("DATABASE_URL")
  if (!runtime && (production || owner)) {
    problems.push("DATABASE_APP_URL (or DATABASE_URL) is missing: the runtime role's connection")
  }
  if (!owner && runtime && !production) {
    problems.push("MIGRATION_DATABASE_URL (or DATABASE_URL) is missing: the owner role's connection")
  }
  return problems
}

const settings = (environment: Environment, exposed: boolean, given: Given, values: Values) => {
  const production = environment === "production"
  const { ROI_SIGNING_CERTIFICATE: certificateFile, ROI_SIGNING_KEY: keyFile } = values
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer } = values
  const google: GoogleSettings | undefined =
    clientId === undefined || clientSecret === undefined || issuer === undefined
      ? undefined
      : { clientId, clientSecret, issuer }
  return {
    environment,
    production,
    /** True in production, and wherever others than this machine reach the service: then all that is secret is real. */
    exposed,
    /** True in development while neither a secret nor a database is configured: what is missing may be made and shown. */
    firstStart: environment === "development" &&
      variables.every(({ name, secret }) => !given.has(name) || (secret !== true && !name.includes("DATABASE"))),
    port: values.PORT,
    host: values.HOST,
    uploadDirectory: values.UPLOAD_DIR,
    /** So much of the stored files may be moved to trash at once. */
    sweepLimitPercent: values.SWEEP_LIMIT_PERCENT,
    /** For so long from its end a release is kept that a recipient was shown and the veteran deleted. */
    releaseRetentionYears: values.RELEASE_RETENTION_YEARS,
    /** For so long an event of the account of disclosures can be read; undefined: for ever. */
    disclosureRetentionYears: values.DISCLOSURE_RETENTION_YEARS,
    /** Inactive items of a record are kept for this many days. */
    inactiveItemDays: values.INACTIVE_ITEM_DAYS,
    /** So much is kept for one veteran: bytes of items, sealed, of uploads and of releases; entries, notes. */
    storageLimits: {
      record: values.RECORD_LIMIT_MB * 1024 * 1024,
      uploads: values.UPLOAD_LIMIT_MB * 1024 * 1024,
      releases: values.RELEASE_LIMIT_MB * 1024 * 1024,
      entries: values.ENTRY_LIMIT,
      notes: values.NOTE_LIMIT
    },
    database: {
      /** Undefined stands for the embedded PostgreSQL under `.data/postgres`. */
      runtimeUrl: values.DATABASE_APP_URL ?? values.DATABASE_URL,
      ownerUrl: values.MIGRATION_DATABASE_URL ?? values.DATABASE_URL,
      caCertificateFile: values.DATABASE_CA_CERT
    },
    sessionExchangeSecret: values.VETERAN_SESSION_EXCHANGE_SECRET,
    /** True when it was made at first start: then it may be printed. */
    sessionExchangeSecretMade: false,
    appSecret: values.APP_SECRET,
    providerJwtSecret: values.PROVIDER_JWT_SECRET,
    oauthJwtSecret: values.OAUTH_JWT_SECRET,
    identityAssertionSecret: values.IDENTITY_ASSERTION_SECRET,
    /** True: a session is exchanged only for somebody whom the app's backend vouches for. */
    requireIdentityAssertion: values.REQUIRE_IDENTITY_ASSERTION,
    internalAdminSecret: values.INTERNAL_ADMIN_SECRET,
    webhookSecret: values.WEBHOOK_SECRET,
    /** Undefined: nobody is told of checkpoints. */
    witnessUrl: values.WITNESS_URL,
    tokenEncryptionKeys: values.TOKEN_ENCRYPTION_KEY,
    ...addresses(environment === "development", given, values),
    /** Undefined: providers sign in by password alone. */
    google,
    smtpUrl: values.SMTP_URL,
    /** PEM; trusted for the mail server beside the authorities that Node trusts. */
    smtpAuthorityFile: values.SMTP_CA_CERT,
    mailFrom: values.MAIL_FROM,
    adminEmail: values.ADMIN_EMAIL,
    /** Undefined outside production: PEM files are made at first start; in production no release is signed then. */
    signing: certificateFile === undefined || keyFile === undefined ? undefined : { certificateFile, keyFile },
    /** Undefined outside production: it is made at first start; in production nothing is drained then. */
    proofSigningKey: values.PROOF_SIGNING_KEY,
    proofDrainerSecret: values.PROOF_DRAINER_SECRET,
    /** So many large syncs are under way in one process, each with a child process and a connection. */
    syncsAtOnce: values.SYNCS_AT_ONCE,
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    maxConnections: values.MAX_CONNECTIONS,
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    /** In bytes. */
    memoryBudget: values.MEMORY_BUDGET_MIB * 1024 * 1024,
    apiDocs: values.API_DOCS,
    logFormat: values.LOG_FORMAT,
    /** Undefined where no collector takes traces and logs. */
    collector: values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? undefined : {
      url: values.OTEL_EXPORTER_OTLP_ENDPOINT,
      headers: values.OTEL_EXPORTER_OTLP_HEADERS,
      serviceName: values.OTEL_SERVICE_NAME,
      /** So many of 1 traces are sent. */
      share: values.OTEL_TRACES_SAMPLER_ARG
    }
  }
}
