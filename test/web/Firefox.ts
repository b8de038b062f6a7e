import { existsSync } from "node:fs"
import { launch, type Page } from "puppeteer-core"
import { used } from "../support/App.ts"
import { providerPassword } from "../support/Client.ts"
import type { Shared } from "./record/Records.ts"

const executablePath = process.env["FIREFOX_PATH"] ?? "/usr/bin/firefox"

/** Tests of printed sheets look at Firefox too, because Chromium lays them out by other rules. */
export const noFirefox = !existsSync(executablePath)

export const needsFirefox = noFirefox ? ` (left out: needs Firefox at ${executablePath})` : ""

/** Opens a record in a Firefox that closes at the end of the test, and waits until the page has every item. */
export const openRecordInFirefox = async (portal: string, { provider, veteran }: Shared): Promise<Page> => {
  const browser = await used(launch({ browser: "firefox", executablePath }))
  const page = await browser.newPage()
  await page.goto(`${portal}/#/patients/${veteran.id}`)
  await page.locator("[type=email]").fill(provider.email)
  await page.locator("[type=password]").fill(providerPassword)
  await page.locator("[type=submit]").click()
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[role=status]")].some(({ textContent }) => /^[\d,]+ items?$/.test(textContent))
  )
  return page
}
