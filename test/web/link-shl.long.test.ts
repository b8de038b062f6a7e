import { assert, beforeEach, describe, test } from "vitest"
import { english } from "../../web/portal/link/words/English.ts"
import { spanish } from "../../web/portal/link/words/Spanish.ts"
import { recipientCopy } from "../http/document/Copies.ts"
import { type AppLink, askManifest, codeFor, createAppLink, mailedCode } from "../http/link/AppLinks.ts"
import { listLinks } from "../http/link/Links.ts"
import { openTab } from "./Browser.ts"
import { askForCode, enter, heading, not, openLinks, saved } from "./link/Recipients.ts"
import { openTraced } from "./link/Traces.ts"
import { openInspection } from "./pages/Inspection.ts"
import { refused } from "./pages/Refusals.ts"
import { button } from "./Portal.ts"

const { browser, documentId, portal, service, superuser, veteran } = await openLinks()

let link: AppLink

beforeEach(async () => {
  link = await createAppLink(service, veteran, { documentId })
})

/** The link's fragment at the address of this test's portal. */
const addressOf = ({ url }: AppLink) => `${portal}/link#${url.split("#")[1]}`

describe("The recipient's page opens a SMART Health Link", () => {
  test("as it opens any link, and neither the link nor its key is left or sent anywhere", async () => {
    const { assertNoTrace, page } = await openTraced(browser)
    await page.goto(addressOf(link))
    await heading(page, "A health document for you")
    assert.strictEqual(page.url(), `${portal}/link`)
    await enter(page, await askForCode(page, service))
    await heading(page, "Your document is open")
    const { bytes } = await saved(page, /^Save the PDF/)
    assert.isTrue(bytes.equals(await recipientCopy(service, superuser, documentId)))
    await assertNoTrace(link.token, [link.key, link.url.split("shlink:/")[1]!.slice(0, 40)])
    const [told] = (await listLinks(service, veteran)).filter(({ id }: AppLink) => id === link.id)
    assert.include(told, { smartHealthLink: true, viewedVia: "page", claimedRecipient: null })
  })

  test("with the code that an app had mailed, whose wrong tries count, and without mailing another", async () => {
    const { expect, page } = await openTab(browser)
    expect(refused)
    const code = await codeFor(service, link)
    await page.goto(addressOf(link))
    await heading(page, "A health document for you")
    await button(page, "I already have a code").click()
    await heading(page, "Enter your code")
    await page.getByText("Take the 8-digit code from the newest e-mail to").waitFor()
    assert.strictEqual(await page.getByText("It works until").count(), 0)
    assert.strictEqual((await askManifest(service, link, { passcode: not(code) })).status, 401)
    await enter(page, not(code))
    await page.getByText("That code is not right. You have 3 tries left.").waitFor()
    await enter(page, code)
    await heading(page, "Your document is open")
    assert.strictEqual(await mailedCode(service, link), code)
    const [told] = (await listLinks(service, veteran)).filter(({ id }: AppLink) => id === link.id)
    assert.strictEqual(told.viewedVia, "page")
  })

  test.each([["en-US", english], ["es-MX", spanish]])(
    "on a page that is accessible before and after the reader has a code (%s)",
    async (locale, { ask, code }) => {
      const { look: inspect, lookAtWords, order, page } = await openInspection(browser, { locale })
      const look = locale === "en-US" ? inspect : lookAtWords
      await page.goto(addressOf(link))
      await button(page, ask.have).waitFor()
      await look(`link for apps, ask, ${locale}`)
      assert.deepStrictEqual((await order()).slice(2), [`button ${ask.send}`, `button ${ask.have}`])
      await button(page, ask.have).click()
      await page.getByText(code.newest(8)).waitFor()
      await look(`link for apps, code, ${locale}`)
    }
  )

  test("and from there, a reader without a code gets a new one", async () => {
    const { expect, page } = await openTab(browser)
    expect(refused)
    await page.goto(addressOf(link))
    await heading(page, "A health document for you")
    await button(page, "I already have a code").click()
    await heading(page, "Enter your code")
    await enter(page, "12345678")
    await heading(page, "That code no longer works")
    await enter(page, await askForCode(page, service, "Get a new code"))
    await heading(page, "Your document is open")
  })

  test("A damaged one is not sent to the service, and the whole one then opens in the same tab", async () => {
    const { page, requests } = await openTab(browser)
    await page.goto(addressOf(link).slice(0, -9))
    await heading(page, "Open the link again")
    assert.strictEqual(page.url(), `${portal}/link`)
    assert.deepStrictEqual(requests.filter((request) => request.includes("/api/")), [])
    await page.goto(`${addressOf(link)}.`)
    await heading(page, "A health document for you")
    assert.strictEqual(page.url(), `${portal}/link`)
  })

  test("Another service's link leads to no document", async () => {
    const { expect, page } = await openTab(browser)
    expect(refused)
    const payload = { ...link.payload, key: "A".repeat(43) }
    await page.goto(`${portal}/link#shlink:/${Buffer.from(JSON.stringify(payload)).toString("base64url")}`)
    await heading(page, "We can't find this link")
  })
})
