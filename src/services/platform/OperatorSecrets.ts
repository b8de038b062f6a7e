import { Redacted } from "effect"
import { developmentSecret, isStrong, type Rule, strongSecret } from "./VariableRules.ts"

/** A secret that opens the operator's routes, and the name by which acts under it are noted. */
export interface OperatorSecret {
  readonly name: string
  readonly secret: Redacted.Redacted
}

/** The name of a secret that stands alone. */
const bareName = "admin"

/**
 * Reads `INTERNAL_ADMIN_SECRET`. A comma separates two secrets only if a name and a colon follow it. Each secret after
 * the first therefore has a name, and a bare secret may have commas and colons, as the development value has.
 */
export const readOperatorSecrets = (value: string): ReadonlyArray<OperatorSecret> =>
  value.split(/,(?= *[a-z\d-]{1,32}:)/).map((entry) => {
    const [, name, secret] = /^ *([a-z\d-]{1,32}):(.*)$/s.exec(entry) ?? []
    return {
      name: name ?? bareName,
      secret: Redacted.make(secret?.trim() ?? entry, { label: "INTERNAL_ADMIN_SECRET" })
    }
  })

/** The begin of a bare secret that looks like a misspelt name, such as one in upper case. */
const misspelt = /^ *[\w.-]{1,32}:/

/**
 * In a list, no secret has a comma, and a bare one does not begin like a name. A misspelt name would otherwise silently
 * become a part of a secret.
 */
export const operatorSecrets: Rule<ReadonlyArray<OperatorSecret>> = {
  says: (strict) =>
    `${
      strongSecret("INTERNAL_ADMIN_SECRET").says(strict)
    }; several are name:secret,name:secret, with different names ` +
    "of a-z, 0-9 and -, and no other comma",
  parse: (value, strict) => {
    const secrets = readOperatorSecrets(value)
    const texts = secrets.map(({ secret }) => Redacted.value(secret))
    const isBare = texts.length === 1 && texts[0] === value
    if (!isBare && value.startsWith(texts[0]!) && misspelt.test(texts[0]!)) return undefined
    return texts.every((text) => isGood(text, strict) && (isBare || !text.includes(","))) &&
        new Set(texts).size === texts.length && new Set(secrets.map(({ name }) => name)).size === secrets.length
      ? secrets
      : undefined
  }
}

const isGood = (text: string, strict: boolean) =>
  strict
    ? isStrong(text) && text !== developmentSecret("INTERNAL_ADMIN_SECRET")
    : Buffer.byteLength(text) >= 32
