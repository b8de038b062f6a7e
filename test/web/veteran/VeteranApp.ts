import type { BrowserContext, Page } from "playwright-core"
import type { SandboxPerson } from "../../../src/demo/SandboxPeople.ts"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { type AtEnd, sharing, startApp } from "../../support/App.ts"
import { asAdmin, bearer, call } from "../../support/Client.ts"
import { askChallenge, newDevice, operatorCode, pair, prove, signInPath } from "../../support/Device.ts"
import { openMailbox } from "../../support/Mailbox.ts"
import { until } from "../../support/Until.ts"
import { nonceOf } from "../../support/VaIssuer.ts"
import { openBrowser, openTab, type Tab } from "../Browser.ts"
import { button, heading } from "../Portal.ts"
import { startTestVa } from "./TestVa.ts"

const startVeteranApp = async (settings: Record<string, string | undefined>, atEnd: AtEnd) => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const va = await startTestVa(url, atEnd)
  const mailbox = await openMailbox()
  atEnd(mailbox.close)
  const app = await startApp(
    { VETERAN_APP_PORT: `${port}`, VETERAN_APP_URL: url, SMTP_URL: mailbox.url, ...va.environment, ...settings },
    atEnd
  )
  await until("the app's pages are read", () => fetch(url).then(({ ok }) => ok))
  return { ...app, va, mailbox, url }
}

const openShared = sharing(startVeteranApp)

/**
 * Opens the real service with the veteran's app on another origin, and a sandbox VA with no people yet. Test files
 * without settings share it per worker, so each test makes its veterans.
 */
export const openVeteranApp = async (settings?: Record<string, string | undefined>) => {
  const app = await openShared(settings)
  // All browsers have one IP address, so rate limits count all tests as one client. This resets the counts.
  await (await app.database.connect("superuser")).query("truncate rate_limit_spendings")
  return app
}

export type VeteranApp = Awaited<ReturnType<typeof openVeteranApp>>

/** A veteran who can sign in at the sandbox VA. */
export interface TestVeteran extends SandboxPerson {
  readonly id: string
}

/** Registers a veteran, who has not signed in yet: the first sign-in asks for a code. */
export const newUnpaired = async (
  { service, va }: VeteranApp,
  changes: Partial<SandboxPerson> = {}
): Promise<TestVeteran> => {
  const person = va.addPerson(changes)
  const { json, text } = await call(service, "POST", "/api/admin/veterans", {
    headers: asAdmin,
    body: { vaPatientId: person.patientId, callSign: person.name, email: person.email }
  })
  if (json?.id === undefined) throw new Error(text)
  return { ...person, id: json.id }
}

/**
 * Registers a veteran whose account at the VA is paired. `headers` are of a session on another device, for calls of the
 * service beside the browser.
 */
export const newVeteran = async (app: VeteranApp, changes: Partial<SandboxPerson> = {}) => {
  const { service, va } = app
  const person = await newUnpaired(app, changes)
  const [device, challenge] = await Promise.all([newDevice(), askChallenge(service)])
  const idToken = await va.idToken(person, nonceOf(challenge, device.thumbprint))
  const body = { idToken, challenge, vaPatientId: person.patientId, device: { name: "Another device" } }
  const asked = await prove(service, device, `${signInPath}/session`, challenge, body)
  const paired = await pair(service, device, asked.json.pairingId, await operatorCode(service, person.id))
  if (paired.status !== 200) throw new Error(paired.text)
  return { ...person, headers: bearer(paired.json.accessToken) }
}

/** Presses the button that leads to the VA, and chooses the person there. */
export const signInAtVa = async (page: Page, { name }: Pick<SandboxPerson, "name">) => {
  await page.getByRole("button", { name: /^(Connect to VA|Sign in at VA( instead)?)$/ }).click()
  await page.getByRole("link", { name, exact: true }).click()
}

/** Opens the app in this tab, and signs the veteran in. `route` is such as `#/sharing`. */
export const signInTab = async <T extends Pick<Tab, "page">>(
  tab: T,
  { url }: Pick<VeteranApp, "url">,
  veteran: Pick<SandboxPerson, "name">,
  route = ""
) => {
  await tab.page.goto(`${url}/${route}`)
  await signInAtVa(tab.page, veteran)
  await tab.page.getByRole("link", { name: "Account" }).waitFor()
  return tab
}

/** Opens the app in a new tab with separate storage, and signs the veteran in. */
export const enterVeteranApp = async (
  app: Pick<VeteranApp, "url">,
  veteran: Pick<SandboxPerson, "name">,
  { route, ...options }: { readonly route?: string } & Parameters<typeof openTab>[1] = {}
) => signInTab(await openTab(await openBrowser(), options), app, veteran, route)

export const atConnect = (page: Page) => heading(page, "See your VA health record").waitFor()

export const atLocked = (page: Page) => heading(page, "Locked").waitFor()

/** Signs out at the account. */
export const signOut = async (page: Page) => {
  await page.getByRole("link", { name: "Account" }).click()
  await button(page, "Sign out").click()
  await atLocked(page)
}

/** Signs in in a new window, so that the locked one keeps what it has in memory. */
export const signInBeside = async (context: BrowserContext, page: Page, veteran: Pick<SandboxPerson, "name">) => {
  await atLocked(page)
  const [other] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "Sign in in a new window" }).click()
  ])
  await signInAtVa(other, veteran)
}

/** Proves once, by the operator's code, whose record it is. */
export const pairByPaper = async (page: Page, { service }: Pick<VeteranApp, "service">, { id }: TestVeteran) => {
  await button(page, "I have a code on paper").click()
  await page.getByLabel("Code on paper").fill(await operatorCode(service, id))
  await button(page, "Go on").click()
}
