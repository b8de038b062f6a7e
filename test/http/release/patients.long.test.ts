import { smallerPatients } from "../../support/Collection.ts"
import { testReleases } from "./PatientReleases.ts"

await testReleases(smallerPatients.slice(1))
