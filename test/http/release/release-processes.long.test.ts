import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { PNG } from "pngjs"
import { assert, describe, test } from "vitest"
import { openOwnApp } from "../../support/App.ts"
import { type Answer, call, registerVeterans, type SignedIn, signIn } from "../../support/Client.ts"
import { isAwaited } from "../../support/Locks.ts"
import { inHand, isRunning, workerOf, workersOf } from "../../support/Processes.ts"
import { resource, sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { release, sign } from "./Releases.ts"

const { database, service } = await openOwnApp()

const owner = await database.connect("owner")

const newVeterans = async (count: number) =>
  Promise.all((await registerVeterans(owner, count)).map((veteran) => signIn(service, veteran)))

const documentsOf = async ({ headers }: SignedIn) =>
  (await call(service, "GET", "/api/veteran/me/documents", { headers })).json.items

const filesStored = async () => {
  const uploads = join(service.directory, ".data/uploads")
  return (await readdir(uploads, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length
}

const drawnPng = PNG.sync.write(new PNG({ width: 30, height: 20 })).toString("base64")

const drawn = { signature: { ...release().signature, drawnPng } }

type Changes = Record<string, unknown>

/** Signs while the worker process of this kind is stopped, and kills that process after `struck` has run. */
const signKilled = async (veteran: SignedIn, kind: string, changes: Changes, struck = async (_: number) => {}) => {
  await sign(service, (await newVeterans(1))[0]!, changes)
  const pid = workerOf(service, kind)
  process.kill(pid, "SIGSTOP")
  const answer = sign(service, veteran, changes)
  await inHand(service, kind, 1)
  await struck(pid)
  process.kill(pid, "SIGKILL")
  await until("it is dead", async () => !isRunning(pid))
  return { answer }
}

const whileRead = async (veteran: SignedIn) => {
  await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "a")] })
  const gate = await database.connect("superuser")
  const killed = await signKilled(veteran, "releases", {}, async (pid) => {
    await gate.query("begin; lock table health_record_items in access exclusive mode")
    process.kill(pid, "SIGCONT")
    const observer = await database.connect("superuser")
    await until("the record is read", () => isAwaited(observer, "health_record_items"))
  })
  await gate.query("rollback")
  return killed
}

describe("The processes that make releases", () => {
  test.each<[string, Changes, (veteran: SignedIn) => Promise<{ readonly answer: Promise<Answer> }>]>([
    ["before it has read anything", {}, (veteran) => signKilled(veteran, "releases", {})],
    ["while the service reads the record for it", {}, whileRead],
    ["while it reads a drawn signature", drawn, (veteran) => signKilled(veteran, "drawings", drawn)]
  ])("fail only one request if a process dies %s, and store nothing of that request", async (_, changes, killed) => {
    const [veteran] = await newVeterans(1)
    const lost = await (await killed(veteran!)).answer
    const before = await filesStored()
    assert.deepStrictEqual([lost.status, lost.headers.get("retry-after"), lost.json.error, lost.json.message], [
      503,
      "1",
      "service_unavailable",
      "The service cannot reach something it needs. Try again in a moment."
    ])
    assert.deepStrictEqual(await documentsOf(veteran!), [])
    assert.strictEqual((await sign(service, veteran!, changes)).status, 201)
    assert.strictEqual((await documentsOf(veteran!)).length, 1)
    assert.strictEqual(await filesStored(), before + 3)
  })

  test("refuse the requests that exceed their queue, and sign all that waited in it", async () => {
    const size = 2
    const first = await newVeterans(6)
    await Promise.all(first.map((veteran) => sign(service, veteran)))
    const pids = workersOf(service, "releases")
    assert.strictEqual(pids.length, size)
    for (const pid of pids) process.kill(pid, "SIGSTOP")
    const veterans = await newVeterans(30)
    const answers: Array<Answer> = []
    const all = Promise.all(veterans.map(async (veteran) => answers.push(await sign(service, veteran))))
    // The other 18 are accepted: two are in progress, and 16 wait.
    await until("twelve are refused", async () => answers.length === 12)
    for (const pid of pids) process.kill(pid, "SIGCONT")
    await all
    for (const { headers, json, status } of answers.slice(0, 12)) {
      assert.deepStrictEqual([status, headers.get("retry-after"), json.error, json.message], [
        503,
        "10",
        "service_unavailable",
        "The service holds as much as it can at the moment. Try again in a few seconds."
      ])
    }
    assert.deepStrictEqual(answers.slice(12).map(({ status }) => status), Array.from({ length: 18 }, () => 201))
  })
})
