import { HttpApi } from "effect/http-api"
import { assert, describe, test } from "vitest"
import { Api } from "../../../src/http/Api.ts"
import { asAdmin, call, signIn } from "../../support/Client.ts"
import { renew, signInByVa, signInDevice } from "../../support/Device.ts"
import { nobody } from "../../support/Formats.ts"
import { openVaIssuer } from "../../support/VaIssuer.ts"
import { openTwoProcesses } from "../link/TwoProcesses.ts"

const va = await openVaIssuer()

const { one, other, superuser } = await openTwoProcesses(va.environment)

/** Every route of a veteran, with values in its path that fit the schema. */
const routes: Array<readonly [method: string, path: string]> = []

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    if (!endpoint.path.startsWith("/api/veteran/")) return
    const path = endpoint.path.replace(":veteranId", "me").replace(":kind", "grant").replaceAll(/:\w+/g, nobody)
    routes.push([endpoint.method, path.replace(/(?<=.)\/$/, "")])
  }
})

/** Bodies without which the schema would refuse the request before the token is looked at. */
const bodies: Readonly<Record<string, unknown>> = {}

const statusesOf = async (service: typeof one, headers: Record<string, string>) =>
  Object.fromEntries(
    await Promise.all(routes.map(async ([method, path]) => {
      const body = bodies[`${method} ${path}`]
      const answer = await call(service, method, path, { headers, ...(body === undefined ? {} : { body }) })
      return [`${method} ${path}`, answer.status] as const
    }))
  )

const unauthenticated = Object.fromEntries(routes.map(([method, path]) => [`${method} ${path}`, 401]))

describe("After a session has ended", () => {
  test("its token reads and writes nothing on any route, on any process", async () => {
    const { headers, sessionId } = await signInDevice(one, va)
    assert.strictEqual((await call(other, "GET", "/api/veteran/me", { headers })).status, 200)
    const ended = await call(one, "POST", `/api/veteran/me/sessions/${sessionId}/end`, { headers })
    assert.deepStrictEqual([ended.status, ended.text], [204, ""])
    for (const service of [one, other]) assert.deepStrictEqual(await statusesOf(service, headers), unauthenticated)
  })
})
