import { assert, describe, test } from "vitest"
import { openApp, used } from "../../support/App.ts"
import { loseByRevoking, noHaproxy, startProxy } from "./KeptAlive.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

/** The bench runs 2,000 rounds. */
const rounds = 200

describe("Revokes right after views", () => {
  test("lose no request on connections that are kept alive", async () => {
    assert.deepStrictEqual(await loseByRevoking(service, superuser, service.url, rounds), {})
  })

  test.skipIf(noHaproxy)("lose no request behind haproxy, not even one of another client (needs haproxy)", async () => {
    const { url } = await used(startProxy(service))
    assert.deepStrictEqual(await loseByRevoking(service, superuser, url, rounds), {})
  })
})
