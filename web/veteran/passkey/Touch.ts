import { Effect } from "effect"
import { Base64Url } from "effect/encoding"
import type { NewPasskey, PasskeyAnswer, PasskeyChallenge } from "../../../src/domain/Passkey.ts"
import { Problem } from "../../shared/Problem.ts"

/** True if the browser knows passkeys. Whether the veteran has one is not kept on the device. */
export const hasPasskeys = "PublicKeyCredential" in globalThis && "credentials" in navigator

const encoded = (bytes: ArrayBuffer) => Base64Url.encode(new Uint8Array(bytes))

const bytesOf = (text: string) => {
  const padded = text.replaceAll("-", "+").replaceAll("_", "/")
  return Uint8Array.from(atob(padded), (letter) => letter.charCodeAt(0))
}

/** Closing the browser's question is an answer, and no trouble. Browsers tell it apart from nothing else. */
const problemOf = (error: unknown) =>
  Problem.make({
    error: error instanceof DOMException && error.name === "InvalidStateError"
      ? "passkey_known"
      : error instanceof DOMException && (error.name === "NotAllowedError" || error.name === "AbortError")
      ? "passkey_cancelled"
      : "passkey_unmade"
  })

/** Asks the browser, until the caller no longer waits. */
const asked = <A>(ask: (signal: AbortSignal) => Promise<A>) => Effect.tryPromise({ try: ask, catch: problemOf })

/** Makes a passkey on the device, or on another one that the browser offers. */
export const madePasskey = (
  { challenge, exclude, rpId, userHandle }: typeof PasskeyChallenge.Type,
  { callSign, name }: { readonly callSign: string; readonly name: string }
): Effect.Effect<NewPasskey, Problem> =>
  asked(async (signal) => {
    const made = await navigator.credentials.create({
      signal,
      publicKey: {
        challenge: bytesOf(challenge),
        rp: { id: rpId, name: "Veteran Records" },
        user: { id: bytesOf(userHandle), name: callSign, displayName: callSign },
        pubKeyCredParams: [{ type: "public-key", alg: -7 }, { type: "public-key", alg: -257 }],
        excludeCredentials: exclude.map((id) => ({ type: "public-key", id: bytesOf(id) })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        attestation: "none"
      }
    })
    const { id, response } = made as PublicKeyCredential & { readonly response: AuthenticatorAttestationResponse }
    const algorithm = response.getPublicKeyAlgorithm()
    const publicKey = response.getPublicKey()
    if (publicKey === null || (algorithm !== -7 && algorithm !== -257)) throw new Error("The key has no known form.")
    return {
      challenge,
      name,
      credentialId: id,
      publicKey: encoded(publicKey),
      algorithm,
      clientDataJSON: encoded(response.clientDataJSON),
      authenticatorData: encoded(response.getAuthenticatorData())
    }
  })

/** Asks for a passkey of this site. The browser shows those that it has. */
export const askForPasskey = (challenge: string): Effect.Effect<PasskeyAnswer, Problem> =>
  asked(async (signal) => {
    const given = await navigator.credentials.get({
      signal,
      publicKey: { challenge: bytesOf(challenge), userVerification: "required" }
    })
    const { id, response } = given as PublicKeyCredential & { readonly response: AuthenticatorAssertionResponse }
    return {
      challenge,
      credential: {
        id,
        authenticatorData: encoded(response.authenticatorData),
        clientDataJSON: encoded(response.clientDataJSON),
        signature: encoded(response.signature),
        userHandle: response.userHandle === null ? "" : encoded(response.userHandle)
      }
    }
  })
