import type { Page } from "playwright-core"
import { assert } from "vitest"
import { upload } from "../../http/release/Releases.ts"
import { giveGrant, providerPassword, type SignedIn, signInProvider, signInVeteran } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"

/** A veteran whose documents a provider may read. */
export interface Share {
  readonly veteran: SignedIn
  readonly provider: SignedIn & { readonly email: string }
  readonly grant: { readonly id: string }
}

export const openShare = async (service: Pick<Service, "url">, changes = {}): Promise<Share> => {
  const [veteran, provider] = await Promise.all([signInVeteran(service), signInProvider(service)])
  return { veteran, provider, grant: await giveGrant(service, veteran, provider, changes) }
}

/** Uploads a file that the service must accept, and returns its id. */
export const share = async (
  service: Pick<Service, "url">,
  { veteran }: Share,
  content: string | Uint8Array,
  name: string
): Promise<string> => {
  const answer = await upload(service, veteran, content as Uint8Array<ArrayBuffer>, name)
  assert.strictEqual(answer.status, 201, answer.text)
  return answer.json.id
}

export const signInAt = async (page: Page, portal: string, { provider }: Share) => {
  await page.goto(portal)
  await page.getByLabel("E-mail").fill(provider.email)
  await page.getByLabel("Password", { exact: true }).fill(providerPassword)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await page.getByRole("heading", { level: 1, name: "Patients who share with you" }).waitFor()
}

/** Opens a document in a tab that is already signed in. */
export const showDocument = (page: Page, { veteran }: Share, documentId: string) =>
  page.evaluate(
    (hash) => void (location.hash = hash),
    `#/patients/${veteran.id}/documents/${documentId}`
  )
