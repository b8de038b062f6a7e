import { operatorSecrets } from "./OperatorSecrets.ts"
import { bucketUrl, region, storeEndpoint } from "./UploadUrl.ts"
import {
  authorizationServer,
  collector,
  developmentKeyring,
  developmentSecret,
  emailAddress,
  folder,
  headerList,
  integer,
  issuer,
  keyring,
  keySource,
  mailServer,
  noteSigningKey,
  oneOf,
  onlyFalse,
  onOrOff,
  origins,
  portal,
  postgresUrl,
  resourceTypes,
  type Rule,
  scopes,
  secretText,
  sender,
  share,
  sharedSecret,
  strongSecret,
  text,
  webUrl
} from "./VariableRules.ts"

/** An environment variable of the service (contract, part 2; docs/operator.md describes each to the operator). */
interface Variable<Name extends string, A, Default extends string | undefined> {
  readonly name: Name
  readonly rule: Rule<A>
  /** The text that replaces an unset variable outside production; for a secret, only if HOST is a loopback address. */
  readonly default: Default
  /** Replaces the default in production and staging, where other machines reach the service. */
  readonly publishedDefault?: string
  /** The text after the name in the error if the service starts in production without the variable. */
  readonly requiredInProduction?: string
  readonly secret?: true
}

const define = <const Name extends string, A, Default extends string | undefined>(
  variable: Variable<Name, A, Default>
) => variable

const noDefault = "is missing: production has no default for it"

const ownSecretBy = <const Name extends string, A>(name: Name, rule: Rule<A>) =>
  define({ name, rule, default: developmentSecret(name), requiredInProduction: noDefault, secret: true })

const ownSecret = <const Name extends string>(name: Name) => ownSecretBy(name, strongSecret(name))

const optional = <const Name extends string>(name: Name) => define({ name, rule: text, default: undefined })

const database = <const Name extends string>(name: Name) =>
  define({ name, rule: postgresUrl, default: undefined, secret: true })

/** Whenever they must be real, these secrets and the secret shared with the mobile client must all differ. */
const ownSecrets = [
  ownSecret("APP_SECRET"),
  ownSecret("PROVIDER_JWT_SECRET"),
  ownSecret("OAUTH_JWT_SECRET"),
  ownSecret("IDENTITY_ASSERTION_SECRET"),
  ownSecret("WEBHOOK_SECRET"),
  ownSecret("PROOF_DRAINER_SECRET"),
  ownSecretBy("INTERNAL_ADMIN_SECRET", operatorSecrets)
]

const exchangeSecret = define({
  name: "VETERAN_SESSION_EXCHANGE_SECRET",
  rule: sharedSecret,
  default: undefined,
  requiredInProduction: "is missing",
  secret: true
})

export const differing = [...ownSecrets, exchangeSecret].map(({ name }) => name)

export const host = define({ name: "HOST", rule: text, default: "127.0.0.1", publishedDefault: "0.0.0.0" })

/** What the veteran's app asks of the VA, and how its answer is checked. In production: all of them, or none. */
const upstream = [
  optional("VA_CLIENT_ID"),
  define({ name: "VA_ISSUER", rule: issuer, default: undefined }),
  define({ name: "VA_KEYS", rule: keySource, default: undefined }),
  define({ name: "VA_AUTHORIZATION_URL", rule: issuer, default: undefined }),
  define({ name: "VA_TOKEN_URL", rule: issuer, default: undefined }),
  define({ name: "VA_FHIR_BASE", rule: issuer, default: undefined }),
  define({ name: "VA_SCOPES", rule: scopes, default: undefined }),
  define({ name: "VA_RESOURCE_TYPES", rule: resourceTypes, default: undefined })
]

export const upstreamNames = upstream.map(({ name }) => name)

export const variables = [
  define({ name: "PORT", rule: integer(0, 65_535, "port number"), default: "8080" }),
  host,
  database("DATABASE_APP_URL"),
  database("DATABASE_SESSION_URL"),
  database("MIGRATION_DATABASE_URL"),
  database("DATABASE_URL"),
  optional("DATABASE_CA_CERT"),
  define({ name: "UPLOAD_DIR", rule: folder, default: ".data/uploads", requiredInProduction: noDefault }),
  define({ name: "UPLOAD_URL", rule: bucketUrl, default: undefined }),
  define({ name: "AWS_ENDPOINT_URL_S3", rule: storeEndpoint, default: undefined }),
  define({ name: "AWS_REGION", rule: region, default: undefined }),
  define({ name: "AWS_ACCESS_KEY_ID", rule: secretText, default: undefined, secret: true }),
  define({ name: "AWS_SECRET_ACCESS_KEY", rule: secretText, default: undefined, secret: true }),
  define({ name: "AWS_SESSION_TOKEN", rule: secretText, default: undefined, secret: true }),
  define({ name: "SWEEP_LIMIT_PERCENT", rule: integer(0, 100, "whole number"), default: "5" }),
  // The law requires at least six years, and so does the database (app.may_forget).
  define({ name: "RELEASE_RETENTION_YEARS", rule: integer(6, 100, "whole number"), default: "6" }),
  // Without a value, disclosures are kept for ever. The database removes none before six years (app.sweep).
  define({ name: "DISCLOSURE_RETENTION_YEARS", rule: integer(6, 100, "whole number"), default: undefined }),
  define({ name: "UPLOAD_LIMIT_MB", rule: integer(1, 999_999, "whole number"), default: "2048" }),
  define({ name: "RELEASE_LIMIT_MB", rule: integer(1, 999_999, "whole number"), default: "4096" }),
  define({ name: "RECORD_LIMIT_MB", rule: integer(1, 999_999, "whole number"), default: "1024" }),
  // The database keeps an inactive item for at least a day (app.sweep_inactive_items).
  define({ name: "INACTIVE_ITEM_DAYS", rule: integer(1, 36_500, "whole number"), default: "90" }),
  define({ name: "ENTRY_LIMIT", rule: integer(1, 999_999, "whole number"), default: "10000" }),
  define({ name: "NOTE_LIMIT", rule: integer(1, 999_999, "whole number"), default: "10000" }),
  ...ownSecrets,
  exchangeSecret,
  define({
    name: "TOKEN_ENCRYPTION_KEY",
    rule: keyring,
    default: developmentKeyring,
    requiredInProduction: noDefault,
    secret: true
  }),
  define({
    name: "OAUTH_ISSUER",
    rule: authorizationServer,
    default: "http://localhost:8080/api/oauth",
    requiredInProduction: noDefault
  }),
  define({ name: "REQUIRE_IDENTITY_ASSERTION", rule: onOrOff, default: "false" }),
  define({
    name: "PROVIDER_PORTAL_URL",
    rule: portal,
    default: "http://localhost:8081",
    requiredInProduction: noDefault
  }),
  define({
    name: "PORTAL_PORT",
    rule: integer(0, 65_535, "port number"),
    default: "8081",
    publishedDefault: "0"
  }),
  define({ name: "PROVIDER_PORTAL_ORIGINS", rule: origins, default: undefined }),
  define({ name: "SMTP_URL", rule: mailServer, default: undefined, requiredInProduction: noDefault, secret: true }),
  optional("SMTP_CA_CERT"),
  define({ name: "MAIL_FROM", rule: sender, default: "no-reply@localhost", requiredInProduction: noDefault }),
  define({ name: "ADMIN_EMAIL", rule: emailAddress, default: "admin@localhost", requiredInProduction: noDefault }),
  define({ name: "VETERAN_APP_URL", rule: portal, default: "http://localhost:8082" }),
  define({ name: "VETERAN_APP_ORIGINS", rule: origins, default: undefined }),
  define({
    name: "VETERAN_APP_PORT",
    rule: integer(0, 65_535, "port number"),
    default: "8082",
    publishedDefault: "0"
  }),
  ...upstream,
  define({ name: "VETERAN_PAIRING", rule: oneOf("mail", "operator"), default: "mail" }),
  define({
    name: "SANDBOX_VA_PORT",
    rule: integer(0, 65_535, "port number"),
    default: "8083",
    publishedDefault: "0"
  }),
  define({ name: "SANDBOX_VA_LIMIT", rule: integer(0, 100_000, "whole number"), default: "0" }),
  optional("GOOGLE_CLIENT_ID"),
  define({ name: "GOOGLE_CLIENT_SECRET", rule: secretText, default: undefined, secret: true }),
  define({ name: "GOOGLE_ISSUER", rule: issuer, default: undefined }),
  define({ name: "SYNCS_AT_ONCE", rule: integer(1, 32, "whole number"), default: "2" }),
  // Each exchange of the last minute is a row, and each further one reads them all.
  define({ name: "SESSION_EXCHANGE_PER_MINUTE", rule: integer(1, 10_000, "whole number"), default: "20" }),
  define({ name: "TRUSTED_PROXY_HOPS", rule: integer(0, 10, "whole number"), default: "0" }),
  define({ name: "MAX_CONNECTIONS", rule: integer(1, 100_000, "whole number"), default: "4000" }),
  define({ name: "MAX_CONNECTIONS_PER_ADDRESS", rule: integer(1, 100_000, "whole number"), default: "1000" }),
  // Large bodies may use three quarters of the budget, but each must leave as much free as it takes (ByteBudget.ts).
  // The largest body has 64 MiB. So the default (192 MiB usable) holds two of them, and the minimum (132 MiB) one.
  define({ name: "MEMORY_BUDGET_MIB", rule: integer(176, 65_536, "number of MiB"), default: "256" }),
  define({ name: "API_DOCS", rule: onOrOff, default: "true", publishedDefault: "false" }),
  define({ name: "LOG_FORMAT", rule: oneOf("json", "text"), default: "text", publishedDefault: "json" }),
  define({ name: "OTEL_EXPORTER_OTLP_ENDPOINT", rule: collector, default: undefined }),
  define({ name: "OTEL_EXPORTER_OTLP_HEADERS", rule: headerList, default: undefined, secret: true }),
  define({ name: "OTEL_SERVICE_NAME", rule: text, default: "vrss" }),
  define({ name: "OTEL_TRACES_SAMPLER_ARG", rule: share, default: "1" }),
  optional("ROI_SIGNING_CERTIFICATE"),
  optional("ROI_SIGNING_KEY"),
  define({ name: "PROOF_SIGNING_KEY", rule: noteSigningKey, default: undefined, secret: true }),
  define({ name: "WITNESS_URL", rule: webUrl, default: undefined }),
  define({ name: "ALLOW_LEGACY_HEADER_AUTH", rule: onlyFalse, default: "false" })
]

type Defined = typeof variables[number]

export type Name = Defined["name"]

/** The value of each variable: as it was set, or its default. */
export type Values = {
  readonly [V in Defined as V["name"]]: V extends Variable<string, infer A, infer Default>
    ? Default extends string ? A : A | undefined
    : never
}
