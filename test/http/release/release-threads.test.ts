import { rmSync, writeFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { PNG } from "pngjs"
import { assert, beforeEach, describe, test } from "vitest"
import { openApp, openFolder } from "../../support/App.ts"
import { type Answer, call, registerVeterans, type SignedIn, signIn, signInVeteran } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { release, sign } from "./Releases.ts"

const trouble = join(await openFolder(), "trouble")

const { database, service } = await openApp({
  NODE_OPTIONS: `--import=${new URL("../../support/thread-trouble.ts", import.meta.url).href}`,
  THREAD_TROUBLE: trouble
})

beforeEach(() => rmSync(trouble, { force: true }))

const documentsOf = async ({ headers }: SignedIn) =>
  (await call(service, "GET", "/api/veteran/me/documents", { headers })).json.items

const filesStored = async () => {
  const uploads = join(service.directory, ".data/uploads")
  return (await readdir(uploads, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length
}

const drawnPng = PNG.sync.write(new PNG({ width: 30, height: 20 })).toString("base64")

describe("the threads in which releases are made (findings H1)", () => {
  test.each([
    ["lays a release out", {}],
    ["reads a drawn signature", { signature: { ...release().signature, drawnPng } }]
  ])("one that dies while it %s fails that request alone, and nothing is stored of it", async (_, changes) => {
    const veteran = await signInVeteran(service)
    const before = await filesStored()
    writeFileSync(trouble, "end")
    const lost = await sign(service, veteran, changes)
    assert.deepStrictEqual([lost.status, lost.headers.get("retry-after"), lost.json.error, lost.json.message], [
      503,
      "1",
      "service_unavailable",
      "The service cannot reach something it needs. Try again in a moment."
    ])
    assert.deepStrictEqual(await documentsOf(veteran), [])
    assert.strictEqual(await filesStored(), before)
    rmSync(trouble)
    assert.strictEqual((await sign(service, veteran, changes)).status, 201)
    assert.strictEqual((await documentsOf(veteran)).length, 1)
    assert.strictEqual(await filesStored(), before + 3)
  })

  test("more than their queue holds is refused, and what waited is signed", async () => {
    const owner = await database.connect("owner")
    const veterans = await Promise.all(
      (await registerVeterans(owner, 30)).map((veteran) => signIn(service, veteran))
    )
    writeFileSync(trouble, "hold")
    const answers: Array<Answer> = []
    const all = Promise.all(veterans.map(async (veteran) => answers.push(await sign(service, veteran))))
    // Four threads at most, and 16 that wait.
    await until("ten are refused", async () => answers.length >= 10)
    rmSync(trouble)
    await all
    const refused = answers.filter(({ status }) => status !== 201)
    assert.isAtLeast(refused.length, 10)
    assert.isAtLeast(answers.length - refused.length, 18)
    for (const { headers, json, status } of refused) {
      assert.deepStrictEqual([status, headers.get("retry-after"), json.error, json.message], [
        503,
        "10",
        "service_unavailable",
        "The service holds as much as it can at the moment. Try again in a few seconds."
      ])
    }
  })
})
