import { assert, beforeEach, describe, test } from "vitest"
import { recipientCopy } from "../http/document/Copies.ts"
import { type AppLink, askManifest, codeFor, createAppLink, mailedCode } from "../http/link/AppLinks.ts"
import { listLinks } from "../http/link/Links.ts"
import { sign } from "../http/release/Releases.ts"
import { signInVeteran } from "../support/Client.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { askForCode, enter, heading, not, saved } from "./link/Recipients.ts"
import { refused } from "./pages/Refusals.ts"
import { button, openPortal } from "./Portal.ts"

const { database, portal, service } = await openPortal()

const superuser = await database.connect("superuser")

const browser = await openBrowser()

const veteran = await signInVeteran(service)

const documentId = (await sign(service, veteran)).json.document.id

let link: AppLink

beforeEach(async () => {
  link = await createAppLink(service, veteran, { documentId })
})

/** The link's fragment at the address of this test's portal. */
const addressOf = ({ url }: AppLink) => `${portal}/link#${url.split("#")[1]}`

describe("The recipient's page opens a SMART Health Link", () => {
  test("as it opens any link, and neither the link nor its key is left or sent anywhere", async () => {
    const { context, page, requests } = await openTab(browser)
    const said: Array<string> = []
    const sent: Array<string> = []
    page.on("console", (message) => said.push(message.text()))
    page.on("request", (request) => sent.push(request.postData() ?? "", JSON.stringify(request.headers())))
    await page.goto(addressOf(link))
    await heading(page, "A health document for you")
    assert.strictEqual(page.url(), `${portal}/link`)
    await enter(page, await askForCode(page, service))
    await heading(page, "Your document is open")
    const { bytes } = await saved(page, /^Save the PDF/)
    assert.isTrue(bytes.equals(await recipientCopy(service, superuser, documentId)))
    const tools = await context.newCDPSession(page)
    const { entries } = await tools.send("Page.getNavigationHistory")
    const kept = await page.evaluate(async () => [
      ...Object.entries(localStorage),
      ...Object.entries(sessionStorage),
      ...await indexedDB.databases(),
      ...await caches.keys(),
      document.cookie,
      history.state
    ])
    assert.deepStrictEqual(kept, ["", null])
    const seen = [...requests, ...entries.map(({ title, url }) => `${title} ${url}`), ...said, ...sent]
    seen.push(await page.content())
    for (const secret of [link.key, link.url.split("shlink:/")[1]!.slice(0, 40)]) {
      assert.deepStrictEqual(seen.filter((text) => text.includes(secret)), [])
    }
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
