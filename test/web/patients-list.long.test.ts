import { assert, describe, test } from "vitest"
import { readPatientRecord } from "../http/Sharing.ts"
import { giveGrant, signInProvider } from "../support/Client.ts"
import { resource, sync, type Texts } from "../support/Sync.ts"
import { assertFramed, assertPressed } from "./pages/Contrast.ts"
import { count, inDays, openPatients, rows } from "./patients/Listing.ts"
import { broken, wordsIn } from "./record/Breaks.ts"
import { patient } from "./record/Small.ts"

const { openList, openVeteran, service } = await openPatients()

/** What list and record say of a patient after these syncs. */
interface Warned {
  readonly tag: string
  readonly box: ReadonlyArray<string>
  readonly syncs: ReadonlyArray<Readonly<Record<string, string>>>
  readonly resources?: Texts
  readonly grant?: Record<string, unknown>
}

describe("The list of patients", () => {
  test("The tag of the list and the box of the record warn of the same kinds, never of what is withheld or not shared", async () => {
    const provider = await signInProvider(service)
    const complete = { AllergyIntolerance: "complete", Condition: "complete", MedicationRequest: "complete" }
    const cases: Readonly<Record<string, Warned>> = {
      "1 nothing": {
        tag: "Not loaded: allergies, medications, problems",
        box: ["Allergies, medications, and problems"],
        syncs: []
      },
      "2 one type": {
        tag: "Not loaded: medications",
        box: ["Medications"],
        syncs: [{ AllergyIntolerance: "empty", Condition: "complete" }]
      },
      "3 partial": {
        tag: "1 part not complete",
        box: ["Immunizations"],
        syncs: [{ ...complete, Immunization: "partial" }]
      },
      "4 stale": { tag: "1 part not complete", box: ["Problems"], syncs: [complete, { Condition: "partial" }] },
      "5 unavailable": {
        tag: "Not loaded: goals 1 part not complete",
        box: ["Goals", "Problems"],
        syncs: [complete, { Condition: "unavailable", Goal: "unavailable" }]
      },
      "6 good": { tag: "", box: [], syncs: [complete] },
      "7 withheld": {
        tag: "",
        box: [],
        syncs: [complete],
        resources: { Condition: [resource("Condition", "c", { categories: ["hiv"] })] }
      },
      "8 not shared": {
        tag: "",
        box: [],
        syncs: [{ ...complete, Goal: "partial" }],
        grant: { resourceTypes: [...Object.keys(complete), "Patient"] }
      }
    }
    for (const [callSign, { grant, resources, syncs }] of Object.entries(cases)) {
      const veteran = await openVeteran(callSign)
      await giveGrant(service, veteran, provider, grant)
      for (const statuses of syncs) await sync(service, veteran, statuses, resources)
    }
    const { page } = await openList(provider)
    await count(page, "8 patients")
    assert.deepStrictEqual((await rows(page)).map((cells) => cells.at(-1)), Object.values(cases).map(({ tag }) => tag))
    for (const [callSign, { box }] of Object.entries(cases)) {
      await page.getByRole("link", { name: callSign }).click()
      await page.getByRole("heading", { level: 1, name: callSign }).waitFor()
      assert.deepStrictEqual(await page.locator(".warnings b").allInnerTexts(), box, callSign)
      await page.getByRole("link", { name: "Back to all patients" }).click()
    }
  })

  test("No word of the list is broken on tablets, and high-contrast colors leave its tags and its filters marked", async () => {
    const provider = await signInProvider(service)
    const veteran = await openVeteran("Nightingale")
    await giveGrant(service, veteran, provider, { ...inDays(2.9), purpose: "Rehabilitation after hospitalization" })
    await readPatientRecord(service, provider, veteran)
    await sync(service, veteran, { Patient: "complete", Condition: "partial" }, {
      Patient: patient({ name: [{ text: "Bartholomew Featherstonehaugh" }], birthDate: "1947-09-10" })
    })
    const { page } = await openList(provider)
    await page.getByText("New since you last looked", { exact: true }).waitFor()
    const [[name]] = await rows(page) as [[string]]
    assert.strictEqual(name, "Bartholomew Featherstonehaugh Born Sep 10, 1947 Call sign Nightingale")
    for (const width of [768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      assert.deepStrictEqual(await page.evaluate(broken, wordsIn(".patients tr")), [], `${width}`)
    }
    await page.emulateMedia({ forcedColors: "active" })
    const ending = page.getByRole("button", { name: "Ending this week (1)" })
    await ending.click()
    await assertFramed(page.locator(".tag"))
    assert.includeMembers(await page.locator(".tag").allInnerTexts(), ["3 days left",
      "Not loaded: allergies, medications"])
    await assertPressed(ending, page.getByRole("button", { name: "New since you last looked (1)" }))
  })
})
