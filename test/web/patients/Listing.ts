import type { Page } from "playwright-core"
import { type SignedIn, signInVeteran } from "../../support/Client.ts"
import { openBrowser } from "../Browser.ts"
import { openInspection } from "../pages/Inspection.ts"
import { atPatients, enterPortal, openPortal } from "../Portal.ts"

const day = 24 * 3_600_000

export const inDays = (days: number) => ({ expiresAt: new Date(Date.now() + days * day).toISOString() })

/** The date on which a share expires, as the page shows it. The page and the test have the same time zone. */
export const dayOf = ({ expiresAt }: { readonly expiresAt: string }) =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "medium" }).format(new Date(expiresAt))

/** The portal, with what its list of patients needs. */
export const openPatients = async () => {
  const { database, portal, service } = await openPortal()
  const browser = await openBrowser()
  const owner = await database.connect("owner")

  const openVeteran = async (callSign: string): Promise<SignedIn> => {
    const veteran = await signInVeteran(service)
    await owner.query("update veterans set call_sign = $2 where id = $1", [veteran.id, callSign])
    return veteran
  }

  const openList = async (provider: { readonly email: string }) => {
    const tab = await openInspection(browser)
    await enterPortal(tab.page, portal, provider.email)
    await atPatients(tab.page)
    return tab
  }

  return { browser, openList, openVeteran, owner, portal, service }
}

/** The words of each cell of the list. */
export const rows = async (page: Page) =>
  page.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) =>
      [...(row as HTMLTableRowElement).cells].map(({ innerText }) => innerText.replace(/\s+/g, " ").trim())
    )
  )

export const count = (page: Page, words: string) => page.getByRole("status").getByText(words, { exact: true }).waitFor()
