import type { Locator, Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { EntryCategory } from "../../src/domain/SelfReportedEntry.ts"
import type { Texts } from "../support/Sync.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { assertFramed, assertPressed } from "./pages/Contrast.ts"
import { cutTexts, sticksOut } from "./pages/Overflow.ts"
import { atPatients, button, openPortal } from "./Portal.ts"
import { broken, numbersIn, wordsIn } from "./record/Breaks.ts"
import { card, openRecord, openWhole, selfReport, share, wholeRecord } from "./record/Records.ts"
import { allergy, order, patient, resourceText, result, small, vaccine } from "./record/Small.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()

const open = async (...sharing: Parameters<typeof share> extends [any, ...infer Rest] ? Rest : never) => {
  const shared = await share(service, ...sharing)
  return { ...await openWhole(browser, portal, shared), shared }
}

/** Signs a provider in, whose tab shows one record after another. */
const openOthers = async () => {
  const { page, shared: { provider } } = await open({})
  const show = async (texts: Texts) => {
    const { veteran } = await share(service, texts, {}, {}, provider)
    await page.evaluate(() => void (location.hash = "#/"))
    await atPatients(page)
    await page.evaluate((id) => void (location.hash = `#/patients/${id}`), veteran.id)
    await wholeRecord(page)
  }
  return { page, show }
}

const spaced = async (page: Page, name: string) => (await card(page, name).innerText()).replaceAll(/\s+/g, " ")

const firstScreen = 900

const footOf = async (text: Locator) => {
  const { height, y } = (await text.boundingBox())!
  return y + height
}

const allergies = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    allergy(`${n}`, `Allergen ${n}`, {
      reaction: [{ manifestation: [{ text: "Hives and swelling of the face" }] }]
    }))

describe("The patient's own words in the first glance", () => {
  test("An allergy and a medication of the patient stand in the cards of that name, on the first screen and on paper", async () => {
    const shared = await share(service, { Patient: small["Patient"]! }, {
      AllergyIntolerance: "empty",
      MedicationRequest: "empty",
      Condition: "empty"
    })
    const long = `Aspirin ${"gives me a rash on both arms ".repeat(20)}`
    for (const text of ["Penicillin: my throat closed up", "Latex", "Pollen", long]) {
      await selfReport(service, shared.veteran, { category: "allergy", text, occurredOn: "2019-03-04" })
    }
    await selfReport(service, shared.veteran, { category: "medication", text: "Warfarin 5 mg in the evening" })
    await selfReport(service, shared.veteran, { category: "symptom", text: "Knee hurts on stairs" })
    const { page } = await openWhole(browser, portal, shared)
    for (const [name, text] of [["Medications", "Warfarin 5 mg in the evening"], ["Allergies", "“Latex”"]] as const) {
      assert.isAtMost(await footOf(card(page, name).getByText(text)), firstScreen, name)
    }
    assert.match(
      await spaced(page, "Medications"),
      /From the patient Not checked by a clinician\. “Warfarin 5 mg in the evening” written \w+ \d+, \d+ No other medications in this record( as of \w+ \d+, \d+)?\./
    )
    assert.notInclude(await spaced(page, "Medications"), "Knee")
    // The day on which it was written is not told as the day on which the knee hurt.
    assert.match(
      await spaced(page, "From the patient"),
      /Knee hurts on stairs symptom, written \w+ \d+, \d+/
    )
    // The newest three come first, and the longest is cut at four lines.
    assert.include(await spaced(page, "Allergies"), "“Latex” Mar 4, 2019")
    assert.notInclude(await spaced(page, "Allergies"), "None in this record")
    await card(page, "Allergies").getByRole("button", { name: "Show all 4 from the patient" }).click()
    const throat = card(page, "Allergies").getByText("“Penicillin: my throat closed up”")
    await throat.waitFor()
    const rash = card(page, "Allergies").getByText("rash on both arms")
    const cut = (await rash.boundingBox())!.height
    assert.isAtMost(cut, 100)
    await card(page, "Allergies").getByRole("button", { name: "Show the whole text" }).click()
    assert.isAbove((await rash.boundingBox())!.height, cut)
    await card(page, "Allergies").getByRole("button", { name: "Show less" }).click()
    await page.reload()
    await wholeRecord(page)
    await page.emulateMedia({ media: "print" })
    await throat.waitFor()
    assert.isAbove((await rash.boundingBox())!.height, cut)
    assert.include(await spaced(page, "Medications"), "From the patient Not checked by a clinician. “Warfarin")
  })

  test("The patient's own allergy and medication stand on the first screen, below a warning and with ten allergies", async () => {
    const shared = await share(service, { ...small, AllergyIntolerance: allergies(10) }, { Immunization: "partial" })
    for (const category of EntryCategory.literals) {
      await selfReport(service, shared.veteran, { category, text: `A ${category} of the patient` })
    }
    const { page } = await openWhole(browser, portal, shared)
    await page.locator(".warnings").getByText("Immunizations").waitFor()
    for (const [name, category] of [["Allergies", "allergy"], ["Medications", "medication"]] as const) {
      assert.isAtMost(await footOf(card(page, name).getByText(`A ${category} of the patient`)), firstScreen, name)
    }
  })
})

describe("Whose record it is, and what must not be overlooked", () => {
  test("Each of these records is told in the first glance, on screen and on paper", async () => {
    const { page, show } = await openOthers()

    // The bar says which identifiers the record does not give.
    for (
      const [Patient, missing] of [
        [undefined, "no name or birth date"],
        [patient({ name: [{ text: "Grace Hopper" }] }), "no birth date"],
        [patient({ birthDate: "1947-09-10" }), "no name"]
      ] as const
    ) {
      await show({ Condition: small["Condition"]!, ...(Patient === undefined ? {} : { Patient }) })
      const bar = await page.getByRole("region", { name: "Patient" }).innerText()
      assert.include(bar, `This record gives ${missing}. Make sure with the patient that it is theirs.`)
    }

    // The record of a patient who died gives the date of death and asks nobody to ask the patient.
    await show({
      Patient: patient({
        name: [{ text: "Grace Hopper" }],
        birthDate: "1947-09-10",
        deceasedDateTime: "2015-03-14T12:00:00-05:00"
      })
    })
    const ofDead = (await page.getByRole("region", { name: "Patient" }).innerText()).replaceAll(/\s+/g, " ")
    assert.include(ofDead, "Deceased")
    assert.include(ofDead, "Born Sep 10, 1947 Died Mar 14, 2015")
    const asked = await page.locator("body").innerText()
    assert.notMatch(asked, /ask the patient|with the patient/i)
    assert.include(asked, "Ask the family or the sender")

    // A statement that there is no allergy is a sentence, and a reaction to a vaccine stands beside the allergies.
    await show({
      Patient: small["Patient"]!,
      AllergyIntolerance: [allergy("1", "No Known Latex Allergy", { recordedDate: "2015-08-06" })],
      Immunization: [
        vaccine("1", { reaction: [{ date: "2018-05-11", detail: { display: "Respiratory distress" } }] })
      ]
    })
    await card(page, "Allergies").getByRole("heading", { level: 3, name: "Reactions to vaccines" }).waitFor()
    const text = await spaced(page, "Allergies")
    assert.match(text, /No other allergies in this record as of \w+ \d+, \d+\./)
    assert.include(text, "The record says: No Known Latex Allergy recorded Aug 6, 2015")
    assert.match(text, /Reactions to vaccines Influenza .*Respiratory distress/)
    assert.notMatch(text, /All 1 allerg|Show 1 allergy/)
    await page.emulateMedia({ media: "print" })
    assert.include(
      await spaced(page, "Allergies"),
      "The record says: No Known Latex Allergy recorded Aug 6, 2015"
    )
    await page.emulateMedia({ media: "screen" })

    // A card that has no room for all says how many more there are.
    await show({ Patient: small["Patient"]!, AllergyIntolerance: allergies(12) })
    assert.include(await spaced(page, "Allergies"), "and 2 more, not shown here")
    await page.emulateMedia({ media: "print" })
    assert.include(await spaced(page, "Allergies"), "and 2 more, not shown here")
    await page.emulateMedia({ media: "screen" })

    // Orders that do not count stand in the card or among its rest, and results that it does not list are no lack.
    await show({
      Patient: small["Patient"]!,
      MedicationRequest: [
        ...Array.from({ length: 8 }, (_, n) => order(`${n}`, `Drug ${n}`)),
        order("8", "Warfarin", { doNotPerform: true }),
        order("9", "Drug 9", { status: "on-hold" })
      ],
      Observation: [resourceText("Observation", "1", { code: { text: "Mood" }, valueString: "good" })]
    })
    assert.match(await spaced(page, "Medications"), /Warfarin Do not give.* and 2 more, not shown here/)
    assert.include(
      await spaced(page, "Latest results"),
      "The 1 result here is not a key test, laboratory result or vital"
    )

    // Without an active medication, the card says what was last dispensed, and the page that silence is not none.
    await show({
      Patient: small["Patient"]!,
      MedicationDispense: [resourceText("MedicationDispense", "1", {
        status: "completed",
        medicationCodeableConcept: { text: "Amoxicillin 500 MG" },
        whenHandedOver: "2026-11-02T10:00:00Z"
      })]
    })
    for (const media of ["screen", "print"] as const) {
      await page.emulateMedia({ media })
      assert.include(
        await spaced(page, "Medications"),
        "Last dispensed or given: Amoxicillin 500 MG Nov 2, 2026"
      )
    }
    await page.getByText("What is not listed here is not in this record as shared. That is not the same as none.")
      .waitFor()
    await page.emulateMedia({ media: "screen" })

    // No word of the glance breaks on a tablet, and no half of it stays empty.
    await show({
      ...small,
      Observation: [...small["Observation"]!, result("carboxyhemoglobin", { valueString: "Indeterminate" })]
    })
    for (const width of [768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 1024 })
      assert.deepStrictEqual(await page.evaluate(broken, wordsIn(".glance, .patient-bar")), [], `${width}`)
    }
    await page.setViewportSize({ width: 768, height: 1024 })
    const boxes = await Promise.all(
      ["Allergies", "Active problems", "Medications", "Latest results"].map((name) => card(page, name).boundingBox())
    )
    const foot = (isLeft: boolean) =>
      Math.max(...boxes.filter((box) => (box!.x < 384) === isLeft).map((box) => box!.y + box!.height))
    const top = Math.min(...boxes.map((box) => box!.y))
    assert.isAtLeast((Math.min(foot(true), foot(false)) - top) / (Math.max(foot(true), foot(false)) - top), 0.6)
    await page.setViewportSize({ width: 1280, height: 900 })

    // High-contrast colors leave a frame around tags.
    await show({})
    await page.emulateMedia({ forcedColors: "active" })
    await assertFramed(page.locator(".tag").filter({ hasText: "Not loaded" }))
  })
})

test("Allergies are not told as none while the vaccinations, whose reactions stand beside them, are not all read", async () => {
  const shared = await share(service, {
    Patient: small["Patient"]!,
    Immunization: Array.from(
      { length: 201 },
      (_, n) => vaccine(`i${n}`, { reaction: [{ detail: { display: "Fever" } }] })
    )
  }, { AllergyIntolerance: "empty" })
  const { context, page } = await openTab(browser)
  const held = Promise.withResolvers<void>()
  await context.route(/cursor=/, async (route) => {
    await held.promise
    await route.continue()
  })
  await openRecord({ page }, portal, shared)
  await page.getByText("200 items, still loading").or(page.getByText("201 items, still loading")).waitFor()
  const told = await spaced(page, "Allergies")
  held.resolve()
  assert.include(told, "Still loading")
  assert.notMatch(told, /Up to date|None in this record/)
  await wholeRecord(page)
  const text = await spaced(page, "Allergies")
  assert.include(text, "Up to date")
  assert.match(text, /Reactions to vaccines Influenza .*201 entries/)
})

test("A card says that older entries of the patient may be missing if the service sent as many as it ever does", async () => {
  const shared = await share(service, { Patient: small["Patient"]! })
  const entry = { category: "symptom", text: "Knee hurts" }
  for (let n = 0; n < 199; n++) await selfReport(service, shared.veteran, entry)
  const { page } = await openWhole(browser, portal, shared)
  const cut = "Only the patient's newest 200 entries are here. Ask the patient about older ones."
  assert.notInclude(await page.locator("main").innerText(), cut)
  await selfReport(service, shared.veteran, entry)
  await page.reload()
  await wholeRecord(page)
  for (const name of ["Allergies", "Medications", "From the patient", "All items"]) {
    assert.include(await spaced(page, name), cut)
  }
})

describe("Values in the first glance", () => {
  const values = {
    Patient: small["Patient"]!,
    Observation: [
      result("height", { valueQuantity: { value: "#66.899999999999991", unit: "in" } }),
      result("a1c", { valueQuantity: { value: "#5.9", unit: "%" } }, {
        code: {
          coding: [{ system: "http://loinc.org", code: "4548-4", display: "Hemoglobin A1c/Hemoglobin.total in Blood" }]
        }
      }),
      result("words", { valueString: "The following is a very long statement of a report. ".repeat(40) }),
      ...["3.5", "0.6", "2.25", "1.75"].map((value, index) =>
        result(`c${index}`, { valueQuantity: { value: `#${value}`, unit: "mg/dL" } }, {
          code: { coding: [{ system: "http://loinc.org", code: "2160-0", display: "Creatinine in Serum" }] },
          effectiveDateTime: `2026-05-0${index + 1}`
        })
      )
    ]
  }

  test("A number never breaks, a long text takes four lines, and a trend is told in words; each leads to the whole", async () => {
    const { page } = await open(values)
    const row = card(page, "Latest results").getByRole("row").filter({ hasText: "Test height" })
    assert.include((await row.innerText()).replaceAll(/\s+/g, " "), "about 66.9 in (exactly 66.899999999999991 in)")
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      assert.deepStrictEqual(await page.evaluate(broken, numbersIn(".glance")), [], `${width}`)
    }

    // A key test has its short name.
    const [short, full] = ["Hemoglobin A1c", "Hemoglobin A1c/Hemoglobin.total in Blood"]
    assert.strictEqual(await button(page, short).getAttribute("title"), full)

    // A long text takes four lines.
    const long = card(page, "Latest results").getByRole("row").filter({ hasText: "Test words" })
    assert.isAtMost((await long.boundingBox())!.height, 150)
    await long.getByRole("button", { name: "Show the whole text" }).click()
    await page.getByRole("region", { name: "Test words" }).getByText("very long statement").waitFor()

    // A trend opens the test, and a test without a trend says so.
    const trend = card(page, "Latest results").getByRole("row").filter({ hasText: "Creatinine" })
    await trend.getByRole("button", { name: "Trend: 4 values, 0.6 to 3.5, last down" }).click()
    await page.getByRole("region", { name: "Creatinine in Serum" }).getByText("4 values in mg/dL").waitFor()
    const alone = card(page, "Latest results").getByRole("row").filter({ hasText: "Test height" })
    assert.strictEqual(await alone.getByRole("img", { name: "1 value" }).count(), 1)
    const color = (name: string | RegExp) => button(page, name).first().evaluate((one) => getComputedStyle(one).color)
    assert.strictEqual(await color("Test height"), await color(/^All \d+ results$/))
  })
})

describe("The first glance", () => {
  test("The bar has the search, a line stays in sight in a short window, and high contrast leaves frames", async () => {
    const { page } = await open(small)
    assert.notInclude(await page.getByRole("region", { name: "Patient" }).innerText(), "This record gives no")

    // High-contrast colors leave a frame around tags, and mark the pressed chip.
    await page.emulateMedia({ forcedColors: "active" })
    await assertFramed(page.locator(".tag"))
    await assertPressed(button(page, /^All 1\d$/), button(page, /^Allergies 2$/))
    await page.emulateMedia({ forcedColors: "none" })

    // The empty field for a note stands below the items.
    const table = (await page.getByRole("table", { name: "Items" }).boundingBox())!
    const empty = (await page.getByLabel("Write a note").boundingBox())!
    assert.isAbove(empty.y, table.y)

    // The slash key leads to the search, and Enter leads to what it found.
    const bar = page.getByRole("region", { name: "Patient" })
    const field = bar.getByLabel("Search this record")
    const { height, y } = (await field.boundingBox())!
    assert.isAtMost(y + height, 300)
    await page.keyboard.press("/")
    assert.isTrue(await field.evaluate((field) => field === document.activeElement))
    await page.keyboard.type("gluc 76/")
    assert.strictEqual(await field.inputValue(), "gluc 76/")
    await field.fill("gluc 76")
    await page.getByRole("status").filter({ hasText: /^1 of 15 items$/ }).waitFor()
    await page.keyboard.press("Enter")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "H2")
    // The sticky bar covers neither the heading nor the field.
    const heading = (await page.getByRole("heading", { level: 2, name: /items/i }).boundingBox())!
    const sticky = (await bar.boundingBox())!
    assert.isAtLeast(heading.y, sticky.y + sticky.height)
    assert.isAtMost(heading.y, 900)
    // In a field, the slash is a letter.
    const note = page.getByLabel("Write a note")
    await note.fill("")
    await note.press("/")
    assert.strictEqual(await note.inputValue(), "/")

    // In a short window, a line with the patient's name and birth date stays in sight.
    await page.setViewportSize({ width: 1280, height: 620 })
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    const line = page.locator(".patient-line")
    assert.strictEqual(await line.innerText(), await line.evaluate((one) => one.textContent))
    assert.match(await line.innerText(), /^Grace Hopper · Born Sep 10, 1947 \(\d\d\)$/)
    const { y: top } = (await line.boundingBox())!
    assert.isAtLeast(top, 0)
    assert.isBelow(top, 10)
    await page.setViewportSize({ width: 1280, height: 900 })
    assert.isFalse(await line.isVisible())
    await page.emulateMedia({ media: "print" })
    assert.isFalse(await line.isVisible())
  })

  test("Text of twice the size fits on a phone, and the glance is copied as text by keyboard", async () => {
    const purpose = "A second opinion about the treatment of my left knee and hip"
    assert.lengthOf(purpose, 60)
    const { context, page, shared } = await open(small, { Immunization: "partial" }, { purpose })
    await page.setViewportSize({ width: 360, height: 740 })
    await page.evaluate(() => void (document.documentElement.style.fontSize = "200%"))
    assert.deepStrictEqual(await page.evaluate(sticksOut), [])
    assert.deepStrictEqual(await page.evaluate(cutTexts, ".glance, .patient-bar"), [])
    assert.include(await page.locator(".facts dd").allInnerTexts(), purpose)
    const hidden = await page.locator(".facts dd, .facts dd *, .patient-bar h1").evaluateAll((facts) =>
      facts.filter((fact) => {
        const { height, left, right } = fact.getBoundingClientRect()
        return height === 0 || left < 0 || right > 360 || fact.scrollHeight > fact.clientHeight + 1
      }).map((fact) => fact.textContent)
    )
    assert.deepStrictEqual(hidden, [])
    assert.deepStrictEqual(await page.evaluate(broken, wordsIn(".glance, .patient-bar, .warnings")), [])
    await page.evaluate(() => void (document.documentElement.style.fontSize = ""))
    await page.setViewportSize({ width: 1280, height: 900 })

    // The page says whether the glance was copied.
    await selfReport(service, shared.veteran, { category: "allergy", text: "Penicillin:\nmy throat closed up" })
    await page.reload()
    await wholeRecord(page)
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: portal })
    await button(page, "Copy for my chart").focus()
    await page.keyboard.press("Enter")
    await page.getByRole("status").getByText("Copied. You can paste it into your chart.").waitFor()
    const text = await page.evaluate(() => navigator.clipboard.readText())
    for (
      const line of [
        /^PATIENT: Grace Hopper, born Sep 10, 1947 \(\d\d\), Female, call sign Eagle$/m,
        /^- Source: Veteran Records \(localhost:\d+\), what the patient shares until \w+ \d+, \d+\.$/m,
        /^- Copied \w+ \d+, \d+, \d+:\d\d [AP]M by Dr\. Ada Gray\.$/m,
        /^- Immunizations are not complete\. Do not read a missing item as “none\.”$/m,
        /^ALLERGIES \(up to date as of \w+ \d+, \d+\)$/m,
        /^- Penicillin G \[Severe; High criticality\]: Anaphylaxis \(severe\)$/m,
        /^- From the patient, not checked by a clinician: “Penicillin: my throat closed up” \(written \w+ \d+, \d+\)$/m,
        /^- Lisinopril 10 MG Oral Tablet: 1 tablet daily; ordered Sep 16, 2026$/m,
        /: 76\.50 mg\/dL \[Low\]; range 70\.0 to 110 mg\/dL; Jun 3, 2026$/m,
        /^What is not listed here is not in this record as shared\. That is not the same as none\. Ask the patient\.$/m
      ]
    ) assert.match(text, line)
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("refused"))
    })
    await button(page, "Copy for my chart").click()
    await page.getByRole("status").getByText("This browser does not let us copy.").waitFor()
  })
})
