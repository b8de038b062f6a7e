import type { Page } from "playwright-core"
import type { SignedIn } from "../../support/Client.ts"
import { button, heading } from "../Portal.ts"
import { newVeteran, signInAtVa, type VeteranApp } from "./VeteranApp.ts"

/** A veteran who shares by calls of the service, and signs in to the app in a browser. */
export type Sharer = SignedIn & { readonly name: string }

export const newSharer = async (app: VeteranApp, name?: string): Promise<Sharer> => {
  const veteran = await newVeteran(app, name === undefined ? {} : { name })
  return { ...veteran, token: veteran.headers.authorization.slice("Bearer ".length) }
}

/** Opens a screen of the app in this tab, and signs the veteran in. */
export const enterApp = async (page: Page, { url }: Pick<VeteranApp, "url">, veteran: Sharer, route: string) => {
  await page.goto(`${url}/${route}`)
  await signInAtVa(page, veteran)
}

/** Looks for a provider in the first step of a share. */
export const findByEmail = async (page: Page, email: string) => {
  await page.getByLabel("Their e-mail").check()
  await page.getByLabel("E-mail", { exact: true }).fill(email)
  await button(page, "Find").click()
}

/** Leads a new share to its last step, with what each step has at first. */
export const toCheck = async (page: Page, email: string) => {
  await heading(page, "Who do you want to share with?").waitFor()
  await findByEmail(page, email)
  await page.getByRole("heading", { level: 2, name: "Dr. Ada Gray" }).waitFor()
  for (const title of ["What may they read?", "Protected parts", "Until when?", "Check, then share"]) {
    await button(page, "Go on").click()
    await heading(page, title).waitFor()
  }
}
