import { afterAll, beforeAll } from "vitest"
import { type BucketServer, bucketServers } from "../../support/BucketServers.ts"
import { inBucketOf, type InStore } from "./StoredFiles.ts"

/** Opens a server for the file that calls this, and closes it afterwards. */
const inBucket = (open: () => Promise<BucketServer>): InStore => {
  let server: BucketServer | undefined
  beforeAll(async () => {
    server = await open()
  })
  afterAll(() => server?.close())
  return inBucketOf(() => server!)
}

/** Opens the servers of buckets for the file that calls this. */
export const openBuckets = (): ReadonlyArray<readonly [name: string, inStore: InStore]> =>
  Object.entries(bucketServers).map(([name, open]) => [`a bucket of ${name}`, inBucket(open)])
