import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { isMissing } from "../../support/Programs.ts"
import { loseByRevoking, startProxy } from "./KeptAlive.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

/** Few rounds keep the test short. 2,000 rounds lost nothing on 22 November 2026. */
const rounds = 100

describe("Revokes right after views", () => {
  test("do not break the next request on the same connection", async () => {
    assert.deepStrictEqual(await loseByRevoking(service, superuser, service.url, rounds), {})
  })

  test.skipIf(isMissing("haproxy"))("break no request on connections that haproxy reuses (needs haproxy)", async () => {
    assert.deepStrictEqual(await loseByRevoking(service, superuser, await startProxy(service), rounds), {})
  })
})
