import { patients } from "../../support/Collection.ts"
import { testReleases } from "./PatientReleases.ts"

await testReleases(patients.slice(1))
