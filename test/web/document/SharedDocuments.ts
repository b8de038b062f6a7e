import type { Page } from "playwright-core"
import { assert } from "vitest"
import { upload } from "../../http/release/Releases.ts"
import type { Service } from "../../support/Service.ts"
import { atPatients, enterPortal } from "../Portal.ts"
import type { Shared } from "../record/Records.ts"

/** Uploads a file that the service must accept, and returns its id. */
export const uploadTo = async (
  service: Pick<Service, "url">,
  { veteran }: Pick<Shared, "veteran">,
  content: string | Uint8Array,
  name: string
): Promise<string> => {
  const answer = await upload(service, veteran, content as Uint8Array<ArrayBuffer>, name)
  assert.strictEqual(answer.status, 201, answer.text)
  return answer.json.id
}

export const signInAt = async (page: Page, portal: string, { provider }: Shared) => {
  await enterPortal(page, portal, provider.email)
  await atPatients(page)
}

/** Opens a document in a tab that is already signed in. */
export const showDocument = (page: Page, { veteran }: Shared, documentId: string) =>
  page.evaluate(
    (hash) => void (location.hash = hash),
    `#/patients/${veteran.id}/documents/${documentId}`
  )
