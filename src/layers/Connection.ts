import { Data, Effect, Redacted } from "effect"
import { readFileSync } from "node:fs"
import type { ConnectionOptions } from "node:tls"
import { variable } from "../services/platform/Settings.ts"
import { isPostgresUrl } from "../services/platform/VariableRules.ts"

/** Connection parameters, under the names that the `pg` driver uses. */
export interface Connection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: Redacted.Redacted
  readonly database: string
  readonly ssl: false | ConnectionOptions
}

/**
 * The server's certificate is verified in three cases: in production, if a CA certificate is given, or if the URL has
 * `sslmode=verify-full`. Otherwise TLS is used without verification, or not at all if the URL has `sslmode=disable`.
 */
export const connection = (
  url: Redacted.Redacted,
  options: { readonly production: boolean; readonly caCertificate: string | undefined }
): Connection => {
  const { hostname, password, pathname, port, searchParams, username } = new URL(Redacted.value(url))
  const verified = options.production || options.caCertificate !== undefined ||
    searchParams.get("sslmode") === "verify-full"
  const plaintext = !verified && searchParams.get("sslmode") === "disable"
  return {
    host: decodeURIComponent(hostname).replace(/^\[|\]$/g, ""),
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: Redacted.make(decodeURIComponent(password)),
    database: decodeURIComponent(pathname.slice(1)) || decodeURIComponent(username),
    ssl: plaintext ? false : {
      minVersion: "TLSv1.2",
      rejectUnauthorized: verified,
      ...(options.caCertificate === undefined ? {} : { ca: options.caCertificate })
    }
  }
}

/** Returns a warning if the URL's `sslmode` allows a connection without TLS, because production ignores that mode. */
export const ignoredMode = (url: Redacted.Redacted) => {
  const mode = new URL(Redacted.value(url)).searchParams.get("sslmode") ?? ""
  return ["disable", "allow", "prefer"].includes(mode)
    ? `sslmode=${mode} in the database's URL is ignored in production: TLS is on and the certificate is verified (verify-full)`
    : undefined
}

/** The owner's connection uses the `pg` driver, which needs the password as plain text. */
export const forPg = ({ password, ...rest }: Connection) => ({ ...rest, password: Redacted.value(password) })

export class ConnectionInvalid extends Data.TaggedError("ConnectionInvalid")<{ readonly message: string }> {}

/** Reads the owner's connection from the environment, for programs that need no other setting. */
export const ownerConnection = Effect.gen(function*() {
  const named = (yield* variable("MIGRATION_DATABASE_URL")) === undefined ? "DATABASE_URL" : "MIGRATION_DATABASE_URL"
  const url = yield* variable(named)
  if (url === undefined) {
    return yield* new ConnectionInvalid({ message: "MIGRATION_DATABASE_URL (or DATABASE_URL) is missing" })
  }
  if (!isPostgresUrl(url)) {
    return yield* new ConnectionInvalid({ message: `${named} must be a postgres:// URL with a well-encoded password` })
  }
  const file = yield* variable("DATABASE_CA_CERT")
  const caCertificate = file === undefined ? undefined : yield* readCertificate(file)
  const environment = (yield* variable("APP_ENV")) ?? (yield* variable("NODE_ENV"))
  return forPg(connection(Redacted.make(url), { production: environment === "production", caCertificate }))
})

export const readCertificate = (file: string) =>
  Effect.try({
    try: () => readFileSync(file, "utf8"),
    catch: () => new ConnectionInvalid({ message: "DATABASE_CA_CERT names a file that cannot be read" })
  })
