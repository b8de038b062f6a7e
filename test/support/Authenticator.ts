import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"

const sha256 = (value: string | Uint8Array) => createHash("sha256").update(value).digest()

const uint16 = (value: number) => Buffer.from([value >> 8, value & 255])

const base64 = (text: string) => Buffer.from(text, "base64url")

/** A COSE key (RFC 9053) in CBOR, as authenticators write it. */
const coseOf = (key: KeyObject, algorithm: number) => {
  const { e = "", n = "", x = "", y = "" } = key.export({ format: "jwk" })
  return algorithm === -7
    ? Buffer.concat([
      Buffer.from("a5010203262001215820", "hex"),
      base64(x),
      Buffer.from("225820", "hex"),
      base64(y)
    ])
    : Buffer.concat([
      Buffer.from("a401030339010020", "hex"),
      Buffer.from([0x59]),
      uint16(base64(n).length),
      base64(n),
      Buffer.from([0x21, 0x40 + base64(e).length]),
      base64(e)
    ])
}

/** What a browser and an authenticator say, before it is signed. A test changes it. */
export interface Said {
  readonly clientData?: Record<string, unknown>
  /** The JSON as text, where an object cannot say it. */
  readonly clientText?: string | Uint8Array
  readonly rpId?: string
  readonly flags?: number
  /** Follows the head of the authenticator's data. */
  readonly more?: Uint8Array
  /** Changes the authenticator's data before it is signed. */
  readonly data?: (data: Buffer) => Buffer
}

/** A passkey in software. Its answers have the form of the service's requests. */
export const newAuthenticator = (
  { algorithm = -7, bits = 2048, idLength = 16, origin, rpId = "localhost" }: {
    readonly algorithm?: -7 | -257
    readonly bits?: number
    readonly idLength?: number
    readonly origin: string
    readonly rpId?: string
  }
) => {
  const { privateKey, publicKey } = algorithm === -7
    ? generateKeyPairSync("ec", { namedCurve: "P-256" })
    : generateKeyPairSync("rsa", { modulusLength: bits })
  const id = randomBytes(idLength)
  const cose = coseOf(publicKey, algorithm)
  const spki = publicKey.export({ format: "der", type: "spki" })

  const say = (type: string, challenge: string, said: Said, flags: number, more: Uint8Array) => {
    const clientData = { type, challenge, origin, crossOrigin: false, ...said.clientData }
    const clientDataJSON = Buffer.from(said.clientText ?? JSON.stringify(clientData))
    const head = [sha256(said.rpId ?? rpId), Buffer.from([said.flags ?? flags, 0, 0, 0, 0]), said.more ?? more]
    const whole = Buffer.concat(head)
    return { clientDataJSON, authenticatorData: said.data?.(whole) ?? whole }
  }

  return {
    id: id.toString("base64url"),
    cose,
    algorithm,
    /** The answer to `navigator.credentials.create`. */
    create: (challenge: string, said: Said = {}, name = "My phone") => {
      const attested = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, cose])
      const { authenticatorData, clientDataJSON } = say("webauthn.create", challenge, said, 0x45, attested)
      return {
        challenge,
        name,
        credentialId: id.toString("base64url"),
        publicKey: spki.toString("base64url"),
        algorithm,
        clientDataJSON: clientDataJSON.toString("base64url"),
        authenticatorData: authenticatorData.toString("base64url")
      }
    },
    /** The answer to `navigator.credentials.get`. */
    get: (challenge: string, userHandle: string, said: Said = {}) => {
      const { authenticatorData, clientDataJSON } = say("webauthn.get", challenge, said, 5, Buffer.alloc(0))
      const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(clientDataJSON)]), privateKey)
      return {
        challenge,
        credential: {
          id: id.toString("base64url"),
          authenticatorData: authenticatorData.toString("base64url"),
          clientDataJSON: clientDataJSON.toString("base64url"),
          signature: signature.toString("base64url"),
          userHandle
        }
      }
    }
  }
}

export type Authenticator = ReturnType<typeof newAuthenticator>

/** The attestation object without a statement, in CBOR, around an authenticator's data. */
export const attestationOf = (authenticatorData: string) => {
  const data = base64(authenticatorData)
  return Buffer.concat([
    Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex"),
    Buffer.from([0x59]),
    uint16(data.length),
    data
  ])
}
