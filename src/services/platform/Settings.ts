import { Config, Context, Data, Effect, Layer, Option, Redacted, Schema } from "effect"
import { randomBytes } from "node:crypto"

export interface Key {
  readonly id: string
  readonly bytes: Redacted.Redacted<Buffer>
}

/** One line per wrong variable; a line names the variable and never holds its value. */
export class SettingsInvalid extends Data.TaggedError("SettingsInvalid")<{ readonly problems: ReadonlyArray<string> }> {
  override get message() {
    return this.problems.join("\n")
  }
}

/** Every environment variable of the service, read once at start (contract, part 2). */
export class Settings extends Context.Service<Settings, Effect.Success<typeof load>>()("vrss/Settings") {
  static readonly layer = Layer.effect(Settings, Effect.suspend(() => load))
}

const secretNames = [
  "APP_SECRET",
  "PROVIDER_JWT_SECRET",
  "OAUTH_JWT_SECRET",
  "IDENTITY_ASSERTION_SECRET",
  "WEBHOOK_SECRET",
  "PROOF_DRAINER_SECRET",
  "INTERNAL_ADMIN_SECRET"
] as const

const otherNames = ["PORT", "HOST", "UPLOAD_DIR", "DATABASE_APP_URL", "DATABASE_URL", "MIGRATION_DATABASE_URL",
  "DATABASE_CA_CERT", "VETERAN_SESSION_EXCHANGE_SECRET", "OAUTH_ISSUER", "TOKEN_ENCRYPTION_KEY", "PROVIDER_PORTAL_URL",
  "PROVIDER_PORTAL_ORIGINS", "ALLOW_LEGACY_HEADER_AUTH", "SMTP_URL", "MAIL_FROM", "ADMIN_EMAIL", "GOOGLE_CLIENT_ID",
  "GOOGLE_CLIENT_SECRET", "GOOGLE_ISSUER", "TRUSTED_PROXY_HOPS", "ROI_SIGNING_CERTIFICATE", "ROI_SIGNING_KEY"] as const

type Name = typeof secretNames[number] | typeof otherNames[number]

const environmentNames = ["development", "test", "staging", "production"] as const

/** Set but empty counts as unset. */
export const variable = (name: string) =>
  Config.option(Config.String(name)).pipe(
    Effect.map(Option.getOrUndefined),
    Effect.map((value) => value === "" ? undefined : value),
    Effect.orElseSucceed(() => undefined)
  )

const load = Effect.gen(function*() {
  const problems: Array<string> = []
  const named = (yield* variable("APP_ENV")) ?? (yield* variable("NODE_ENV")) ?? "development"
  const environment = environmentNames.find((name) => name === named)
  if (environment === undefined) {
    problems.push(`APP_ENV (or NODE_ENV where it is unset) must be one of ${environmentNames.join(", ")}`)
  }
  const production = environment === "production"
  const values = new Map<Name, string>()
  for (const name of [...secretNames, ...otherNames]) {
    const value = yield* variable(name)
    if (value !== undefined) values.set(name, value)
  }

  const optional = <A>(name: Name, rule: string, parse: (value: string) => A | undefined): A | undefined => {
    const value = values.get(name)
    if (value === undefined) return undefined
    const parsed = parse(value)
    if (parsed === undefined) problems.push(`${name} ${rule}`)
    return parsed
  }
  const required = <A>(name: Name, fallback: A, rule: string, parse: (value: string) => A | undefined): A => {
    if (production && !values.has(name)) problems.push(`${name} is missing: production has no default for it`)
    return optional(name, rule, parse) ?? fallback
  }
  const secret = (name: typeof secretNames[number]) =>
    Redacted.make(
      required(name, developmentSecret(name), "must hold at least 32 bytes and not be the development value", (value) =>
        Buffer.byteLength(value) < 32 || (production && value === developmentSecret(name)) ? undefined : value),
      { label: name }
    )

  const secrets = Object.fromEntries(secretNames.map((name) => [name, secret(name)])) as Record<
    typeof secretNames[number],
    Redacted.Redacted
  >
  if (production) {
    const names = [...secretNames, "VETERAN_SESSION_EXCHANGE_SECRET"] as const
    const used = names.flatMap((name) => values.get(name) ?? [])
    if (new Set(used).size < used.length) problems.push(`${names.join(", ")} must all differ`)
  }

  const exchange = values.get("VETERAN_SESSION_EXCHANGE_SECRET") ??
    (production || values.size > 0 ? undefined : randomBytes(24).toString("base64url"))
  if (production && exchange === undefined) problems.push("VETERAN_SESSION_EXCHANGE_SECRET is missing")

  const schemes = production ? ["https:"] : ["https:", "http:"]
  const web = production ? "https" : "http or https"
  const portalUrl = required(
    "PROVIDER_PORTAL_URL",
    "http://localhost:8081",
    `must be an ${web} URL without query or fragment`,
    portal(schemes)
  )
  const smtpUrl = required("SMTP_URL", undefined, "must be an smtp:// or smtps:// URL", url(["smtp:", "smtps:"]))
  const google = {
    clientId: values.get("GOOGLE_CLIENT_ID"),
    clientSecret: values.get("GOOGLE_CLIENT_SECRET"),
    issuer: values.get("GOOGLE_ISSUER")
  }
  const googleGiven = Object.values(google).filter((value) => value !== undefined).length
  if (googleGiven !== 0 && googleGiven !== 3) {
    problems.push("GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET and GOOGLE_ISSUER must be set together or not at all")
  }
  const signing = {
    certificateFile: values.get("ROI_SIGNING_CERTIFICATE"),
    keyFile: values.get("ROI_SIGNING_KEY")
  }
  if ((signing.certificateFile === undefined) !== (signing.keyFile === undefined)) {
    problems.push("ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY must be set together or not at all")
  }
  optional(
    "ALLOW_LEGACY_HEADER_AUTH",
    "must be 'false': legacy header authentication is gone",
    (value) => value === "false" ? value : undefined
  )

  const database = (value: string) => isPostgresUrl(value) ? value : undefined
  const databaseRule = "must be a postgres:// URL, with % encoding where a password has special characters"
  const shared = optional("DATABASE_URL", databaseRule, database)
  const runtimeUrl = optional("DATABASE_APP_URL", databaseRule, database) ?? shared
  const ownerUrl = optional("MIGRATION_DATABASE_URL", databaseRule, database) ?? shared
  const given = (name: Name) => values.has(name) || values.has("DATABASE_URL")
  if (!given("DATABASE_APP_URL") && (production || given("MIGRATION_DATABASE_URL"))) {
    problems.push("DATABASE_APP_URL (or DATABASE_URL) is missing: the runtime role's connection")
  }
  if (!given("MIGRATION_DATABASE_URL") && given("DATABASE_APP_URL") && !production) {
    problems.push("MIGRATION_DATABASE_URL (or DATABASE_URL) is missing: the owner role's connection")
  }

  const settings = {
    environment: environment ?? "development",
    production,
    port: optional("PORT", "must be a port number from 0 to 65535", integer(0, 65_535)) ?? 8080,
    /** Without published secrets the service is for this machine alone. */
    host: values.get("HOST") ?? (production || environment === "staging" ? "0.0.0.0" : "127.0.0.1"),
    uploadDirectory: required("UPLOAD_DIR", ".data/uploads", "must be a folder", (value) => value),
    database: {
      /** Undefined: the embedded PostgreSQL under `.data/postgres`. */
      runtimeUrl: runtimeUrl === undefined ? undefined : Redacted.make(runtimeUrl),
      ownerUrl: ownerUrl === undefined ? undefined : Redacted.make(ownerUrl),
      caCertificateFile: values.get("DATABASE_CA_CERT")
    },
    sessionExchangeSecret: exchange === undefined ? undefined : Redacted.make(exchange),
    /** Made at this start because nothing is configured: it may be printed. */
    sessionExchangeSecretMade: exchange !== undefined && !values.has("VETERAN_SESSION_EXCHANGE_SECRET"),
    appSecret: secrets.APP_SECRET,
    providerJwtSecret: secrets.PROVIDER_JWT_SECRET,
    internalAdminSecret: secrets.INTERNAL_ADMIN_SECRET,
    tokenEncryptionKeys: required(
      "TOKEN_ENCRYPTION_KEY",
      developmentKeys,
      "must be keyId:base64(32 bytes), comma-separated, with different key ids and no development key",
      (value) => keyring(value, production)
    ),
    portalUrl,
    portalOrigins: optional("PROVIDER_PORTAL_ORIGINS", `must be ${web} origins, comma-separated`, origins(schemes)) ??
      [new URL(portalUrl).origin],
    smtpUrl: smtpUrl === undefined ? undefined : Redacted.make(smtpUrl),
    mailFrom: required("MAIL_FROM", "no-reply@localhost", "must be an e-mail address", emailAddress),
    adminEmail: required("ADMIN_EMAIL", "admin@localhost", "must be an e-mail address", emailAddress),
    /** PEM files; undefined: made at first start, and in production no release is signed. */
    signing: signing.certificateFile === undefined || signing.keyFile === undefined
      ? undefined
      : { certificateFile: signing.certificateFile, keyFile: signing.keyFile },
    trustedProxyHops: optional("TRUSTED_PROXY_HOPS", "must be a whole number from 0 to 10", integer(0, 10)) ?? 0
  }
  required("OAUTH_ISSUER", "http://localhost:8080", `must be an ${web} URL`, url(schemes))
  return problems.length > 0 ? yield* new SettingsInvalid({ problems }) : settings
})

const developmentSecret = (name: string) => `development only, never in production: ${name}`

const developmentKey = Buffer.from("development only encryption key!")

const developmentKeys: ReadonlyArray<Key> = [{ id: "development", bytes: Redacted.make(developmentKey) }]

const keyring = (value: string, production: boolean): ReadonlyArray<Key> | undefined => {
  const keys = value.split(",").map((entry) => {
    const [, id, base64] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43}=?)$/.exec(entry.trim()) ?? []
    const bytes = Buffer.from(base64 ?? "", "base64")
    const refused = bytes.length !== 32 || (production && bytes.equals(developmentKey))
    return id === undefined || refused ? undefined : { id, bytes: Redacted.make(bytes, { label: id }) }
  }).filter((key) => key !== undefined)
  return keys.length === value.split(",").length && new Set(keys.map((key) => key.id)).size === keys.length
    ? keys
    : undefined
}

const integer = (from: number, to: number) => (value: string) => {
  const number = /^\d{1,6}$/.test(value) ? Number(value) : NaN
  return number >= from && number <= to ? number : undefined
}

const url = (protocols: ReadonlyArray<string>) => (value: string) =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value : undefined

/** A URL whose parts can be decoded: a `%` in a password must be written `%25`. */
export const isPostgresUrl = (value: string) => {
  try {
    decodeURIComponent(value)
    return url(["postgres:", "postgresql:"])(value) !== undefined
  } catch {
    return false
  }
}

const portal = (schemes: ReadonlyArray<string>) => (value: string) => {
  if (url(schemes)(value) === undefined || /[?#]/.test(value)) return undefined
  return value.replace(/\/+$/, "")
}

const origins = (schemes: ReadonlyArray<string>) => (value: string) => {
  const all = value.split(",").map((origin) => origin.trim())
  return all.every((origin) => url(schemes)(origin) !== undefined && new URL(origin).origin === origin)
    ? all
    : undefined
}

const emailAddress = (value: string) =>
  Schema.is(Schema.String.check(Schema.isPattern(/^[^\s@<>]+@[^\s@<>]+$/)))(value) ? value : undefined
