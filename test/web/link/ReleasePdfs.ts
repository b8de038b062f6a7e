import { PDFDocument, StandardFonts } from "pdf-lib"
import type { Page } from "playwright-core"

/** A chosen type in `authorization.json` (contract, part 6). */
export interface SignedType {
  readonly resourceType: string
  readonly state?: string
  readonly lastFetch?: string
  readonly itemCount?: number
  readonly lastFetchAt?: string | null
  readonly lastCompleteAt?: string | null
}

interface Content {
  /** Replaces members of the authorization. */
  readonly changes?: Record<string, unknown>
  readonly types?: ReadonlyArray<SignedType>
  readonly resources?: ReadonlyArray<Record<string, unknown> & { readonly resourceType: string }>
  /** The text of each page; an empty one is like a scan. */
  readonly pages?: ReadonlyArray<string>
  readonly documents?: ReadonlyArray<string>
}

const today = () => new Date().toISOString()

/** A PDF that carries a record as a release does, signed at a moment and for a record that the service cannot have. */
export const releasePdf = async (
  { changes = {}, documents = [], pages = ["The authorization"], resources = [], types = [] }: Content
): Promise<Buffer> => {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (const text of pages) pdf.addPage().drawText(text, { x: 50, y: 700, font })
  const authorization = {
    veteran: { fullName: "Sean O'Hara", dateOfBirth: "1962-03-04" },
    information: {
      resourceTypes: types.map(({ resourceType }) => resourceType),
      dateFrom: null,
      dateTo: null,
      documents: documents.map((title) => ({ title }))
    },
    signedAt: today(),
    endsAt: "2099-01-01T00:00:00.000Z",
    record: types.map((type) => ({
      state: "complete",
      lastFetch: "complete",
      itemCount: resources.filter(({ resourceType }) => resourceType === type.resourceType).length,
      lastFetchAt: today(),
      lastCompleteAt: today(),
      ...type
    })),
    ...changes
  }
  const entry = resources.map((resource, index) => ({
    fullUrl: `urn:${index}`,
    resource: "id" in resource ? resource : { id: `${index}`, ...resource }
  }))
  const files = { "authorization.json": authorization, "record.fhir.json": { resourceType: "Bundle", entry } }
  for (const [name, json] of Object.entries(files)) await pdf.attach(Buffer.from(JSON.stringify(json)), name)
  for (const title of documents) await pdf.attach(Buffer.from(title), title)
  return Buffer.from(await pdf.save())
}

/** The link opens this file in place of the one that the service made. */
export const openInstead = (page: Page, portal: string, body: Buffer) =>
  page.route("**/api/secure-links/view", (route) =>
    route.fulfill({
      headers: { "access-control-allow-origin": portal, "content-type": "application/pdf" },
      body
    }))
