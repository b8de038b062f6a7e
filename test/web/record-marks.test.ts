import { assert, describe, test } from "vitest"
import { openBrowser } from "./Browser.ts"
import { openPortal } from "./Portal.ts"
import { card, openWhole, share, textsOf } from "./record/Records.ts"
import { problem, quantity, result, small } from "./record/Small.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()

const range = (low: string, high: string, unit = "mg/dL") => ({
  low: { value: `#${low}`, unit },
  high: { value: `#${high}`, unit }
})

describe("Words that change what an item means", () => {
  test("A problem that is not confirmed and a value below its range say so, on phones and on larger screens", async () => {
    const { page } = await openWhole(
      browser,
      portal,
      await share(service, {
        Patient: small["Patient"]!,
        Condition: [
          problem("1", "Pulmonary embolism", "provisional"),
          problem("2", "Myocardial infarction", "differential"),
          problem("3", "Pneumonia", "unconfirmed"),
          problem("4", "Hypertension", "confirmed")
        ],
        Observation: [
          result("low", quantity("0.4"), { referenceRange: [range("0.6", "1.2")] }),
          result("two-ranges", quantity("0.4"), { referenceRange: [range("0.6", "1.2"), range("0.7", "1.5")] }),
          result("other-unit", quantity("0.4"), { referenceRange: [range("0.6", "1.2", "g/L")] })
        ]
      })
    )
    const table = page.getByRole("table", { name: "Items" })
    const rows = table.locator("tbody [scope=row]")
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const names = (await textsOf(rows)).filter((text) => !/^(Grace|Test)/.test(text))
      assert.sameMembers(names.map((text) => text.replace(/ Active, \w+( Problems)?$/, "")), [
        "Pulmonary embolism Provisional",
        "Myocardial infarction Differential",
        "Pneumonia Unconfirmed",
        "Hypertension"
      ], `${width}`)
    }

    // A value below its own range says so in glance, list and detail, but not if the range is not clear.
    const marked = async (rows: ReturnType<typeof table.locator>) =>
      (await textsOf(rows)).filter((text) => /(above|below) range/i.test(text))
    const [glance, ...others] = await marked(card(page, "Latest results").locator("tbody tr"))
    assert.match(glance!, /^Test low .*0\.4 mg\/dL Below range/)
    assert.deepStrictEqual(others, [])
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const [row, ...more] = await marked(table.locator("tbody tr"))
      assert.match(row!, /Test low Below range/, `${width}`)
      assert.deepStrictEqual(more, [], `${width}`)
    }
    for (
      const [name, isMarked] of [["Test low", true], ["Test two-ranges", false], ["Test other-unit", false]] as const
    ) {
      await table.getByRole("button", { name, exact: true }).click()
      const detail = page.getByRole("region", { name, exact: true })
      await detail.getByText("Reference range").first().waitFor()
      assert.strictEqual(await detail.getByText("Below range", { exact: true }).isVisible(), isMarked, name)
    }
  })
})
