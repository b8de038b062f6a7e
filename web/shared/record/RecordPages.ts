import type { Span } from "../../../src/clinical/JsonSpans.ts"
import type { About, Access, Failure, Section } from "./Messages.ts"
import { cutRecord } from "./RecordCut.ts"
import type { ReceivedItem } from "./RecordReading.ts"

/**
 * The types of the first glance, which are fetched first. A type comes before the types whose items it names:
 * Medication before MedicationRequest.
 */
export const firstTypes: ReadonlyArray<string> = [
  "Patient",
  "AllergyIntolerance",
  "Immunization",
  "Condition",
  "Medication",
  "MedicationRequest",
  "MedicationStatement",
  "MedicationDispense",
  "MedicationAdministration",
  "Observation"
]

/**
 * The most items of each type in the first answer. Most types have fewer items, so they need no further answer. The
 * veteran's account of disclosures also stays short, because it lists each answer as a view.
 */
const firstLimit = 200

/** The largest page (contract, part 9). */
const pageLimit = 1000

/** The largest page of the list of changes. */
const changesLimit = 200

/** Pages fetched in parallel. The service prepares only a few large answers at the same time. */
const atOnce = 4

/** The most bytes of a record that this thread keeps. The page says that the rest is missing. */
const maxBytes = 256 * 1024 * 1024

/** Pauses before a request is repeated, in milliseconds, after the network or the service failed. */
const waits = [1_000, 3_000]

const maxWaitMs = 60_000

interface ReceivedSection extends Section {
  readonly nextCursor: string | null
  readonly items: ReadonlyArray<{ readonly fhirId: string; readonly resource: number }>
}

interface Answer {
  readonly veteran: { readonly callSign: string }
  readonly grant: { readonly purpose: string; readonly expiresAt: string }
  readonly alerts: About["alerts"]
  readonly sections: ReadonlyArray<ReceivedSection>
  readonly selfReported: About["selfReported"]
  readonly notes: About["notes"]
  readonly documents: About["documents"]
}

export interface Page {
  readonly resourceType: string
  readonly items: ReadonlyArray<ReceivedItem>
  readonly bytes: Uint8Array
  /** True if this is the last page of the type. */
  readonly isLast: boolean
}

interface ChangesAnswer {
  readonly since: string | null
  readonly items: ReadonlyArray<
    { readonly resourceType: string; readonly fhirId: string; readonly how: "new" | "changed" }
  >
  readonly nextCursor: string | null
}

/** What is new or changed since the provider looked before, by `Type/id`. */
export interface Changes {
  readonly since: string | null
  readonly hows: ReadonlyMap<string, "new" | "changed">
}

interface UnreadType {
  readonly resourceType: string
  readonly itemCount: number
  readonly cursor: string
}

/** Why a request failed, as an exception of this thread. */
export class RequestFailure {
  readonly failure: Failure
  constructor(failure: Failure) {
    this.failure = failure
  }
}

interface Listener {
  readonly about: (about: About) => void
  /** Called with each page. It must return immediately, because the next page is requested after it. */
  readonly page: (page: Page) => void
  /** Called with undefined if the list could not be loaded. */
  readonly changes: (changes: Changes | undefined) => void
}

/** Reads the pages of a record: the first page of every type in one answer, then the rest, several at a time. */
export class RecordPages {
  private access: Access
  private readonly path: string
  private readonly listener: Listener
  private isOpen = false
  private hasChanges = false
  private bytes = 0
  /** The types with more pages, each with the cursor of its next page. */
  private unread: Array<UnreadType> = []

  constructor(veteranId: string, access: Access, listener: Listener) {
    this.access = access
    this.path = `/api/provider/patients/${encodeURIComponent(veteranId)}/record`
    this.listener = listener
  }

  /** Reads the rest of the record. Throws `RequestFailure`; a second call continues where the first one stopped. */
  async read(access: Access): Promise<void> {
    this.access = access
    if (!this.isOpen) await this.readFirst()
    const lanes = Array.from({ length: atOnce }, () => this.readLeft())
    const ends = await Promise.allSettled([...lanes, this.readChanges()])
    const failed = ends.find((end) => end.status === "rejected")
    if (failed !== undefined) throw failed.reason
  }

  private async readFirst() {
    const { answer, bytes, spans } = await this.ask(`limit=${firstLimit}`)
    const { alerts, documents, grant, notes, sections, selfReported, veteran } = answer
    this.listener.about({
      callSign: veteran.callSign,
      purpose: grant.purpose,
      expiresAt: grant.expiresAt,
      since: null,
      isOfRange: false,
      alerts,
      sections: sections.map(({ items: _, nextCursor: __, ...section }) => section),
      selfReported,
      notes,
      documents
    })
    this.isOpen = true
    for (const section of sections) this.take(section, bytes, spans)
  }

  private async readLeft() {
    for (let next = this.unread.shift(); next !== undefined; next = this.unread.shift()) {
      const { cursor, resourceType } = next
      try {
        const query = new URLSearchParams({ resourceType, cursor, limit: `${pageLimit}` })
        const { answer, bytes, spans } = await this.ask(query.toString())
        const section = answer.sections.find((one) => one.resourceType === resourceType)
        if (section !== undefined) this.take(section, bytes, spans)
      } catch (failed) {
        this.unread.unshift(next)
        throw failed
      }
    }
  }

  /**
   * Without this list the record is whole all the same. Only a refusal that ends the reader's access ends the reading.
   */
  private async readChanges() {
    if (this.hasChanges) return
    try {
      this.listener.changes(await this.changes())
      this.hasChanges = true
    } catch (failed) {
      if (failed instanceof RequestFailure && endsAccess(failed.failure)) throw failed
      this.listener.changes(undefined)
    }
  }

  /** The service compares with the look before the one that `readFirst` began. */
  private async changes(): Promise<Changes> {
    const hows = new Map<string, "new" | "changed">()
    let query = new URLSearchParams({ limit: `${changesLimit}` })
    for (;;) {
      const bytes = await this.answer(`/changes?${query}`)
      const { items, nextCursor, since }: ChangesAnswer = JSON.parse(new TextDecoder().decode(bytes))
      for (const { fhirId, how, resourceType } of items) hows.set(`${resourceType}/${fhirId}`, how)
      if (nextCursor === null) return { since, hows }
      query = new URLSearchParams({ limit: `${changesLimit}`, cursor: nextCursor })
    }
  }

  private take(
    { itemCount, items, nextCursor, resourceType }: ReceivedSection,
    bytes: Uint8Array,
    spans: ReadonlyArray<Span>
  ) {
    if (nextCursor !== null) {
      this.unread.push({ resourceType, itemCount, cursor: nextCursor })
      this.unread.sort(byUrgency)
    }
    this.listener.page({
      resourceType,
      items: items.map(({ fhirId, resource }) => ({ fhirId, span: spans[resource]! })),
      bytes,
      isLast: nextCursor === null
    })
  }

  private async ask(query: string) {
    const bytes = await this.answer(`?${query}`)
    if ((this.bytes += bytes.length) > maxBytes) throw new RequestFailure({ status: 0, error: "record_too_large" })
    const { answer, spans } = cutRecord(bytes)
    return { answer: answer as Answer, spans, bytes }
  }

  private async answer(path: string): Promise<Uint8Array> {
    for (let tries = 0;; tries++) {
      try {
        return await this.fetched(path)
      } catch (failed) {
        const failure = failed instanceof RequestFailure ? failed.failure : unreachable
        const wait = waitAfter(failure, tries)
        if (wait === undefined) throw new RequestFailure(failure)
        await new Promise((resume) => setTimeout(resume, wait))
      }
    }
  }

  private async fetched(path: string): Promise<Uint8Array> {
    const response = await fetch(`${this.access.api}${this.path}${path}`, {
      headers: { authorization: this.access.authorization },
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer"
    })
    if (response.ok) return new Uint8Array(await response.arrayBuffer())
    const problem = await response.json().catch(() => ({}))
    throw new RequestFailure({ ...problem, status: response.status, error: problem.error ?? "unreachable" })
  }
}

const endsAccess = ({ error, status }: Failure) => error === "consent_required" || status === 401

const unreachable: Failure = { status: 0, error: "unreachable" }

/** The milliseconds after which to repeat the request, or undefined to give up. */
const waitAfter = ({ error, retryAfterSeconds = 5, status }: Failure, tries: number) => {
  if (status === 429) return tries < 5 ? Math.min(retryAfterSeconds * 1000, maxWaitMs) : undefined
  return error === "unreachable" || status >= 500 ? waits[tries] : undefined
}

export const rankOf = (type: string) => firstTypes.includes(type) ? firstTypes.indexOf(type) : firstTypes.length

/**
 * Types of the first glance come first. Then comes the type with the most items, because the pages of one type cannot
 * be fetched in parallel.
 */
const byUrgency = (a: UnreadType, b: UnreadType) =>
  Number(firstTypes.includes(b.resourceType)) - Number(firstTypes.includes(a.resourceType)) || b.itemCount - a.itemCount
