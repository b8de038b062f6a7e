import { test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import { onPage, raceRevokes } from "./RevokeRaces.ts"

const { database, service: one } = await openApp()

const other = await openService(database)

const superuser = await database.connect("superuser")

test("In 40 races of a view and a revoke, no view sends its first byte after the revoke has answered", () =>
  raceRevokes({ home: one, one, other, superuser }, 40, onPage))
