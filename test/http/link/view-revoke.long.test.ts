import { test } from "vitest"
import { raceRevokes } from "./RevokeRaces.ts"
import { openTwoProcesses } from "./TwoProcesses.ts"

const processes = await openTwoProcesses()

test("No view sends its first byte after the revoke has answered, in 1,000 races of the two", () =>
  raceRevokes(processes, 1000))
