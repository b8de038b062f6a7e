import { afterAll, beforeAll } from "vitest"
import { type BucketServer, bucketServers } from "../../support/BucketServers.ts"
import { testSeal } from "./FileSealSuite.ts"
import { testStore } from "./FileStoreSuite.ts"
import { inBucketOf } from "./StoredFiles.ts"

for (const [name, open] of Object.entries(bucketServers)) {
  let server: BucketServer | undefined
  beforeAll(async () => {
    server = await open()
  })
  afterAll(() => server?.close())
  const [place, inStore] = [`a bucket of ${name}`, inBucketOf(() => server!)]
  testSeal(place, inStore)
  testStore(place, inStore, 20)
}
