import { Schema } from "effect"
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto"
import { InvalidPasskey, type NewPasskey, type PasskeyAnswer } from "../../../domain/Passkey.ts"

/**
 * Checks what a browser answers for a passkey (Web Authentication, 7.1 and 7.2), as far as part 14.2 of the contract
 * asks. The signature counter is ignored, because synchronised passkeys have none. Whether a passkey is backed up is
 * ignored too, but the two flags must fit. Extensions and attestation are not asked for, and not read.
 */

/** Where a passkey counts. */
export interface RelyingParty {
  /** Host of the app. */
  readonly rpId: string
  readonly origins: ReadonlyArray<string>
}

/** COSE's numbers of the two algorithms. */
type Algorithm = NewPasskey["algorithm"]

/** Longest values in bytes. */
const maxBytes = { id: 1023, userHandle: 64, clientData: 4096, authenticatorData: 2048, signature: 1024, key: 1024 }

/** Decodes base64url. Several spellings have the same bytes, and only one is accepted. */
const bytesOf = (text: string, most: number) => {
  if (text === "" || text.length > Math.ceil(most * 4 / 3)) throw new InvalidPasskey()
  const bytes = Buffer.from(text, "base64url")
  if (bytes.toString("base64url") !== text) throw new InvalidPasskey()
  return bytes
}

/** Members that are not named here are ignored: browsers add some. A page within another site's page is refused. */
const decodeClientData = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({
  type: Schema.String,
  challenge: Schema.String,
  origin: Schema.String,
  crossOrigin: Schema.optionalKey(Schema.Literal(false)),
  topOrigin: Schema.optionalKey(Schema.Never)
})))

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const checkClientData = (bytes: Buffer, type: string, challenge: string, { origins }: RelyingParty) => {
  const told = decodeClientData(utf8.decode(bytes))
  if (told.type !== type || told.challenge !== challenge || !origins.includes(told.origin)) throw new InvalidPasskey()
}

const flags = { userPresent: 1, userVerified: 4, mayBackUp: 8, isBackedUp: 16, hasKey: 64, hasExtensions: 128 }

/** The hash of the RP id, the flags, and the counter. */
const headLength = 37

/** Returns what follows the head, and whether extensions end it. `hasKey` says whether a new key must follow. */
const checkAuthenticatorData = (data: Buffer, { rpId }: RelyingParty, hasKey: boolean) => {
  const flag = data.length < headLength ? 0 : data[32]!
  const has = (one: number) => (flag & one) !== 0
  const isRight = has(flags.userPresent) && has(flags.userVerified) && has(flags.hasKey) === hasKey &&
    !(has(flags.isBackedUp) && !has(flags.mayBackUp)) && hash(rpId).equals(data.subarray(0, 32))
  const rest = data.subarray(headLength)
  const isExtended = has(flags.hasExtensions)
  if (!isRight || (hasKey || isExtended) !== rest.length > 0) throw new InvalidPasskey()
  return { rest, isExtended }
}

const hash = (value: string | Buffer) => createHash("sha256").update(value).digest()

/** Reads a key. Only one DER of it counts, so that nothing follows it. */
const keyOf = (der: Buffer, algorithm: Algorithm) => {
  const key = createPublicKey({ key: der, format: "der", type: "spki" })
  if (!isKeyFor(key, algorithm) || !key.export({ format: "der", type: "spki" }).equals(der)) throw new InvalidPasskey()
  return key
}

const isKeyFor = ({ asymmetricKeyDetails = {}, asymmetricKeyType }: KeyObject, algorithm: Algorithm) => {
  const { modulusLength = 0, namedCurve, publicExponent } = asymmetricKeyDetails
  return algorithm === -7
    ? asymmetricKeyType === "ec" && namedCurve === "prime256v1"
    : asymmetricKeyType === "rsa" && modulusLength >= 2048 && modulusLength <= 4096 && publicExponent === 65_537n
}

/** The credential's id, by which the key is found. Hostile input may throw any error, here and below. */
export const credentialIdOf = ({ credential }: PasskeyAnswer) => bytesOf(credential.id, maxBytes.id)

/** Throws if the answer is not by this key, for this veteran's handle, and to this challenge. */
export const checkAnswer = (
  { challenge, credential }: PasskeyAnswer,
  expected: { readonly publicKey: Uint8Array; readonly algorithm: Algorithm; readonly userHandle: Buffer },
  party: RelyingParty
) => {
  const userHandle = bytesOf(credential.userHandle, maxBytes.userHandle)
  const clientData = bytesOf(credential.clientDataJSON, maxBytes.clientData)
  const data = bytesOf(credential.authenticatorData, maxBytes.authenticatorData)
  const signature = bytesOf(credential.signature, maxBytes.signature)
  checkClientData(clientData, "webauthn.get", challenge, party)
  checkAuthenticatorData(data, party, false)
  const key = keyOf(Buffer.from(expected.publicKey), expected.algorithm)
  const isSigned = verify("sha256", Buffer.concat([data, hash(clientData)]), key, signature)
  if (!isSigned || !userHandle.equals(expected.userHandle)) throw new InvalidPasskey()
}

/** Bytes of the authenticator's model, which stand before the length of the credential's id. */
const modelLength = 16

/** Bytes of a COSE key beside its numbers. Its form has no choices (Web Authentication, 6.5.1.1). */
const coseLength = { [-7]: 13, [-257]: 16 }

/** Returns the id and the key of a new passkey. Nobody has signed them: the veteran's session vouches for both. */
export const readNewPasskey = (sent: NewPasskey, party: RelyingParty) => {
  const credentialId = bytesOf(sent.credentialId, maxBytes.id)
  const publicKey = bytesOf(sent.publicKey, maxBytes.key)
  checkClientData(bytesOf(sent.clientDataJSON, maxBytes.clientData), "webauthn.create", sent.challenge, party)
  const data = bytesOf(sent.authenticatorData, maxBytes.authenticatorData)
  const { isExtended, rest } = checkAuthenticatorData(data, party, true)
  const key = keyOf(publicKey, sent.algorithm)
  const idAt = modelLength + 2
  if (rest.length < idAt || rest.readUInt16BE(modelLength) !== credentialId.length) throw new InvalidPasskey()
  const coseAt = idAt + credentialId.length
  // The key stands there a second time, in COSE. Its numbers are compared, so that no CBOR has to be read.
  const { n, x, y } = key.export({ format: "jwk" })
  const numbers = (sent.algorithm === -7 ? [x!, y!] : [n!]).map((number) => Buffer.from(number, "base64url"))
  const end = numbers.reduce((at, { length }) => at + length, coseAt + coseLength[sent.algorithm])
  const isSame = rest.subarray(idAt, coseAt).equals(credentialId) &&
    numbers.every((number) => rest.subarray(0, end).includes(number, coseAt)) &&
    (isExtended ? rest.length > end : rest.length === end)
  if (!isSame) throw new InvalidPasskey()
  return { credentialId, publicKey }
}
