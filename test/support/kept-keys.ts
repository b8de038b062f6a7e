// Starts the service so that it notes each key that it uses or derives, in hex, in the file KEPT_KEYS.
import Crypto from "node:crypto"
import { appendFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"

const noted = new Set<string>()

const note = (kind: "key" | "root", value: unknown) => {
  const bytes = value instanceof Crypto.KeyObject
    ? value.type === "secret" ? value.export() : Buffer.from(value.export({ format: "jwk" })["d"] ?? "", "base64url")
    : Buffer.from(value as string | Uint8Array)
  const line = `${kind} ${bytes.toString("hex")}\n`
  if (noted.has(line)) return
  noted.add(line)
  appendFileSync(process.env["KEPT_KEYS"]!, line)
}

const { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, sign } = Crypto

Object.assign(Crypto, {
  createCipheriv: (algorithm: string, key: Uint8Array, ...rest: [Uint8Array, any]) => {
    note("key", key)
    return createCipheriv(algorithm, key, ...rest)
  },
  createDecipheriv: (algorithm: string, key: Uint8Array, ...rest: [Uint8Array, any]) => {
    note("key", key)
    return createDecipheriv(algorithm, key, ...rest)
  },
  createHmac: (algorithm: string, key: Uint8Array) => {
    note("key", key)
    return createHmac(algorithm, key)
  },
  createSecretKey: (key: Buffer) => {
    note("key", key)
    return createSecretKey(key)
  },
  hkdfSync: (...[digest, root, ...rest]: Parameters<typeof hkdfSync>) => {
    note("root", root)
    const derived = hkdfSync(digest, root, ...rest)
    note("key", new Uint8Array(derived))
    return derived
  },
  sign: (...[algorithm, data, key]: Parameters<typeof sign>) => {
    if (key instanceof Crypto.KeyObject) note("key", key)
    return sign(algorithm, data, key)
  }
})

syncBuiltinESMExports()

await import("../../src/main.ts")
