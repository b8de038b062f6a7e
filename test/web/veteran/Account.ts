import type { Page } from "playwright-core"
import { until } from "../../support/Until.ts"
import type { openTab } from "../Browser.ts"
import { heading } from "../Portal.ts"
import { inspectVeteranApp } from "./Inspected.ts"
import { newVeteran, type TestVeteran, type VeteranApp } from "./VeteranApp.ts"

/** Helpers for the account's tests. */

/** Signs a new veteran in, at the account. */
export const openAccount = async (
  app: VeteranApp,
  options: Parameters<typeof openTab>[1] = {},
  changes: Partial<TestVeteran> = {}
) => {
  const veteran = await newVeteran(app, changes)
  const tab = await inspectVeteranApp(app, veteran, { route: "#/account", ...options })
  await heading(tab.page, "Account").waitFor()
  return { ...tab, veteran }
}

export const card = (page: Page, title: string) =>
  page.locator("section.card").filter({ has: page.getByRole("heading", { level: 2, name: title, exact: true }) })

export const isFocused = (page: Page, title: string) =>
  page.getByRole("heading", { level: 2, name: title, exact: true }).evaluate((it) => it === document.activeElement)

/** The mails to an address, once there is one whose text matches. */
export const mailTo = ({ mailbox }: VeteranApp, address: string, text: RegExp) =>
  until(
    `a mail to ${address}`,
    async () => mailbox.mails.findLast((mail) => mail.recipients.includes(address) && text.test(mail.text)),
    20_000
  )

/** The code of the latest mail to an address, as it is written there: "1234 5678". */
export const codeTo = async (app: VeteranApp, address: string, besides?: string) => {
  const code = /\b\d{4} \d{4}\b/
  const mail = await until(
    `a code to ${address}`,
    async () =>
      app.mailbox.mails.findLast(({ recipients, text }) =>
        recipients.includes(address) && code.test(text) && (besides === undefined || !text.includes(besides))
      ),
    20_000
  )
  return code.exec(mail.text)![0]
}

/** Another code than the right one. */
export const wrong = (code: string) => `${(Number(code.replace(" ", "")) + 1) % 1e8}`.padStart(8, "0")

/** Lets the confirmation of all of the veteran's sessions end. */
export const unconfirm = async ({ database }: VeteranApp, { id }: { readonly id: string }) =>
  void await (await database.connect("superuser")).query(
    "update veteran_sessions set confirmed_at = confirmed_at - interval '1 hour' where veteran_id = $1",
    [id]
  )
