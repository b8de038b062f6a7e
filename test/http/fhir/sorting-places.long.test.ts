import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { connectApp, get, observation, syncAndConnect } from "./Apps.ts"

const { database, service } = await openApp()

const owner = await database.connect("owner")

test("Sorted searches of large records take no place of other large answers", { timeout: 180_000 }, async () => {
  const note = [{ text: "x".repeat(1500) }]
  const texts = Array.from(
    { length: 8000 },
    (_, n) => observation(`o${n}`, { effectiveDateTime: `${1950 + n % 70}`, note })
  )
  const { app, veteran } = await syncAndConnect(service, owner, { Observation: texts })
  const another = await connectApp(service, owner, veteran)
  const bystander = await signInVeteran(service)
  await sync(service, bystander, { Goal: "complete" }, { Goal: [resource("Goal", "a")] })
  const sorts = [app, another].flatMap((one) =>
    Array.from({ length: 4 }, (_, n) => get(service, one, `/Observation?_sort=-date&status=final&_count=${n + 1}`))
  )
  const first = Promise.race(sorts).then(() => "sorted" as const)
  let answers = 0
  for (;;) {
    const own = call(service, "GET", "/api/veteran/me/health-record", { headers: bystander.headers })
    if (await Promise.race([first, own.then(({ status }) => status)]) === "sorted") break
    assert.strictEqual((await own).status, 200)
    answers++
  }
  // The first may have come before the searches.
  assert.isAbove(answers, 1)
  for (const { json, status } of await Promise.all(sorts)) {
    assert.deepStrictEqual([status, json.entry[0].resource.id], [200, "o1049"])
  }
})
