import { Redacted } from "effect"
import { isIPv4 } from "node:net"

/** Parses a variable. `strict` is true in production, and for a secret also if other machines can reach the service. */
export interface Rule<A> {
  /** The text after the variable's name in the error for a refused value. */
  readonly says: (strict: boolean) => string
  /** Returns undefined for a value that breaks the rule. */
  readonly parse: (value: string, strict: boolean) => A | undefined
}

export interface Key {
  readonly id: string
  readonly bytes: Redacted.Redacted<Buffer>
}

export const text: Rule<string> = { says: () => "must be text", parse: (value) => value }

export const folder: Rule<string> = { ...text, says: () => "must be a folder" }

/** Returns true for an address that only this machine reaches. */
export const isLoopback = (host: string) =>
  host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."))

/** Returns false for a value that is not random, such as a repeated letter or a row of zeros. */
const isVaried = (bytes: Buffer) => new Set(bytes).size >= 10

export const isStrong = (value: string) => Buffer.byteLength(value) >= 32 && isVaried(Buffer.from(value))

export const secretText: Rule<Redacted.Redacted> = { ...text, parse: (value) => Redacted.make(value) }

/** A secret's default in development. It is published with the source, so it protects nothing. */
export const developmentSecret = (name: string) => `development only, never in production: ${name}`

export const strongSecret = (name: string): Rule<Redacted.Redacted> => ({
  says: (strict) =>
    `must hold at least 32 bytes${strict ? ", ten different ones," : ""} and not be the development value`,
  parse: (value, strict) =>
    (strict ? isStrong(value) && value !== developmentSecret(name) : Buffer.byteLength(value) >= 32)
      ? Redacted.make(value, { label: name })
      : undefined
})

/** A secret shared with a client. It has no default, even in development. While unset, it gives nobody access. */
export const sharedSecret: Rule<Redacted.Redacted> = {
  says: () => "must hold at least 32 bytes, ten different ones",
  parse: (value, strict) => strict && !isStrong(value) ? undefined : Redacted.make(value)
}

/** Checks the form alone. `readSigningKey` checks the key (ledger/ProofSigner.ts). */
export const noteSigningKey: Rule<Redacted.Redacted> = {
  says: () => "must be what `npm run proof-key` prints: PRIVATE+KEY+name+id+base64",
  parse: (value) =>
    /^PRIVATE\+KEY\+[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{43,44}=?$/.test(value) ? Redacted.make(value) : undefined
}

export const integer = (from: number, to: number, what: string): Rule<number> => ({
  says: () => `must be a ${what} from ${from} to ${to}`,
  parse: (value) => {
    const number = /^\d{1,6}$/.test(value) ? Number(value) : NaN
    return number >= from && number <= to ? number : undefined
  }
})

export const onlyFalse: Rule<false> = {
  says: () => "must be 'false': legacy header authentication is gone",
  parse: (value) => value === "false" ? false : undefined
}

export const oneOf = <const A extends string>(...values: ReadonlyArray<A>): Rule<A> => ({
  says: () => `must be ${values.map((value) => `'${value}'`).join(" or ")}`,
  parse: (value) => values.find((one) => one === value)
})

export const onOrOff: Rule<boolean> = {
  says: () => "must be 'true' or 'false'",
  parse: (value) => ["true", "false"].includes(value) ? value === "true" : undefined
}

export const share: Rule<number> = {
  says: () => "must be a number from 0 to 1",
  parse: (value) => /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(value) ? Number(value) : undefined
}

/** The format of W3C Baggage that OpenTelemetry uses: `name=value`, comma-separated, the values with % encoding. */
export const headerList: Rule<Redacted.Redacted<Record<string, string>>> = {
  says: () => "must be name=value pairs, comma-separated, with % encoding where a value has special characters",
  parse: (value) => {
    const pairs = value.split(",").map((pair) =>
      /^([^=]*)=(.*)$/s.exec(pair)?.slice(1).map((part) => part.trim()) ?? []
    )
    if (!pairs.every(([name = "", text = ""]) => headerName.test(name) && encoded.test(text))) return
    return Redacted.make(
      Object.fromEntries(pairs.map(([name, text]) => [name!.toLowerCase(), decodeURIComponent(text!)]))
    )
  }
}

const headerName = /^[\w!#$%&'*+.^`|~-]+$/

const encoded = /^(?:%[0-9a-f]{2}|[!-$&-~ ])*$/i

export const emailAddress: Rule<string> = {
  says: () => "must be an e-mail address",
  parse: (value) => /^[^\s@<>]+@[^\s@<>]+$/.test(value) ? value : undefined
}

/** The sender of mails: an address, with or without the name that readers see. */
export const sender: Rule<{ readonly name: string | undefined; readonly address: string }> = {
  says: () => "must be an e-mail address, or a name and an address: Veteran Records <no-reply@example.org>",
  parse: (value) => {
    const start = value.endsWith(">") ? value.lastIndexOf(" <") : -1
    const name = start < 0 ? undefined : value.slice(0, start).replace(/^"([^"]*)"$/, "$1")
    const address = emailAddress.parse(start < 0 ? value : value.slice(start + 2, -1), false)
    return address === undefined || name === "" || /["<>@\p{C}]/u.test(name ?? "") ? undefined : { name, address }
  }
}

const isUrl = (value: string, protocols: ReadonlyArray<string>) =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol)

/** The parts of the URL must be decodable: a `%` in a password must be written `%25`. */
export const isPostgresUrl = (value: string) => {
  try {
    decodeURIComponent(value)
    return isUrl(value, ["postgres:", "postgresql:"])
  } catch {
    return false
  }
}

export const postgresUrl: Rule<Redacted.Redacted> = {
  says: () => "must be a postgres:// URL, with % encoding where a password has special characters",
  parse: (value) => isPostgresUrl(value) ? Redacted.make(value) : undefined
}

export const mailServer: Rule<Redacted.Redacted> = {
  says: () => "must be an smtp:// or smtps:// URL",
  parse: (value) => isUrl(value, ["smtp:", "smtps:"]) ? Redacted.make(value) : undefined
}

const isWebUrl = (value: string, production: boolean) => isUrl(value, production ? ["https:"] : ["https:", "http:"])

const web = (production: boolean) => production ? "https" : "http or https"

export const webUrl: Rule<string> = {
  says: (production) => `must be an ${web(production)} URL`,
  parse: (value, production) => isWebUrl(value, production) ? value : undefined
}

/** An issuer has no query and no fragment (RFC 8414, section 2). In production its path must be that of the routes. */
export const authorizationServer: Rule<string> = {
  says: (production) =>
    production
      ? "must be an https URL that ends in /api/oauth"
      : "must be an http or https URL without query or fragment",
  parse: (value, production) =>
    isWebUrl(value, production) && !/[?#]/.test(value) && (!production || value.endsWith("/api/oauth"))
      ? value
      : undefined
}

/** An issuer without TLS is trusted on this machine alone, where tests run their own issuer. */
export const issuer: Rule<string> = {
  says: (production) =>
    `must be an https URL without query or fragment${production ? "" : ", or an http one on loopback"}`,
  parse: (value, production) =>
    !/[?#]/.test(value) &&
      (isWebUrl(value, true) || (!production && isWebUrl(value, false) && isLoopback(new URL(value).hostname)))
      ? value
      : undefined
}

/** Keys by address, as an issuer's; or a file, so that the service asks nothing upstream. */
export const keySource: Rule<string> = {
  says: (production) => `${issuer.says(production)}, or a file's path`,
  parse: (value, production) => /^[a-z][a-z\d+.-]+:/i.test(value) ? issuer.parse(value, production) : value
}

/** Scopes of RFC 6749, section 3.3. The VA refuses wildcards and needs `launch/patient` to name the patient. */
export const scopes: Rule<string> = {
  says: () => "must be scopes, separated by spaces, with openid and launch/patient and without *",
  parse: (value) => {
    const all = value.split(" ")
    return /^[\x21\x23-\x5b\x5d-\x7e ]+$/.test(value) && !value.includes("*") &&
        all.includes("openid") && all.includes("launch/patient")
      ? value
      : undefined
  }
}

export const resourceTypes: Rule<ReadonlyArray<string>> = {
  says: () => "must be different FHIR resource types, comma-separated",
  parse: (value) => {
    const all = value.split(",").map((type) => type.trim())
    return all.every((type) => /^[A-Z][A-Za-z]{1,63}$/.test(type)) && new Set(all).size === all.length ? all : undefined
  }
}

/** The lookbehind lets a match begin only at a run's first slash. Without it, a long run would take quadratic time. */
export const withoutEndSlashes = (url: string): string => url.replace(/(?<!\/)\/+$/, "")

/** A collector beside the process, or on a private network, may be reached without TLS. */
export const collector: Rule<string> = {
  says: () => "must be an http or https URL without query or fragment",
  parse: (value) => isWebUrl(value, false) && !/[?#]/.test(value) ? withoutEndSlashes(value) : undefined
}

export const portal: Rule<string> = {
  says: (production) => `must be an ${web(production)} URL without query or fragment`,
  parse: (value, production) =>
    isWebUrl(value, production) && !/[?#]/.test(value) ? withoutEndSlashes(value) : undefined
}

export const origins: Rule<ReadonlyArray<string>> = {
  says: (production) => `must be ${web(production)} origins, comma-separated`,
  parse: (value, production) => {
    const all = value.split(",").map((origin) => origin.trim())
    return all.every((origin) => isWebUrl(origin, production) && new URL(origin).origin === origin) ? all : undefined
  }
}

const developmentKey = Buffer.from("development only encryption key!")

export const developmentKeyring = `development:${developmentKey.toString("base64")}`

export const keyring: Rule<ReadonlyArray<Key>> = {
  says: (strict) =>
    "must be keyId:base64(32 bytes), comma-separated, with different key ids" +
    `${strict ? ", ten different bytes in each," : ""} and no development key`,
  parse: (value, strict) => {
    const entries = value.split(",")
    const keys = entries.flatMap((entry): ReadonlyArray<Key> => {
      const [, id, base64] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43}=?)$/.exec(entry.trim()) ?? []
      const bytes = Buffer.from(base64 ?? "", "base64")
      const refused = bytes.length !== 32 || (strict && (!isVaried(bytes) || bytes.equals(developmentKey)))
      return id === undefined || refused ? [] : [{ id, bytes: Redacted.make(bytes, { label: id }) }]
    })
    return keys.length === entries.length && new Set(keys.map(({ id }) => id)).size === keys.length ? keys : undefined
  }
}
