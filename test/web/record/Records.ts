import type { Browser, Locator, Page } from "playwright-core"
import { call, giveGrant, type SignedIn, signInProvider, signInVeteran } from "../../support/Client.ts"
import { patientTexts } from "../../support/Collection.ts"
import type { Service } from "../../support/Service.ts"
import { sync, type Texts } from "../../support/Sync.ts"
import { openTab, type Tab } from "../Browser.ts"
import { enterPortal } from "../Portal.ts"

type Target = Pick<Service, "url">

/** A veteran with a record, and a provider with whom it is shared. */
export interface Shared {
  readonly veteran: SignedIn
  readonly provider: SignedIn & { readonly email: string }
  readonly grant: { readonly id: string }
}

/** Synchronizes a record and shares it. Its types are complete unless `statuses` says otherwise. */
export const share = async (
  service: Target,
  resources: Texts,
  statuses: Readonly<Record<string, string>> = {},
  changes: Record<string, unknown> = {},
  provider?: Shared["provider"]
): Promise<Shared> => {
  const veteran = await signInVeteran(service)
  const complete = Object.fromEntries(Object.keys(resources).map((type) => [type, "complete"]))
  await sync(service, veteran, { ...complete, ...statuses }, resources)
  const reader = provider ?? await signInProvider(service)
  return { veteran, provider: reader, grant: await giveGrant(service, veteran, reader, changes) }
}

/** Shares the record of a patient from `test/fixtures/fhir` or `FHIR_COLLECTION`. */
export const sharePatient = (service: Target, patient: string, ...rest: ReadonlyArray<Record<string, string>>) =>
  share(service, patientTexts(patient), ...rest)

/** Adds an entry in the veteran's own words. */
export const selfReport = (service: Target, veteran: Pick<SignedIn, "headers">, body: unknown) =>
  call(service, "POST", "/api/veteran/me/self-reported-entries", { headers: veteran.headers, body })

/** Signs in at the address of a record, which then opens. */
export const openRecord = ({ page }: Pick<Tab, "page">, portal: string, { provider, veteran }: Shared) =>
  enterPortal(page, portal, provider.email, `#/patients/${veteran.id}`)

/** Waits until the page has every item of the record. */
export const wholeRecord = (page: Page) => page.getByRole("status").filter({ hasText: /^[\d,]+ items?$/ }).waitFor()

/** Opens a record in a new tab, and waits until the page has every item. */
export const openWhole = async (browser: Browser, portal: string, shared: Shared) => {
  const tab = await openTab(browser)
  await openRecord(tab, portal, shared)
  await wholeRecord(tab.page)
  return tab
}

/** The record's card called `name`. */
export const card = (page: Page, name: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { level: 2, name }) })

/** The elements' visible texts, each on one line. */
export const textsOf = async (elements: Locator) =>
  (await elements.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim())

/** The text of each line of a card. */
export const linesOf = (page: Page, name: string) => textsOf(card(page, name).getByRole("listitem"))
