import type { Span } from "../../../src/clinical/JsonSpans.ts"
import { cutRecord } from "../../../src/clinical/RecordCut.ts"
import type { About, Access, Failure, Section } from "../../shared/record/Messages.ts"
import { PageFetcher, RequestFailure } from "../../shared/record/PageFetcher.ts"
import {
  type Changes,
  type Listener,
  pageLimit,
  type RecordPages,
  type UnreadPage,
  UnreadPages
} from "../../shared/record/RecordPages.ts"

/**
 * The most items of each type in the first answer. Most types have fewer items, so they need no further answer. The
 * veteran's account of disclosures also stays short, because it lists each answer as a view.
 */
const firstLimit = 200

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

interface ChangesAnswer {
  readonly since: string | null
  readonly items: ReadonlyArray<
    { readonly resourceType: string; readonly fhirId: string; readonly how: "new" | "changed" }
  >
  readonly nextCursor: string | null
}

/** A record as a provider reads it: the first page of every type in one answer, then the rest. */
export class SharedPages implements RecordPages {
  private readonly fetcher: PageFetcher
  private readonly listener: Listener
  private readonly unread = new UnreadPages()
  private isOpen = false
  private hasChanges = false

  constructor(veteranId: string, access: Access, listener: Listener) {
    this.fetcher = new PageFetcher(`/api/provider/patients/${encodeURIComponent(veteranId)}/record`, access)
    this.listener = listener
  }

  async read(access: Access): Promise<void> {
    this.fetcher.access = access
    if (!this.isOpen) await this.readFirst()
    await this.unread.empty((page) => this.readPage(page), this.readChanges())
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

  private async readPage({ cursor, resourceType }: UnreadPage) {
    const query = new URLSearchParams({ resourceType, cursor: cursor!, limit: `${pageLimit}` })
    const { answer, bytes, spans } = await this.ask(query.toString())
    const section = answer.sections.find((one) => one.resourceType === resourceType)
    if (section !== undefined) this.take(section, bytes, spans)
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
    let compared: string | null = null
    for await (const { items, since } of this.fetcher.list<ChangesAnswer>("/changes")) {
      compared = since
      for (const { fhirId, how, resourceType } of items) hows.set(`${resourceType}/${fhirId}`, how)
    }
    return { since: compared, hows }
  }

  private take(
    { itemCount, items, nextCursor, resourceType }: ReceivedSection,
    bytes: Uint8Array,
    spans: ReadonlyArray<Span>
  ) {
    if (nextCursor !== null) this.unread.add({ resourceType, itemCount, cursor: nextCursor })
    this.listener.page({
      resourceType,
      items: items.map(({ fhirId, resource }) => ({ fhirId, span: spans[resource]! })),
      bytes,
      isLast: nextCursor === null
    })
  }

  private async ask(query: string) {
    const bytes = await this.fetcher.page(`?${query}`)
    const { answer, spans } = cutRecord(bytes)
    return { answer: answer as Answer, spans, bytes }
  }
}

const endsAccess = ({ error, status }: Failure) => error === "consent_required" || status === 401
