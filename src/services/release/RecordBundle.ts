import { madePatient } from "../../domain/fhir/Patient.ts"

/** The type and id that identify an item in a bundle. */
export interface BundleItem {
  readonly resourceType: string
  readonly fhirId: string
}

export interface BundleFrame {
  readonly documentId: string
  /** ISO 8601. */
  readonly signedAt: string
  /** The service's public URL, to which the path of its FHIR API is appended. */
  readonly base: string
  /** Whom the release is about, by the authorization. */
  readonly person: Parameters<typeof madePatient>[0]
  /** The absolute URL of a Patient that every resource names, if there is one (RecordSubject.ts). */
  readonly subject: string | undefined
}

/**
 * Writes a FHIR R4 Bundle of type `collection`, sorted by type and id, with the exact text of each resource. An item's
 * `fullUrl` is `urn:uuid:<id>` if its id is a UUID and a resource of the bundle contains this URL (contract, part 13).
 * If `refersByUuid`, it first reads all items to find these ids. If no Patient is released, the bundle begins with one
 * that is made, so that the receiver's software can find the chart (contract, part 6).
 */
export const recordBundle = async function*<Item extends BundleItem>(
  { base, documentId, person, signedAt, subject }: BundleFrame,
  items: ReadonlyArray<Item>,
  bytesOf: (item: Item) => Promise<Uint8Array>,
  refersByUuid: boolean
): AsyncGenerator<Uint8Array> {
  const ordered = items.toSorted(byTypeAndId)
  const named = refersByUuid ? await namedByUuid(ordered, bytesOf) : new Set<string>()
  const head = JSON.stringify({ resourceType: "Bundle", id: documentId, type: "collection", timestamp: signedAt })
  yield Buffer.from(`${head.slice(0, -1)},"entry":[`)
  const isMade = !ordered.some(({ resourceType }) => resourceType === "Patient")
  if (isMade) {
    const fullUrl = subject ?? `${base}/api/fhir/R4/Patient/${person.id}`
    yield Buffer.from(JSON.stringify({ fullUrl, resource: madePatient(person) }))
  }
  for (const [index, item] of ordered.entries()) {
    const { fhirId, resourceType } = item
    const url = named.has(fhirId) ? `urn:uuid:${fhirId}` : `${base}/api/fhir/R4/${resourceType}/${fhirId}`
    yield Buffer.from(`${index === 0 && !isMade ? "" : ","}{"fullUrl":${JSON.stringify(url)},"resource":`)
    yield await bytesOf(item)
    yield closing
  }
  yield ending
}

const closing = Buffer.from("}")

const ending = Buffer.from("]}")

const byTypeAndId = (a: BundleItem, b: BundleItem) => {
  const [one, other] = [`${a.resourceType}/${a.fhirId}`, `${b.resourceType}/${b.fhirId}`]
  return one < other ? -1 : one > other ? 1 : 0
}

const scheme = "urn:uuid:"

export const hasUuidReference = (bytes: Buffer) => bytes.includes(scheme)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns the ids of items that a `urn:uuid:` reference names. Other ids are not kept: there may be very many. */
const namedByUuid = async <Item extends BundleItem>(
  items: ReadonlyArray<Item>,
  bytesOf: (item: Item) => Promise<Uint8Array>
) => {
  const ids = new Set(items.map(({ fhirId }) => fhirId).filter((id) => uuid.test(id)))
  const named = new Set<string>()
  for (const item of items) {
    const found = await bytesOf(item)
    const bytes = Buffer.from(found.buffer, found.byteOffset, found.byteLength)
    for (let at = bytes.indexOf(scheme); at >= 0; at = bytes.indexOf(scheme, at + scheme.length)) {
      const id = bytes.toString("latin1", at + scheme.length, at + scheme.length + 36)
      if (ids.has(id)) named.add(id)
    }
  }
  return named
}
