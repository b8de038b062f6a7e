import type { Page } from "playwright-core"
import type { SignedIn } from "../../support/Client.ts"
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
