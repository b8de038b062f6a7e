import { test } from "vitest"
import { onPage, raceRevokes } from "./RevokeRaces.ts"
import { openTwoProcesses } from "./TwoProcesses.ts"

const processes = await openTwoProcesses()

test("In 1,000 races of a view and a revoke, no view sends its first byte after the revoke has answered", () =>
  raceRevokes(processes, 1000, onPage))
