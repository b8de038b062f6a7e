import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { assert } from "vitest"
import { signed, upload } from "../http/release/Releases.ts"
import { call, signInVeteran } from "./Client.ts"
import { base, sound } from "./Deployment.ts"
import { startService } from "./Service.ts"

/**
 * Starts a service with the sound deployment's keys, where a veteran stores a document, a release, an entry and an
 * item. Returns the names of the stored files.
 */
const fill = async () => {
  const { APP_SECRET, PROOF_DRAINER_SECRET, PROOF_SIGNING_KEY, TOKEN_ENCRYPTION_KEY, UPLOAD_DIR } = base
  const keys = { APP_SECRET, PROOF_DRAINER_SECRET, PROOF_SIGNING_KEY, TOKEN_ENCRYPTION_KEY, UPLOAD_DIR }
  const service = await startService(sound, keys)
  const veteran = await signInVeteran(service)
  const { headers } = veteran
  await upload(service, veteran, "a letter")
  await signed(service, veteran, { incompleteRecordConfirmed: true })
  const entry = { category: "note", text: "canary health" }
  assert.strictEqual(
    (await call(service, "POST", "/api/veteran/me/self-reported-entries", { headers, body: entry })).status,
    201
  )
  const sync = {
    fhirResourceFetchStatuses: { Condition: "complete" },
    resources: { Condition: [{ resourceType: "Condition", id: "a" }] }
  }
  assert.strictEqual(
    (await call(service, "POST", "/api/veteran/me/health-record/sync", { headers, body: sync })).status,
    200
  )
  const drained = await call(service, "POST", "/api/internal/proofs/drain", {
    headers: { "x-proof-drainer-secret": PROOF_DRAINER_SECRET }
  })
  assert.isAbove(drained.json.treeSize, 0)
  await service.stop()
  return readdir(join(UPLOAD_DIR, "files"))
}

/** Only a file that looks at stored data imports this, because it starts a service and makes a release. */
export const stored = await fill()
