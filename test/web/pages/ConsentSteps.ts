import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Page } from "playwright-core"
import { codeFor, parametersOf, registerApp, registerVeteran } from "../../http/oauth/Asking.ts"
import { atEnd, openApp } from "../../support/App.ts"
import type { Service } from "../../support/Service.ts"
import { openBrowser } from "../Browser.ts"
import { button, heading } from "../Portal.ts"

/** Leads a tab from the e-mail page of an app's request, in English, to the typed code. */
export const enterCode = async (page: Page, service: Pick<Service, "directory">, email: string) => {
  await page.getByLabel("E-mail address").first().fill(email)
  await button(page, "Send me a code").click()
  await page.getByLabel("8-digit code").fill(await codeFor(service, email))
}

const scope = "launch/patient offline_access patient/AllergyIntolerance.rs patient/Condition.rs " +
  "patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory"

/** The worker's service, and an app whose own site notes the requests that arrive there. */
export const openAskingApp = async () => {
  const { database, service } = await openApp()
  const [browser, owner] = [await openBrowser(), await database.connect("owner")]
  const arrived: Array<URL> = []
  const site = createServer((request, response) => {
    const url = new URL(request.url!, "http://app.example")
    if (url.pathname !== "/favicon.ico") arrived.push(url)
    response.setHeader("content-type", "text/html").end(
      "<!doctype html><html lang=\"en\"><title>Heart Diary</title><h1>Connected</h1>"
    )
  })
  site.listen(0, "127.0.0.1")
  await once(site, "listening")
  atEnd(() => site.close())
  const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`

  const app = await registerApp(owner, { redirectUri: `${siteUrl}/cb`, privacyUrl: `${siteUrl}/privacy` })

  const parameters = parametersOf(app, { scope, state: "s1" })

  /** The address of the app's request. */
  const address = (changes: Readonly<Record<string, string>> = {}) =>
    `${service.url}/api/oauth/authorize?${new URLSearchParams({ ...parameters, ...changes })}`

  /** Leads a tab to the consent page. */
  const atConsent = async (page: Page, asked = scope, veteran = registerVeteran(service)) => {
    const { email, id } = await veteran
    await page.goto(address({ scope: asked }))
    await enterCode(page, service, email)
    await button(page, "Continue").click()
    await heading(page, "What may Heart Diary read?").waitFor()
    return id
  }

  const grants = async (veteranId: string) =>
    (await owner.query("select scope, sensitive_categories from consent_grants where veteran_id = $1", [veteranId]))
      .rows

  return { address, arrived, atConsent, browser, grants, parameters, scope, service, siteUrl }
}

export const namesOf = (boxes: ReadonlyArray<unknown>) => boxes.map((box) => Object(box).labels[0].textContent)

/** Matches the browser's message about a refused form, which it reports as a failed navigation. */
export const refusedForm = /^Failed to load resource: the server responded with a status of (400|403|429)/
