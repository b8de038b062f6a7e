import { patients } from "../../support/Collection.ts"
import { testReleases } from "./PatientReleases.ts"

// patients.long.test.ts has most other patients.
await testReleases(patients.slice(0, 1))
