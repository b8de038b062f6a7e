import { readFile } from "node:fs/promises"
import type { Browser, Page } from "playwright-core"
import { createLink, recipientCodes } from "../../http/link/Links.ts"
import { signed } from "../../http/release/Releases.ts"
import { signInVeteran } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { openBrowser } from "../Browser.ts"
import { openInspection } from "../pages/Inspection.ts"
import { refused } from "../pages/Refusals.ts"
import { openPortal } from "../Portal.ts"

/** The steps on the recipient's page, which its tests share. Each step leads a tab into the page's next state. */

type Home = Pick<Service, "directory">

interface Token {
  readonly token: string
}

/** The portal, with a veteran and a release of theirs to which links lead. */
export const openLinks = async () => {
  const { database, portal, service } = await openPortal()
  const [browser, superuser] = [await openBrowser(), await database.connect("superuser")]
  const veteran = await signInVeteran(service)
  const documentId: string = (await signed(service, veteran)).document.id
  const newLink = (changes: Record<string, unknown> = {}) => createLink(service, veteran, { documentId, ...changes })
  return { browser, documentId, newLink, portal, service, superuser, veteran }
}

/** Waits for the page's `h1` and returns it. Each step begins with an `h1` that has the focus. */
export const heading = async (page: Page, name: string) => {
  const found = page.getByRole("heading", { level: 1, name, exact: true })
  await found.waitFor()
  return found
}

/** The address in the mail: the page with the link's token. */
export const addressOf = (portal: string, { token }: Token) => `${portal}/link#${token}`

/** Opens a link. The page offers to mail a code. */
export const open = async (page: Page, portal: string, link: Token) => {
  await page.goto(addressOf(portal, link))
  await heading(page, "A health document for you")
}

/** Presses the button that mails a code, and returns the code as the mail shows it. */
export const askForCode = async (page: Page, service: Home, button = "E-mail me a code") => {
  const before = (await recipientCodes(service)).length
  await page.getByRole("button", { name: button, exact: true }).click()
  await heading(page, "Enter your code")
  return until("the code has come", async () => (await recipientCodes(service))[before])
}

export const codeField = (page: Page) => page.getByLabel("8-digit code")

/** Enters a code and submits it. */
export const enter = async (page: Page, code: string) => {
  await codeField(page).fill(code)
  await page.getByRole("button", { name: "Open the document", exact: true }).click()
}

/** Returns a wrong code, which differs only in the last digit. */
export const not = (code: string) => code.replace(/\d$/, (last) => `${(Number(last) + 1) % 10}`)

/** Leads a tab from the link to the open document. */
export const read = async (page: Page, portal: string, service: Home, link: Token) => {
  await open(page, portal, link)
  await enter(page, await askForCode(page, service))
  await heading(page, "Your document is open")
}

/** The sandboxed frame that shows what the link opened. */
export const frameOf = (page: Page) => page.frameLocator("iframe.release")

/** Saves by the button, and returns the file. */
export const saved = async (page: Page, button: string | RegExp) => {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button, ...(typeof button === "string" ? { exact: true } : {}) }).click()
  ])
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

/** Opens a tab in which console messages about refused requests do not fail the test. */
export const openRefusedTab = async (browser: Browser) => {
  const tab = await openInspection(browser)
  tab.expect(refused)
  return tab
}
