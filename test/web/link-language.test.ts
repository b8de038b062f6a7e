import { assert, describe, test } from "vitest"
import { english as ofLink } from "../../web/portal/link/words/English.ts"
import { spanish as ofLinkSpanish } from "../../web/portal/link/words/Spanish.ts"
import { english as ofView } from "../../web/portal/view/words/English.ts"
import { spanish as ofViewSpanish } from "../../web/portal/view/words/Spanish.ts"
import { preferred } from "../../web/shared/language/Choice.ts"
import { english as shared } from "../../web/shared/language/English.ts"
import { spanish as sharedSpanish } from "../../web/shared/language/Spanish.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { heading } from "./link/Recipients.ts"
import { openPortal } from "./Portal.ts"

const { portal } = await openPortal()
const browser = await openBrowser()

/** Each text of a catalogue by its path. Functions are called with a time, or a count, and a wait, which they print. */
const texts = (catalogue: unknown, path = ""): ReadonlyArray<readonly [path: string, text: string]> => {
  if (typeof catalogue === "string") return [[path, catalogue]]
  if (typeof catalogue === "function") return [[path, `${catalogue("3", (seconds: number) => `${seconds} s`, 5)}`]]
  return Object.entries(catalogue as object).flatMap(([key, value]) => texts(value, `${path}/${key}`))
}

describe("The catalogues", () => {
  test.each([["shared parts", shared, sharedSpanish], ["link", ofLink, ofLinkSpanish], ["frame", ofView,
    ofViewSpanish]])(
      "The Spanish words of the %s are whole, and differ from the English ones",
      (_, english, spanish) => {
        const [source, translated] = [texts(english), texts(spanish)]
        assert.deepStrictEqual(translated.map(([path]) => path), source.map(([path]) => path))
        for (const [index, [path, text]] of translated.entries()) {
          assert.notMatch(text, /undefined|\[object|^\s*$/, path)
          if (!path.endsWith("/arrived")) assert.notStrictEqual(text, source[index]![1], path)
        }
      }
    )

  test("The first of the reader's languages that the page speaks is taken", () => {
    assert.deepStrictEqual(
      [["es-MX", "en"], ["fr", "es"], ["en-US", "es"], ["fr"], [], ["et", "ES"]].map(preferred),
      ["es", "es", "en", "en", "en", "es"]
    )
  })
})

describe("The recipient's page in Spanish", () => {
  test("The page opens while the words of its language do not come", async () => {
    const { page } = await openTab(browser, { locale: "es-MX" })
    await page.route("**/assets/Spanish-*", () => {})
    await page.goto(`${portal}/link`)
    await heading(page, "Open the link again")
  })

  test("The language that was chosen last is the page's, even if an earlier choice loads later", async () => {
    const { page } = await openTab(browser)
    let release = () => {}
    const held = new Promise<void>((resolve) => release = resolve)
    await page.route("**/assets/Spanish-*", async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${portal}/link`)
    await heading(page, "Open the link again")
    const loaded = page.waitForResponse("**/assets/Spanish-*")
    await page.getByLabel("idioma").evaluate((select: HTMLSelectElement) => {
      for (const value of ["es", "en"]) {
        select.value = value
        select.dispatchEvent(new Event("change", { bubbles: true }))
      }
    })
    release()
    await (await loaded).finished()
    await page.waitForTimeout(300)
    await heading(page, "Open the link again")
    assert.strictEqual(await page.getAttribute("html", "lang"), "en-US")

    // A reader may choose Spanish, and nothing is stored for it.
    assert.strictEqual(await page.title(), "Open the link again - Veteran Records")
    await page.getByLabel("idioma").selectOption("Español")
    await heading(page, "Abra el enlace otra vez")
    assert.strictEqual(await page.title(), "Abra el enlace otra vez - Veteran Records")
    assert.deepStrictEqual(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]), [0,
      0, ""])
  })
})
