import { calculateThumbprint, generateKeyPair, generateProof, type KeyPair } from "dpop"
import { Base64Url } from "effect/encoding"

/**
 * What stays on the device: one key, which no script can read out, and beside it the id of the session. An empty id
 * means that this device was signed in before.
 */
export interface Device {
  readonly key: KeyPair | undefined
  readonly sessionId: string | undefined
}

const name = "vrss-device"

const store = "device"

const settled = <A>(request: IDBRequest<A>) =>
  new Promise<A>((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result))
    request.addEventListener("error", () => reject(request.error ?? new Error("The browser keeps nothing.")))
  })

/** Opens the database of the device. Without `made` it fails if there is none, so that a first visit leaves none. */
const open = (made: boolean) => {
  const opening = indexedDB.open(name, 1)
  opening.addEventListener("upgradeneeded", () => {
    if (made) opening.result.createObjectStore(store)
    else opening.transaction?.abort()
  })
  return settled(opening)
}

/** Each transaction opens the database and closes it again, so that another window can delete it. */
const within = async <A>(mode: IDBTransactionMode, use: (rows: IDBObjectStore) => Promise<A>) => {
  const database = await open(mode === "readwrite")
  try {
    return await use(database.transaction(store, mode).objectStore(store))
  } finally {
    database.close()
  }
}

const nobody: Device = { key: undefined, sessionId: undefined }

/** A browser that keeps nothing is a device that nobody knows. */
export const readDevice = (): Promise<Device> =>
  within("readonly", async (rows) => {
    const [key, sessionId] = await Promise.all([settled(rows.get("key")), settled(rows.get("session"))])
    return { key, sessionId }
  }).catch(() => nobody)

/** Returns this device's key. If two windows make one at the same time, both get the one that was kept first. */
export const keyOfDevice = async (): Promise<KeyPair> => {
  const { key } = await readDevice()
  if (key !== undefined) return key
  const made = await generateKeyPair("ES256")
  return within("readwrite", async (rows) => {
    const kept: KeyPair | undefined = await settled(rows.get("key"))
    if (kept === undefined) await settled(rows.put(made, "key"))
    return kept ?? made
  })
}

export const keepSession = (sessionId: string) =>
  within("readwrite", async (rows) => void await settled(rows.put(sessionId, "session")))

/** Forgets a session, unless another window keeps a newer one already. */
export const forgetSession = (sessionId: string) =>
  within("readwrite", async (rows) => {
    if (await settled(rows.get("session")) === sessionId) await settled(rows.put("", "session"))
  })

export const forgetDevice = async () => void await settled(indexedDB.deleteDatabase(name))

/** Proves the key for one call (contract, 14.2): a DPoP proof (RFC 9449, 4.2) for the exact address without a query. */
export const proofFor = (key: KeyPair, address: string, nonce: string) => generateProof(key, address, "POST", nonce)

/** The nonce by which an id_token belongs to this key and to the service's question. */
export const nonceFor = async (key: KeyPair, challenge: string) =>
  base64UrlSha256(`${challenge}.${await calculateThumbprint(key.publicKey)}`)

/** SHA-256 as base64url. PKCE and the nonce take it so. */
export const base64UrlSha256 = async (text: string) =>
  Base64Url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))))
