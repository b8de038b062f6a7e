import { Redacted } from "effect"
import type { ConnectionOptions } from "node:tls"

/** Where and as whom to connect, in the words of both drivers. */
export interface Connection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: Redacted.Redacted
  readonly database: string
  readonly ssl: false | ConnectionOptions
}

/**
 * TLS is on. In production, and wherever a certificate is given, the server's certificate and name are verified
 * (`verify-full`); elsewhere `sslmode=disable` in the URL is heard too.
 */
export const connection = (
  url: Redacted.Redacted,
  options: { readonly production: boolean; readonly caCertificate: string | undefined }
): Connection => {
  const { hostname, password, pathname, port, searchParams, username } = new URL(Redacted.value(url))
  const verified = options.production || options.caCertificate !== undefined || searchParams.get("sslmode") === "verify-full"
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

/** For the `pg` driver, which the owner's connection uses. */
export const forPg = ({ password, ...rest }: Connection) => ({ ...rest, password: Redacted.value(password) })
