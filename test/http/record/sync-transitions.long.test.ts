import { describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { runSequences } from "./SyncModel.ts"

const { database, service } = await openApp()

const owner = await database.connect("owner")

describe("2,000 random sequences of fetches", () => {
  test("end over HTTP with the counts, states and items of the specification's table", () =>
    runSequences(service, owner, 2000))
})
