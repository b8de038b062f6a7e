import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { connectApp, fhir } from "../http/fhir/Apps.ts"
import type { SignedIn } from "../support/Client.ts"
import { until } from "../support/Until.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { openPortal } from "./Portal.ts"
import { largeRecord, recordDigest } from "./record/Large.ts"
import { openRecord, share, sharePatient, wholeRecord } from "./record/Records.ts"

const { database, portal, service } = await openPortal()
const browser = await openBrowser()
const owner = await database.connect("owner")

const categories = ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"]

/** Enough resources that each large type takes several pages. RECORD_ITEMS=30000 makes a record of 60 MB. */
const texts = largeRecord(Number(process.env["RECORD_ITEMS"] ?? "6500"))
const whole = { items: Object.values(texts).flat().length, digest: recordDigest(texts) }
const shared = await share(service, texts, {}, { sensitiveCategories: categories })
const { veteran } = shared
const app = await connectApp(service, owner, veteran, { categories })

/** Opens a tab at a page without a script, and notes the encodings of the service's answers. */
const openPage = async (origin: string) => {
  const { expect, page } = await openTab(browser)
  expect(/404/)
  await page.goto(`${origin}/nothing`)
  const codings: Array<string | undefined> = []
  page.on("response", (response) => {
    if (response.url().startsWith(service.url)) codings.push(response.headers()["content-encoding"])
  })
  return { codings, page }
}

interface Reading {
  readonly first: string
  readonly headers: SignedIn["headers"]
}

/**
 * Reads all pages of the record with the tab's `fetch`. Returns the number of resources, and their digest as
 * `recordDigest` computes it.
 */
const readAll = (page: Page, reading: Reading) =>
  page.evaluate(async ({ first, headers }: Reading) => {
    const texts: Array<string> = []
    for (let next: string | undefined = first; next !== undefined;) {
      const response: Response = await fetch(next, { headers })
      const { entry, items, link, nextCursor }: any = await response.json()
      for (const { resource, search } of items ?? entry) {
        if (search?.mode !== "outcome") texts.push(JSON.stringify(resource))
      }
      next = link?.find(({ relation }: { relation: string }) => relation === "next")?.url ??
        (typeof nextCursor === "string" ? `${first}&cursor=${nextCursor}` : undefined)
    }
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(texts.sort().join()))
    return { items: texts.length, digest: new Uint8Array(bytes).toHex() }
  }, reading)

describe("A record of thousands of items in a browser", { timeout: 240_000 }, () => {
  test("The portal reads all of it", async () => {
    const { page } = await openTab(browser)
    page.setDefaultTimeout(120_000)
    await openRecord({ page }, portal, shared)
    await wholeRecord(page)
    const rows = await page.getByRole("table", { name: "Items" }).getAttribute("aria-rowcount")
    assert.strictEqual(rows, `${1 + whole.items}`)
  })

  test("A page of an admitted origin reads all of it", async () => {
    const { codings, page } = await openPage(portal)
    const first = `${service.url}/api/veteran/me/health-record?limit=1000`
    assert.deepStrictEqual(await readAll(page, { first, headers: veteran.headers }), whole)
    assert.include(codings, "zstd")
  })

  test("An app of any origin reads all of it by $everything", async () => {
    const { codings, page } = await openPage(portal.replace("localhost", "127.0.0.1"))
    const first = `${service.url}${fhir}/Patient/${veteran.id}/$everything`
    assert.deepStrictEqual(await readAll(page, { first, headers: app.headers }), whole)
    assert.include(codings, "zstd")
  })

  test("A page over 4 MB arrives in an encoding that the browser accepts", async () => {
    const { codings, page } = await openPage(portal)
    const devTools = await page.context().newCDPSession(page)
    await devTools.send("Network.enable")
    const send = devTools.send.bind(devTools) as (method: string, given: object) => Promise<unknown>
    const { DocumentReference } = texts
    const documents = { items: 150, digest: recordDigest({ DocumentReference: DocumentReference! }) }
    const first = `${service.url}${fhir}/Patient/${veteran.id}/$everything?_type=DocumentReference`
    for (
      const [taken, accepted, coding] of [
        [undefined, "gzip, deflate, br, zstd", "zstd"],
        [["zstd"], "zstd", "zstd"],
        [["gzip", "deflate", "br"], "gzip, deflate, br", "gzip"],
        [["gzip"], "gzip", "gzip"],
        [["br", "deflate"], "deflate, br", undefined],
        [[], undefined, undefined]
      ] as const
    ) {
      if (taken !== undefined) await send("Network.setAcceptedEncodings", { encodings: [...taken] })
      // On a busy machine, an answer that could not be compressed in time comes uncompressed. The test then reads
      // again.
      await until(`${accepted} is answered in ${coding}`, async () => {
        const asking = page.waitForRequest((request) => request.method() === "GET")
        assert.deepStrictEqual(await readAll(page, { first, headers: app.headers }), documents)
        assert.strictEqual((await (await asking).allHeaders())["accept-encoding"], accepted)
        return codings.at(-1) === coding
      })
    }
  })
})

test("A record of 3,165 resources needs at most eight answers", async () => {
  const { page, requests } = await openTab(browser)
  await openRecord({ page }, portal, await sharePatient(service, "syn-kristie55-treutel973"))
  await page.getByText("3,008 items", { exact: true }).waitFor()
  assert.isAtMost(requests.filter((request) => request.includes("/record?")).length, 8)
})
