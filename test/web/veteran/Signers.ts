import type { Page } from "playwright-core"
import { call } from "../../support/Client.ts"
import { sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { button, heading } from "../Portal.ts"
import { enterApp, type Sharer } from "./Sharers.ts"
import type { VeteranApp } from "./VeteranApp.ts"

/** Helpers of the tests that sign a release in the app. */

export const recipient = { name: "Morgan Lee", email: "morgan.lee@harbor.example", organization: "Harbor Clinic" }

export const signerName = "Sean O'Hara"

const resource = (resourceType: string, id: string, members: object) => JSON.stringify({ resourceType, id, ...members })

/** Gives the veteran a small record: some of it is protected, and the medications are not complete. */
export const fillRecord = async ({ service }: Pick<VeteranApp, "service">, veteran: Sharer) => {
  await sync(service, veteran, {
    Patient: "complete",
    Condition: "complete",
    MedicationRequest: "partial",
    Immunization: "complete"
  }, {
    Patient: [resource("Patient", "p1", { name: [{ text: signerName }], birthDate: "1962-03-04" })],
    Condition: [
      resource("Condition", "c1", { code: { text: "Hypertension" }, recordedDate: "2024-03-04" }),
      resource("Condition", "c2", {
        code: { coding: [{ system: "http://hl7.org/fhir/sid/icd-10-cm", code: "B20" }], text: "HIV disease" },
        recordedDate: "2024-03-05"
      })
    ],
    MedicationRequest: [resource("MedicationRequest", "m1", { medicationCodeableConcept: { text: "Lisinopril" } })],
    Immunization: [resource("Immunization", "i1", { vaccineCode: { text: "Influenza" } })]
  })
}

export const next = (page: Page) => button(page, "Go on").first().click()

export const enterRelease = (page: Page, app: VeteranApp, veteran: Sharer, route = "#/release") =>
  enterApp(page, app, veteran, route)

/** Fills the first step. The name and the birth date come from the record. */
export const fillWho = async (page: Page, to = recipient) => {
  await heading(page, "Who gets it, and why?").waitFor()
  await page.getByLabel("Their name").fill(to.name)
  await page.getByLabel("Their e-mail").fill(to.email)
  await page.getByLabel("Organization").fill(to.organization)
  await page.getByLabel("Treatment").check()
}

/** Waits until the record has told the signer's name. */
export const nameTold = (page: Page) =>
  until(
    "the record has told the name",
    async () => await page.getByLabel("My full name").inputValue() === signerName
  )

/** Leads a release with what each step has at first from its first step to its preview. */
export const leadToPreview = async (page: Page) => {
  await fillWho(page)
  await nameTold(page)
  for (const title of ["What does it carry?", "Until when?", "Look at it before you sign"]) {
    await next(page)
    await heading(page, title).waitFor()
  }
  await page.getByText(/^\d+ pages$/).waitFor()
}

/** Signs the veteran in, and leads a release to its preview. */
export const toPreview = async (page: Page, app: VeteranApp, veteran: Sharer) => {
  await enterRelease(page, app, veteran)
  await leadToPreview(page)
}

export const toSign = async (page: Page, app: VeteranApp, veteran: Sharer) => {
  await toPreview(page, app, veteran)
  await next(page)
  await heading(page, "Sign the release").waitFor()
}

export const fillSignature = async (page: Page) => {
  await page.getByLabel("I read the five statements").check()
  await page.getByLabel("I sign electronically").check()
  await page.getByLabel("Type your full name").fill(signerName)
}

export const signButton = (page: Page) => button(page, "Sign")

export const atDone = (page: Page) => heading(page, "The release is signed").waitFor()

export const releasesOf = async ({ service }: Pick<VeteranApp, "service">, veteran: Sharer) =>
  (await call(service, "GET", "/api/veteran/me/documents", { headers: veteran.headers })).json.items.filter(
    ({ kind }: { kind: string }) => kind === "roi"
  )
