import { cutList } from "../../../src/clinical/RecordCut.ts"
import type { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import type { About, Access, Alert, Note, Section, SelfReported } from "../../shared/record/Messages.ts"
import { PageFetcher } from "../../shared/record/PageFetcher.ts"
import {
  type Listener,
  pageLimit,
  type RecordPages,
  type UnreadPage,
  UnreadPages
} from "../../shared/record/RecordPages.ts"

interface ListPage<Item> {
  readonly items: ReadonlyArray<Item>
  readonly nextCursor: string | null
}

interface ReceivedItem {
  readonly id: string
  readonly fhirId: string
  readonly sensitiveCategories: ReadonlyArray<SensitiveCategory>
  /** The index of the resource's span. */
  readonly resource: number
}

/** The veteran's own record: first how complete it is and what the veteran wrote, then the items, type by type. */
export class OwnPages implements RecordPages {
  private readonly fetcher: PageFetcher
  private readonly listener: Listener
  private readonly unread = new UnreadPages()
  private isOpen = false

  constructor(veteranId: string, access: Access, listener: Listener) {
    this.fetcher = new PageFetcher(`/api/veteran/${encodeURIComponent(veteranId)}`, access)
    this.listener = listener
  }

  async read(access: Access): Promise<void> {
    this.fetcher.access = access
    if (!this.isOpen) await this.readFirst()
    await this.unread.empty((page) => this.readPage(page))
  }

  private async readFirst() {
    const [manifest, alerts, selfReported, notes] = await Promise.all([
      this.fetcher.json<Readonly<Record<string, Omit<Section, "resourceType">>>>("/health-record/manifest"),
      this.fetcher.json<ListPage<Alert>>("/alerts"),
      this.list<SelfReported>("/self-reported-entries"),
      this.list<Note>("/provider-notes")
    ])
    const sections = Object.entries(manifest).map(([resourceType, entry]) => ({ ...entry, resourceType }))
    this.listener.about({ ...ownFrame, alerts: alerts.items, sections, selfReported, notes })
    this.isOpen = true
    this.unread.add(...sections.map(({ itemCount, resourceType }) => ({ resourceType, itemCount, cursor: null })))
  }

  private async readPage({ cursor, itemCount, resourceType }: UnreadPage) {
    const query = new URLSearchParams({ resourceType, limit: `${pageLimit}`, ...(cursor === null ? {} : { cursor }) })
    const bytes = await this.fetcher.page(`/health-record?${query}`)
    const { answer, spans } = cutList(bytes)
    const { items, nextCursor } = answer as ListPage<ReceivedItem>
    if (nextCursor !== null) this.unread.add({ resourceType, itemCount, cursor: nextCursor })
    this.listener.page({
      resourceType,
      items: items.map(({ fhirId, id, resource, sensitiveCategories }) => ({
        id,
        fhirId,
        sensitiveCategories,
        span: spans[resource]!
      })),
      bytes,
      isLast: nextCursor === null
    })
  }

  /** All pages of a list. */
  private async list<Item>(path: string): Promise<ReadonlyArray<Item>> {
    const items: Array<Item> = []
    for await (const page of this.fetcher.list<ListPage<Item>>(path)) items.push(...page.items)
    return items
  }
}

/** Nobody shares this record with its reader, so nothing of a share is told. */
const ownFrame: Pick<About, "callSign" | "documents" | "expiresAt" | "isOfRange" | "purpose" | "since"> = {
  callSign: "",
  purpose: "",
  expiresAt: "",
  since: null,
  isOfRange: false,
  documents: []
}
