import type { Page } from "playwright-core"
import { assert } from "vitest"
import { call, type SignedIn } from "../../support/Client.ts"
import { patientTexts } from "../../support/Collection.ts"
import { sync, type Texts } from "../../support/Sync.ts"
import { heading } from "../Portal.ts"
import { selfReport } from "../record/Records.ts"
import { inspectVeteranApp } from "./Inspected.ts"
import { newVeteran, type VeteranApp } from "./VeteranApp.ts"

/** A veteran with a record. Its types are complete unless `statuses` says otherwise. */
export const withRecord = async (
  app: VeteranApp,
  texts: Texts,
  statuses: Readonly<Record<string, string>> = {}
) => {
  const veteran = await newVeteran(app)
  const complete = Object.fromEntries(Object.keys(texts).map((type) => [type, "complete"]))
  await sync(app.service, veteran, { ...complete, ...statuses }, texts)
  return veteran
}

/** Eagle One of the sandbox VA: two kinds of the record are not complete, and one was never loaded. */
export const eagleOne = (app: VeteranApp) =>
  withRecord(app, patientTexts("va-florentino8-raynor401"), {
    Procedure: "partial",
    AllergyIntolerance: "empty",
    DocumentReference: "unavailable"
  })

/** Adds entries in the veteran's own words. */
export const write = async (
  { service }: VeteranApp,
  veteran: Pick<SignedIn, "headers">,
  ...entries: ReadonlyArray<{ readonly category: string; readonly text: string; readonly occurredOn?: string }>
) => {
  for (const entry of entries) {
    const { status, text } = await selfReport(service, veteran, entry)
    assert.strictEqual(status, 201, text)
  }
}

/** Opens the record, and waits until all of it is there. */
export const openOwnRecord = async (...[app, veteran]: Parameters<typeof inspectVeteranApp>) => {
  const tab = await inspectVeteranApp(app, veteran, { route: "#/record" })
  await wholeOwn(tab.page)
  return tab
}

export const wholeOwn = async (page: Page) => {
  await heading(page, "My record").waitFor()
  await page.getByText("Everything else").waitFor()
  await page.getByText(/loading/i).first().waitFor({ state: "detached" })
}

/** Follows a route within the page, as a link does. */
export const follow = (page: Page, route: string) => page.evaluate((route) => void (location.hash = route), route)

/** The ids of the record's items, by `Type/id`. */
export const itemIds = async ({ service }: VeteranApp, veteran: Pick<SignedIn, "headers">) => {
  const { json } = await call(service, "GET", "/api/veteran/me/health-record?limit=1000", { headers: veteran.headers })
  return new Map<string, string>(
    json.items.map(({ fhirId, id, resourceType }: any) => [`${resourceType}/${fhirId}`, id])
  )
}
