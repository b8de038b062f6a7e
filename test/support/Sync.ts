import { randomUUID } from "node:crypto"
import type pg from "pg"
import { assert } from "vitest"
import { bearer, call, type SignedIn, withExchangeSecret } from "./Client.ts"
import type { Service } from "./Service.ts"

type Target = Pick<Service, "url">

/** Registers veterans by SQL, as the owner: over HTTP many of them would take longer than the test. */
export const registerVeterans = async (
  owner: pg.Client,
  count: number
): Promise<ReadonlyArray<{ id: string; vaPatientId: string }>> => {
  const veterans = Array.from({ length: count }, () => ({ id: randomUUID(), vaPatientId: `icn-${randomUUID()}` }))
  await owner.query(
    "insert into veterans (id, va_patient_id, call_sign, email) select id, icn, 'Eagle', 'eagle@example.org' from unnest($1::uuid[], $2::text[]) as v (id, icn)",
    [veterans.map(({ id }) => id), veterans.map(({ vaPatientId }) => vaPatientId)]
  )
  return veterans
}

export const signIn = async (
  service: Target,
  { id, vaPatientId }: { readonly id: string; readonly vaPatientId: string }
): Promise<SignedIn> => {
  const session = await call(service, "POST", "/api/auth/veteran/session", {
    headers: withExchangeSecret,
    body: { vaPatientId }
  })
  assert.strictEqual(session.status, 200, session.text)
  return { id, token: session.json.accessToken, headers: bearer(session.json.accessToken) }
}

/** Resources by type, as the exact texts that go over the wire. */
export type Texts = Readonly<Record<string, ReadonlyArray<string>>>

export const syncBody = (statuses: Readonly<Record<string, string>>, resources: Texts = {}) => {
  const lists = Object.entries(resources).map(([type, texts]) => `${JSON.stringify(type)}:[${texts.join(",")}]`)
  return `{"fhirResourceFetchStatuses":${JSON.stringify(statuses)},"resources":{${lists.join(",")}}}`
}

export const syncPath = "/api/veteran/me/health-record/sync"

export const sync = (
  service: Target,
  veteran: SignedIn,
  statuses: Readonly<Record<string, string>>,
  resources: Texts = {}
) => call(service, "POST", syncPath, { headers: veteran.headers, body: syncBody(statuses, resources) })

export const resource = (resourceType: string, id: string, version: string | number = 1) =>
  JSON.stringify({ resourceType, id, meta: { versionId: `${version}` } })

export interface ReadItem {
  readonly id: string
  readonly resourceType: string
  readonly fhirId: string
  readonly active: boolean
  readonly syncedAt: string
  /** The exact text in the answer. */
  readonly text: string
}

/** Reads every page of a veteran's record. */
export const readRecord = async (service: Target, veteran: SignedIn, query: Record<string, string> = {}) => {
  const items: Array<ReadItem> = []
  let cursor: string | null = null
  let manifest: any
  do {
    const page = new URLSearchParams({ ...query, ...(cursor === null ? {} : { cursor }) })
    const answer = await call(service, "GET", `/api/veteran/me/health-record?${page}`, { headers: veteran.headers })
    assert.strictEqual(answer.status, 200, answer.text)
    const texts = resourceTexts(answer.text, answer.json.items.length)
    items.push(
      ...answer.json.items.map(({ resource: _, ...item }: any, index: number) => ({ ...item, text: texts[index] }))
    )
    cursor = answer.json.nextCursor
    manifest = answer.json.manifest
  } while (cursor !== null)
  return { items, manifest }
}

/** The text of each item's `resource`, its last member, cut out of a page by counting brackets. */
const resourceTexts = (page: string, count: number) => {
  let at = 0
  return Array.from({ length: count }, () => {
    const start = page.indexOf("\"resource\":", at) + "\"resource\":".length
    let depth = 0
    let inString = false
    for (at = start;; at++) {
      const character = page[at]
      if (inString) {
        if (character === "\\") at++
        else if (character === "\"") inString = false
      } else if (character === "\"") inString = true
      else if (character === "{" || character === "[") depth++
      else if ((character === "}" || character === "]") && --depth === 0) break
    }
    return page.slice(start, ++at)
  })
}

export interface StoredRow {
  readonly resource_type: string
  readonly fhir_id: string
  readonly active: boolean
  readonly xmin: string
  readonly raw_ciphertext: Buffer
  readonly content_mac: Buffer
}

/** The rows of a veteran's items as the superuser sees them. */
export const storedRows = async (superuser: pg.Client, veteranId: string): Promise<ReadonlyArray<StoredRow>> => {
  const { rows } = await superuser.query(
    "select *, xmin::text from health_record_items where veteran_id = $1 order by resource_type, fhir_id",
    [veteranId]
  )
  return rows
}

/** Waits until `condition` holds, asking again and again. */
export const until = async <A>(what: string, condition: () => Promise<A | undefined | false>): Promise<A> => {
  const end = Date.now() + 25_000
  for (;;) {
    const found = await condition()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`)
    await new Promise((resume) => setImmediate(resume))
  }
}
