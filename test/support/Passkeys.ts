import { type Authenticator, newAuthenticator, type Said } from "./Authenticator.ts"
import { type Answer, call } from "./Client.ts"
import { askChallenge, type Device, prove, signInPath } from "./Device.ts"
import type { Service } from "./Service.ts"

type At = Pick<Service, "url">

/** The app of the tests' services that take passkeys. */
export const appOrigin = "http://localhost:8345"

export const appEnvironment = { VETERAN_APP_URL: appOrigin, VETERAN_APP_PORT: "0" }

const me = "/api/veteran/me"

export const passkeyPath = `${signInPath}/passkey`

export const confirmPath = `${me}/sessions/current/confirm`

/** Asks what a browser needs to make a passkey. */
export const askNewPasskey = async (service: At, headers: Record<string, string>) =>
  (await call(service, "POST", `${me}/passkeys/challenge`, { headers, body: {} })).json

export const addPasskey = async (
  service: At,
  headers: Record<string, string>,
  passkey: Authenticator,
  said?: Said,
  name?: string
): Promise<Answer> => {
  const { challenge } = await askNewPasskey(service, headers)
  return sendPasskey(service, headers, passkey.create(challenge, said, name))
}

/** Makes a passkey for a signed-in veteran. Returns it with the handle by which it knows the veteran. */
export const newPasskey = async (service: At, headers: Record<string, string>, algorithm?: -7 | -257) => {
  const passkey = newAuthenticator({ origin: appOrigin, ...(algorithm === undefined ? {} : { algorithm }) })
  const { userHandle } = await askNewPasskey(service, headers)
  const { json, status, text } = await addPasskey(service, headers, passkey)
  if (status !== 201) throw new Error(text)
  return { ...passkey, passkeyId: json.id as string, userHandle: userHandle as string }
}

export type MadePasskey = Awaited<ReturnType<typeof newPasskey>>

/** Signs in with a passkey on a device. */
export const signInByPasskey = async (service: At, device: Device, passkey: MadePasskey, said?: Said) => {
  const challenge = await askChallenge(service)
  return prove(service, device, passkeyPath, challenge, passkey.get(challenge, passkey.userHandle, said))
}

/** Confirms a session with a passkey. */
export const confirmByPasskey = async (
  service: At,
  device: Device,
  headers: Record<string, string>,
  passkey: MadePasskey,
  said?: Said
) => {
  const challenge = await askChallenge(service)
  return prove(service, device, confirmPath, challenge, passkey.get(challenge, passkey.userHandle, said), headers)
}

export const passkeysPath = `${me}/passkeys`

/** Sends a new passkey as it is. */
export const sendPasskey = (service: At, headers: Record<string, string>, body: unknown) =>
  call(service, "POST", passkeysPath, { headers, body })

export const passkeysOf = async (service: At, headers: Record<string, string>) =>
  (await call(service, "GET", passkeysPath, { headers })).json.items
