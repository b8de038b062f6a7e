import { hash } from "node:crypto"
import { assert } from "vitest"
import { textsOf } from "../http/fhir/Apps.ts"
import { proofOf } from "../http/ledger/Drained.ts"
import { verified, view } from "../http/link/Links.ts"
import { refresh } from "../http/oauth/Grants.ts"
import { download } from "../http/release/Releases.ts"
import { asAdmin, bearer, call, type SignedIn, signIn } from "../support/Client.ts"
import type { Service } from "../support/Service.ts"
import { readRecord, resourceTexts } from "../support/Sync.ts"
import type { Keys } from "./Life.ts"

type Reader = (path: string, headers?: Record<string, string>) => Promise<any>

/** Reads everything that each person can read. Reading adds events, so the account of disclosures is read first. */
export const readEverything = async (service: Service, keys: Keys) => {
  const veteran = await signIn(service, keys.veteran)
  const read: Reader = async (path, headers = veteran.headers) => {
    const answer = await call(service, "GET", path, { headers })
    assert.strictEqual(answer.status, 200, `${path}: ${answer.text}`)
    return answer.json ?? answer.text
  }
  return {
    account: await readAccount(service, veteran, read),
    veteran: await readAsVeteran(service, veteran, read, keys),
    operator: {
      veterans: await read("/api/admin/veterans", asAdmin),
      providers: await read("/api/admin/providers", asAdmin),
      waitlist: await read("/api/admin/waitlist", asAdmin),
      apps: await read("/api/admin/oauth-clients", asAdmin)
    },
    provider: await readAsProvider(service, read, keys),
    app: await readAsApp(service, read, keys),
    recipient: await readAsRecipient(service, keys)
  }
}

/** Reads the account of disclosures, its proofs and the current checkpoint of the tree. */
const readAccount = async (service: Service, veteran: SignedIn, read: Reader) => {
  const checkpoint: string = await read("/api/proofs/checkpoint")
  const { items, nextCursor } = await read("/api/veteran/me/disclosures?limit=200")
  assert.isNull(nextCursor)
  const proofs: Array<string> = []
  for (const { id } of items) {
    const { status, text } = await proofOf(service, veteran, id)
    assert.strictEqual(status, 200, text)
    proofs.push(text)
  }
  return { key: await read("/api/proofs/key"), checkpoint, disclosures: items, proofs }
}

const sha256 = (content: string | Buffer) => hash("sha256", content)

const sha256Of = async (downloading: Promise<{ readonly status: number; readonly bytes: Buffer }>) => {
  const { bytes, status } = await downloading
  assert.strictEqual(status, 200, bytes.toString())
  return sha256(bytes)
}

const readAsVeteran = async (service: Service, veteran: SignedIn, read: Reader, keys: Keys) => {
  const lists = {
    me: await read("/api/veteran/me"),
    alerts: await read("/api/veteran/me/alerts"),
    entries: await read("/api/veteran/me/self-reported-entries"),
    notes: await read("/api/veteran/me/provider-notes"),
    grants: await read("/api/veteran/me/consent-grants"),
    documents: await read("/api/veteran/me/documents"),
    links: await read("/api/veteran/me/secure-links"),
    record: await readRecord(service, veteran, { includeInactive: "true" })
  }
  const files: Array<string> = []
  for (const id of keys.documentIds) {
    files.push(await sha256Of(download(service, veteran, `/api/veteran/me/documents/${id}/content`)))
  }
  const released = await sha256Of(download(service, veteran, `/api/veteran/me/documents/${keys.releaseId}/record`))
  return { ...lists, files, released }
}

const readAsProvider = async (service: Service, read: Reader, { documentIds, provider, veteran }: Keys) => {
  const login = await call(service, "POST", "/api/provider/login", { body: provider })
  assert.strictEqual(login.status, 200, login.text)
  const headers = bearer(login.json.accessToken)
  const path = `/api/provider/patients/${veteran.id}`
  const record = await call(service, "GET", `${path}/record?limit=200`, { headers })
  return {
    me: await read("/api/provider/me", headers),
    patients: await read("/api/provider/patients", headers),
    record: record.json,
    texts: resourceTexts(record.text).map(({ text }) => sha256(text)),
    notes: await read(`${path}/notes`, headers),
    letter: await sha256Of(download(service, { headers }, `${path}/documents/${documentIds[0]}/content`))
  }
}

const readAsApp = async (service: Service, read: Reader, { app, veteran }: Keys) => {
  const { json, status, text } = await refresh(service, app, app.refreshToken)
  assert.strictEqual(status, 200, text)
  const headers = bearer(json.access_token)
  const everything = await call(service, "GET", `/api/fhir/R4/Patient/${veteran.id}/$everything?_count=500`, {
    headers
  })
  return {
    scope: json.scope,
    texts: textsOf(everything.text).map(sha256),
    flags: (await read("/api/fhir/R4/Flag", headers)).total
  }
}

const readAsRecipient = async (service: Service, { linkToken, releaseId }: Keys) => {
  const link = { id: "", documentId: releaseId, qrSvg: "", token: linkToken, url: "" }
  return { copy: await sha256Of(view(service, await verified(service, link))) }
}
