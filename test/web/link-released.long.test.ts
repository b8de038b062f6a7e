import { assert, describe, test } from "vitest"
import { madePatient } from "../../src/domain/fhir/Patient.ts"
import { openTab, type Tab } from "./Browser.ts"
import { frameOf, openLinks, read } from "./link/Recipients.ts"
import { openInstead, releasePdf } from "./link/ReleasePdfs.ts"
import { assertFramed, assertPressed } from "./pages/Contrast.ts"

const { browser, newLink, portal, service, veteran } = await openLinks()

/** Opens the page of a link that leads to this release. `before` runs in the new tab first. */
const openRelease = async (
  content: Parameters<typeof releasePdf>[0],
  options?: Parameters<typeof openTab>[1],
  before: (tab: Tab) => Promise<void> = async () => {}
) => {
  const tab = await openTab(browser, options)
  await before(tab)
  await openInstead(tab.page, portal, await releasePdf(content))
  await read(tab.page, portal, service, await newLink())
  return { ...tab, frame: frameOf(tab.page) }
}

const patient = (more: object = {}) => ({
  resourceType: "Patient",
  name: [{ text: "Sean O'Hara" }],
  birthDate: "1962-03-04",
  ...more
})

const problem = (text: string) => ({
  resourceType: "Condition",
  code: { text },
  clinicalStatus: { coding: [{ code: "active" }] }
})

const types = ["Patient", "Condition", "AllergyIntolerance", "MedicationRequest"].map((resourceType) => ({
  resourceType
}))

/** The allergies were last asked for years before the release was signed, and there were none. */
const oldAndEmpty = {
  resourceType: "AllergyIntolerance",
  state: "empty",
  lastFetch: "empty",
  lastFetchAt: "2024-01-02T12:00:00.000Z",
  lastCompleteAt: null
}

describe("The record that a release carries", () => {
  test("A record that holds another person's name says so before any other warning", async () => {
    const { frame } = await openRelease({
      types: [...types, { resourceType: "Observation", state: "partial", lastFetch: "partial" }],
      resources: [patient({ name: [{ text: "Jane Roe" }] })]
    })
    const first = frame.locator(".record .usa-alert--warning").first()
    await first.filter({ hasText: "This record holds another name or birth date than the authorization." }).waitFor()
    await frame.getByText("are not complete.").first().waitFor()
  })

  test("A Patient that the release made of the signed person is no item of the record", async () => {
    const made = madePatient({ id: veteran.id, fullName: "Sean O'Hara", dateOfBirth: "1962-03-04" })
    const { frame } = await openRelease({ types, resources: [made, problem("Asthma")] })
    await frame.getByRole("status").filter({ hasText: /^1 item$/ }).waitFor()
  })

  test("A record of the person who signed has no warning, frames in high-contrast colors, and sources without a copy", async () => {
    const { frame, page } = await openRelease({ types, resources: [patient(), problem("Asthma")] })
    await frame.locator(".glance-card", { hasText: "Asthma" }).waitFor()
    assert.strictEqual(await frame.getByText("holds another name").count(), 0)

    // High-contrast colors leave a frame around tags, and mark the pressed chip and the chosen tab.
    await frame.getByRole("status").filter({ hasText: /^2 items$/ }).waitFor()
    await page.emulateMedia({ forcedColors: "active" })
    await assertFramed(frame.locator(".tag"))
    await assertPressed(frame.getByRole("button", { name: "All 2" }), frame.getByRole("button", { name: "Problems 1" }))
    const lines = await frame.getByRole("tab").evaluateAll((tabs) =>
      tabs.map((tab) => {
        const { borderBottomColor, borderBottomStyle, borderBottomWidth } = getComputedStyle(tab)
        return { borderBottomColor, line: `${borderBottomStyle} ${borderBottomWidth}` }
      })
    )
    assert.deepStrictEqual(lines.map(({ line }) => line), ["solid 4px", "solid 4px"])
    assert.notStrictEqual(lines[0]!.borderBottomColor, lines[1]!.borderBottomColor)

    // A copy button could not work in a sandboxed frame.
    await frame.locator("[data-item]").first().click()
    await frame.getByText("Show the FHIR source").click()
    await frame.getByRole("group", { name: "FHIR source" }).waitFor()
    assert.strictEqual(await frame.getByRole("button", { name: "Copy the source" }).count(), 0)
  })

  test("An empty list says as of which day it is empty, in English also on the Spanish page", async () => {
    const { frame, page } = await openRelease({ types: [oldAndEmpty], resources: [] })
    const card = frame.locator(".glance-card", { hasText: "Allergies" })
    await card.getByText("None in this record as of Jan 2, 2024.").waitFor()
    assert.notInclude(await card.innerText(), "Up to date")
    await page.getByLabel("idioma").selectOption("Español")
    await frame.getByRole("tab", { name: "Expediente" }).waitFor()
    await card.getByText("None in this record as of Jan 2, 2024.").waitFor()
  })

  test("The record of a patient who died says so, gives no age, and asks nobody who died", async () => {
    const { frame, page } = await openRelease({
      types: types.slice(0, 1),
      resources: [patient({ deceasedDateTime: "2025-06-07" })]
    })
    const head = frame.getByRole("region", { name: "Patient" })
    await head.getByText("Deceased").waitFor()
    assert.match(await head.innerText(), /Born\s+Mar 4, 1962\s+Died\s+Jun 7, 2025/)
    await frame.getByText("That is not the same as none. Ask the family or the sender.").waitFor()
    await frame.locator(".warnings").getByText("Ask the family or the sender.").first().waitFor()
    assert.strictEqual(await frame.getByText("Ask the patient").count(), 0)
    await page.getByLabel("idioma").selectOption("Español")
    await frame.getByText("Pregunte a la familia o a quien lo envió.").waitFor()
    await frame.getByRole("region", { name: "Paciente" }).getByText("Persona fallecida").waitFor()
  })

  test("A list in which an item of the signed count is missing is not complete, and never none", async () => {
    const { frame } = await openRelease({
      types: [{ resourceType: "Condition", itemCount: 2 }, { resourceType: "AllergyIntolerance", itemCount: 1 }],
      resources: [problem("Asthma")]
    })
    await frame.locator(".glance-card", { hasText: "Asthma" }).getByText("Not complete").waitFor()
    const allergies = frame.locator(".glance-card", { hasText: "Allergies" })
    await allergies.getByText("Do not read this as “none.”").waitFor()
    await frame.locator(".warnings").getByText("are not complete.").waitFor()
  })

  test("The last day of use is the signed one east of UTC too", async () => {
    const { frame } = await openRelease({ types, changes: { endsAt: "2027-01-02T00:00:00.000Z" } }, {
      timezoneId: "Pacific/Auckland"
    })
    const head = frame.getByRole("region", { name: "Patient" })
    await head.waitFor()
    assert.match(await head.innerText(), /May be used until\s+Jan 1, 2027/)
  })

  test("The patient's name, birth date and death stay in sight while the record scrolls", async () => {
    const { frame, page } = await openRelease({
      types,
      resources: [patient({ deceasedDateTime: "2025-06-07" }), ...Array.from({ length: 60 }, (_, index) =>
        problem(`Problem ${index}`))]
    })
    await frame.locator("[data-item]").first().waitFor()
    await frame.getByRole("region", { name: "Patient" }).getByText("Died").waitFor()
    await page.frames().at(-1)!.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const line = frame.locator(".patient-line")
    assert.strictEqual(await line.innerText(), "Sean O'Hara · Born Mar 4, 1962 · Died Jun 7, 2025")
    const { top } = await line.evaluate((element) => element.getBoundingClientRect().toJSON())
    assert.strictEqual(top, 0)
  })

  test("Attached documents are named beside what is not in the release, and a search tells what it could not search", async () => {
    const { frame, page } = await openRelease({
      types,
      documents: ["Discharge letter.pdf", "x-ray.png"],
      pages: ["The first page", "", "The third page"]
    })
    const named = frame.getByText("2 documents are attached: Discharge letter.pdf, x-ray.png. Save them above.")
    await named.waitFor()
    await page.getByRole("button", { name: "Save x-ray.png" }).waitFor()
    await frame.getByRole("tab", { name: "Signed document" }).click()
    const status = frame.getByRole("search").getByRole("status")
    await frame.getByLabel("Search the document").fill("no such word")
    await status.getByText(
      "Not found in the text. Pages without text that we can read (such as pictures) were not searched: 1 of 3."
    ).waitFor()
    await frame.getByLabel("Search the document").fill("third")
    await status.filter({ hasText: /^1 of 1, on page 3.*were not searched: 1 of 3\.$/s }).waitFor()
    await page.getByLabel("idioma").selectOption("Español")
    await frame.getByRole("tab", { name: "Expediente" }).click()
    await frame.getByText("Hay 2 documentos adjuntos: Discharge letter.pdf, x-ray.png.").waitFor()
  })
})

describe("A release that cannot be read whole", () => {
  test("An authorization with a date that is none leaves the signed document", async () => {
    const { frame } = await openRelease({ types, changes: { endsAt: "x" } })
    await frame.getByText("This page can't read the record in this document. Read the signed document.").waitFor()
    await frame.getByRole("region", { name: "Page 1 of" }).locator("canvas").waitFor()
  })

  test("A frame that does not load is replaced by words after 15 seconds", async () => {
    const { expect, page } = await openRelease({ types }, {}, async ({ page }) => {
      await page.clock.install()
      await page.route("**/frame", (route) => route.abort())
    })
    expect(/ERR_/)
    await page.clock.fastForward(15_000)
    await page.getByText("We can't show this here. You can download it.").waitFor()
    assert.isFalse(await page.locator("iframe.release").isVisible())
  })

  test("The signed document is shown while its attachments are read, and they are awaited for a minute", async () => {
    const { frame, page } = await openRelease({ types }, {}, async ({ context, page }) => {
      await page.clock.install()
      // The thread never answers what is attached.
      await context.addInitScript(() => {
        // oxlint-disable-next-line typescript/unbound-method -- it is called on the worker
        const { postMessage } = Worker.prototype
        Worker.prototype.postMessage = function(message: { action?: string }, ...rest: [any]) {
          if (message?.action !== "GetAttachments") postMessage.call(this, message, ...rest)
        }
      })
    })
    await frame.getByRole("tab", { name: "Signed document" }).click()
    await frame.getByRole("region", { name: "Page 1 of" }).locator("canvas").waitFor()
    await page.clock.fastForward(61_000)
    await frame.getByText("This page can't read the record in this document.").waitFor()
    await frame.getByRole("region", { name: "Page 1 of" }).locator("canvas").waitFor()
  })
})
