import { test } from "vitest"
import { patients } from "../support/Collection.ts"
import { assertRows } from "./ReadableRows.ts"
import { recordOf } from "./SharedRecords.ts"

test.each(patients)(
  "In %s, every resource has one row of readable texts, with the digits that were sent",
  (patient) => assertRows(recordOf(patient))
)
