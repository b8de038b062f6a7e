import { test } from "vitest"
import { openPatients } from "./patients/Listing.ts"
import { searchAmong } from "./patients/Search.ts"

const patients = await openPatients()

test("The search finds patients among 2,000 by each word of the call sign, ignoring case and accents", () =>
  searchAmong(2_000, patients))
