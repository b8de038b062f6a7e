import { createHash } from "node:crypto"
import type pg from "pg"
import { assert } from "vitest"
import { call, type SignedIn } from "./Client.ts"
import type { Service } from "./Service.ts"

type Target = Pick<Service, "url">

/** The resources of each type, as the exact texts that go over the wire. */
export type Texts = Readonly<Record<string, ReadonlyArray<string>>>

export type Digests = Readonly<Record<string, string>>

export const syncBody = (statuses: Readonly<Record<string, string>>, resources: Texts = {}, unchanged?: Digests) => {
  const lists = Object.entries(resources).map(([type, texts]) => `${JSON.stringify(type)}:[${texts.join(",")}]`)
  return `{"fhirResourceFetchStatuses":${JSON.stringify(statuses)},"resources":{${lists.join(",")}}${
    unchanged === undefined ? "" : `,"unchanged":${JSON.stringify(unchanged)}`
  }}`
}

export const syncPath = "/api/veteran/me/health-record/sync"

/** Sends a sync and returns any answer. */
export const postSync = (
  service: Target,
  veteran: Pick<SignedIn, "headers">,
  statuses: Readonly<Record<string, string>>,
  resources: Texts = {},
  unchanged?: Digests
) => call(service, "POST", syncPath, { headers: veteran.headers, body: syncBody(statuses, resources, unchanged) })

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** Returns the digest of one type's resources (contract, part 5). */
export const digestOf = (texts: ReadonlyArray<string>) =>
  sha256(texts.map((text) => `${JSON.parse(text).id} ${sha256(text)}\n`).sort().join(""))

/** Synchronises a record. Any answer except success fails the test. */
export const sync = async (...request: Parameters<typeof postSync>) => {
  const answer = await postSync(...request)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer
}

const labels = { hiv: "HIV", alcohol_abuse: "ETHUD", sickle_cell: "SICKLE" }

export type Category = keyof typeof labels

interface Meta {
  readonly version?: string | number
  readonly categories?: ReadonlyArray<Category>
}

/** Makes a resource's text. Its security labels set its sensitive categories. */
export const resource = (resourceType: string, id: string, { categories = [], version }: Meta = {}) => {
  const security = categories.map((category) => ({
    system: "http://terminology.hl7.org/CodeSystem/v3-ActCode",
    code: labels[category]
  }))
  const meta = {
    ...version !== undefined && { versionId: `${version}` },
    ...security.length > 0 && { security }
  }
  return JSON.stringify({ resourceType, id, ...Object.keys(meta).length > 0 && { meta } })
}

export interface ReadItem {
  readonly id: string
  readonly resourceType: string
  readonly fhirId: string
  readonly active: boolean
  readonly syncedAt: string
  readonly sensitiveCategories: ReadonlyArray<string>
  /** The exact text from the answer. */
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
    const texts = resourceTexts(answer.text)
    items.push(
      ...answer.json.items.map(({ resource: _, ...item }: any, index: number) => ({
        ...item,
        text: texts[index]!.text
      }))
    )
    cursor = answer.json.nextCursor
    manifest = answer.json.manifest
  } while (cursor !== null)
  return { items, manifest }
}

/** Cuts the text of each member `resource` out of a page by counting brackets, without parsing it. */
export const resourceTexts = (page: string): ReadonlyArray<{ readonly text: string; readonly end: number }> => {
  const found: Array<{ text: string; end: number }> = []
  for (let at = page.indexOf(member); at >= 0; at = page.indexOf(member, at)) {
    const start = at + member.length - 1
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
    found.push({ text: page.slice(start, ++at), end: at })
  }
  return found
}

const member = "\"resource\":{"

export interface StoredRow {
  readonly resource_type: string
  readonly fhir_id: string
  readonly active: boolean
  readonly xmin: string
  readonly raw_ciphertext: Buffer
  readonly content_mac: Buffer
}

/** Reads the rows of a veteran's items as the superuser sees them. */
export const storedRows = async (superuser: pg.Client, veteranId: string): Promise<ReadonlyArray<StoredRow>> => {
  const { rows } = await superuser.query(
    "select *, xmin::text from health_record_items where veteran_id = $1 order by resource_type, fhir_id",
    [veteranId]
  )
  return rows
}
