import { testSeal } from "./FileSealSuite.ts"
import { testStore } from "./FileStoreSuite.ts"
import { openBuckets } from "./Stores.ts"

for (const [name, inStore] of openBuckets()) {
  testSeal(name, inStore)
  testStore(name, inStore)
}
