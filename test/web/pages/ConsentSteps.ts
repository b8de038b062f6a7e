import type { Page } from "playwright-core"
import { codeFor } from "../../http/oauth/Asking.ts"
import type { Service } from "../../support/Service.ts"
import { button } from "../Portal.ts"

/** Leads a tab from the e-mail page of an app's request, in English, to the typed code. */
export const enterCode = async (page: Page, service: Pick<Service, "directory">, email: string) => {
  await page.getByLabel("E-mail address").first().fill(email)
  await button(page, "Send me a code").click()
  await page.getByLabel("8-digit code").fill(await codeFor(service, email))
}
