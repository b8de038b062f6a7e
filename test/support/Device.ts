import { calculateThumbprint, generateKeyPair, generateProof, type KeyPair } from "dpop"
import type pg from "pg"
import { type Answer, asAdmin, bearer, call } from "./Client.ts"
import type { Service } from "./Service.ts"
import { newSubject, nonceOf, type VaIssuer } from "./VaIssuer.ts"

export const signInPath = "/api/auth/veteran/app"

/** A device of a veteran: a key that signs proofs, made by an independent library. */
export interface Device {
  readonly keys: KeyPair
  readonly thumbprint: string
}

export const newDevice = async (): Promise<Device> => {
  const keys = await generateKeyPair("ES256")
  return { keys, thumbprint: await calculateThumbprint(keys.publicKey) }
}

/** Returns the header with a proof for a route and a nonce. */
export const proofOf = async (
  service: Pick<Service, "url">,
  { keys }: Device,
  path: string,
  nonce: string,
  method = "POST"
) => ({ dpop: await generateProof(keys, `${service.url}${path}`, method, nonce) })

/** Calls a route with a proof of the device's key. */
export const prove = async (
  service: Pick<Service, "url">,
  device: Device,
  path: string,
  nonce: string,
  body: unknown,
  headers: Record<string, string> = {}
) => call(service, "POST", path, { headers: { ...await proofOf(service, device, path, nonce), ...headers }, body })

export interface Person {
  readonly subject: string
  readonly vaPatientId: string
}

export const askChallenge = async (service: Pick<Service, "url">): Promise<string> =>
  (await call(service, "POST", `${signInPath}/challenge`, { body: {} })).json.challenge

/** Signs in at the issuer in answer to a new challenge, for the device's key. */
export const atVa = async (
  service: Pick<Service, "url">,
  va: VaIssuer,
  { thumbprint }: Device,
  { subject }: Pick<Person, "subject">,
  claims: Record<string, unknown> = {}
) => {
  const challenge = await askChallenge(service)
  return { challenge, idToken: await va.idToken({ sub: subject, nonce: nonceOf(challenge, thumbprint), ...claims }) }
}

/** Signs in at the VA and then here. */
export const signInByVa = async (
  service: Pick<Service, "url">,
  va: VaIssuer,
  device: Device,
  person: Person,
  name?: string
): Promise<Answer> => {
  const signedIn = await atVa(service, va, device, person)
  return prove(service, device, `${signInPath}/session`, signedIn.challenge, {
    ...signedIn,
    vaPatientId: person.vaPatientId,
    ...(name === undefined ? {} : { device: { name } })
  })
}

/** Registers a veteran with the operator's code. Returns the veteran's id and who signs in at the VA. */
export const registerPerson = async (service: Pick<Service, "url">, email = "eagle@example.org") => {
  const person: Person = { subject: newSubject(), vaPatientId: `icn-${newSubject()}` }
  const { json } = await call(service, "POST", "/api/admin/veterans", {
    headers: asAdmin,
    body: { vaPatientId: person.vaPatientId, callSign: "Eagle", email }
  })
  return { ...person, id: json.id as string }
}

export const operatorCode = async (service: Pick<Service, "url">, veteranId: string): Promise<string> =>
  (await call(service, "POST", `/api/admin/veterans/${veteranId}/pairing-code`, { headers: asAdmin })).json.code

export const pair = (service: Pick<Service, "url">, device: Device, pairingId: string, code: string) =>
  prove(service, device, `${signInPath}/pairing`, pairingId, { pairingId, code })

export const renew = (service: Pick<Service, "url">, device: Device, sessionId: string) =>
  prove(service, device, `${signInPath}/renew`, sessionId, { sessionId })

/** Registers a person, and pairs and signs them in by the operator's code. */
export const signInDevice = async (service: Pick<Service, "url">, va: VaIssuer, name?: string, email?: string) => {
  const person = await registerPerson(service, email)
  const device = await newDevice()
  const asked = await signInByVa(service, va, device, person, name)
  const paired = await pair(service, device, asked.json.pairingId, await operatorCode(service, person.id))
  if (paired.status !== 200) throw new Error(paired.text)
  const { accessToken, sessionId } = paired.json
  return { person, device, sessionId: sessionId as string, access: paired.json, headers: bearer(accessToken) }
}

/** Five minutes pass since the session was confirmed (contract, 14.2). */
export const letConfirmationPass = (superuser: pg.Client, sessionId: string) =>
  superuser.query("update veteran_sessions set confirmed_at = confirmed_at - interval '5 minutes' where id = $1", [
    sessionId
  ])
