import { assert } from "vitest"
import { type Answer, call, randomAddress, type SignedIn } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"

/** Helpers that several tests of documents and releases use. */

type Target = Pick<Service, "url">

/** Uploads `content` as a client's form does. */
export const upload = async (
  service: Target,
  veteran: SignedIn,
  content: string | Uint8Array<ArrayBuffer>,
  name = "letter.txt"
): Promise<Answer> => {
  const form = new FormData()
  form.append("file", new Blob([content]), name)
  const response = await fetch(`${service.url}/api/veteran/me/documents`, {
    method: "POST",
    headers: { ...veteran.headers, "x-forwarded-for": randomAddress() },
    body: form
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) }
}

/** Downloads a file as bytes. */
export const download = async (service: Target, who: { readonly headers: Record<string, string> }, path: string) => {
  const response = await fetch(`${service.url}${path}`, { headers: who.headers })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer())
  }
}

/** Makes a complete request for a release. */
export const release = (changes: Record<string, unknown> = {}) => ({
  veteran: { fullName: "Sean O'Hara", dateOfBirth: "1962-03-04" },
  information: { resourceTypes: ["Condition", "MedicationRequest"], documentIds: [] },
  disclosingParty: { name: "Veteran Records Sharing Service" },
  recipient: { name: "Dr. Ada Gray", organization: "Gray Clinic", email: "ada.gray@clinic.example" },
  purpose: { code: "treatment" },
  expiration: { date: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10) },
  statementsVersion: "roi-statements/2026-11",
  statementsAccepted: true,
  sensitiveCategories: [],
  signature: { typedName: "Sean O'Hara", consentToElectronicSignature: true, signerRole: "veteran" },
  incompleteRecordConfirmed: false,
  ...changes
})

export const sign = (service: Target, veteran: SignedIn, changes: Record<string, unknown> = {}) =>
  call(service, "POST", "/api/veteran/me/roi", { headers: veteran.headers, body: release(changes) })

/** Signs a release, which must succeed, and returns the answer's body. */
export const signed = async (service: Target, veteran: SignedIn, changes: Record<string, unknown> = {}) => {
  const answer = await sign(service, veteran, changes)
  assert.strictEqual(answer.status, 201, answer.text)
  return answer.json
}

export const revokeRelease = (service: Target, { headers }: Pick<SignedIn, "headers">, id: string) =>
  call(service, "POST", `/api/veteran/me/roi/${id}/revoke`, { headers })

/** Asks for the preview of a release. */
export const preview = async (service: Target, { headers }: Pick<SignedIn, "headers">, body: unknown) => {
  const response = await fetch(`${service.url}/api/veteran/me/roi/preview`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", "x-forwarded-for": randomAddress() },
    body: JSON.stringify(body)
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get("content-type") === "application/json"
  return { status: response.status, bytes, json: isJson ? JSON.parse(bytes.toString()) : undefined }
}

export const documentOf = async (service: Target, veteran: SignedIn, id: string) =>
  (await call(service, "GET", `/api/veteran/me/documents/${id}`, { headers: veteran.headers })).json
