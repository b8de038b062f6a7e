import { once } from "node:events"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { request } from "node:http"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { openOwnApp } from "../../support/App.ts"
import { type SignedIn, signInVeteran } from "../../support/Client.ts"
import { inHand, isRunning, workerOf } from "../../support/Processes.ts"
import { resource, sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { download, signed } from "../release/Releases.ts"
import { replaceRecord } from "./Copies.ts"

const { database, service } = await openOwnApp()

const superuser = await database.connect("superuser")

const uploads = join(service.directory, ".data/uploads")

const kind = "translations"

const released = async () => {
  const veteran = await signInVeteran(service)
  await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "a")] })
  return { veteran, id: (await signed(service, veteran)).document.id }
}

interface Released {
  readonly veteran: SignedIn
  readonly id: string
}

const pathOf = ({ id }: Released) => `/api/veteran/me/documents/${id}/ccda`

const ccda = (one: Released) => download(service, one.veteran, pathOf(one))

/** Stops the process that translates, so that a request waits for it. */
const stopped = async (one: Released) => {
  assert.strictEqual((await ccda(one)).status, 200)
  await inHand(service, kind, 0)
  const pid = workerOf(service, kind)
  process.kill(pid, "SIGSTOP")
  return pid
}

const errorOf = ({ bytes, headers, status }: Awaited<ReturnType<typeof ccda>>) => {
  const { error, message } = JSON.parse(bytes.toString())
  return [status, headers.get("retry-after"), error, message]
}

const untranslatable = [
  409,
  null,
  "conflict",
  "This release cannot be translated to C-CDA. Download its record as FHIR instead."
]

/** The next request is answered, and nothing is left on the disk. */
const assertSound = async (one: Released) => {
  assert.strictEqual((await ccda(one)).status, 200)
  await until("no translation is left", async () => (await readdir(join(uploads, "tmp"))).length === 0)
  await inHand(service, kind, 0)
}

describe("GET /documents/{id}/ccda", () => {
  test("is 409 if the process that translates is killed, and the next request is answered", async () => {
    const one = await released()
    const pid = await stopped(one)
    const answer = ccda(one)
    await inHand(service, kind, 1)
    process.kill(pid, "SIGKILL")
    assert.deepStrictEqual(errorOf(await answer), untranslatable)
    await assertSound(one)
  })

  test("stops the process if the client goes away, and the next request is answered", async () => {
    const one = await released()
    const pid = await stopped(one)
    const sent = request(`${service.url}${pathOf(one)}`, { headers: one.veteran.headers }).on("error", () => {})
    sent.end()
    await inHand(service, kind, 1)
    sent.destroy()
    await inHand(service, kind, 0)
    await until("the process is gone", async () => !isRunning(pid))
    await assertSound(one)
  })

  test("takes turns for each veteran: of 12 at once two are served, and others need not wait for more", async () => {
    const [attacker, bystander] = [await released(), await released()]
    const pid = await stopped(attacker)
    const refused: Array<ReadonlyArray<unknown>> = []
    const crowd = Array.from({ length: 12 }, async () => {
      const answer = await ccda(attacker)
      if (answer.status !== 200) refused.push(errorOf(answer))
      return answer
    })
    await until("10 are refused", async () => refused.length >= 10)
    const another = ccda(bystander)
    await inHand(service, kind, 2)
    process.kill(pid, "SIGCONT")
    assert.strictEqual((await another).status, 200)
    const served = (await Promise.all(crowd)).filter(({ status }) => status === 200).map(({ bytes }) => bytes)
    assert.strictEqual(served.length, 2)
    assert.isTrue(served[0]!.equals(served[1]!))
    const tooMany = "Too many requests: wait as many seconds as 'retryAfterSeconds' says."
    assert.deepStrictEqual(refused, Array.from({ length: 10 }, () => [429, "2", "rate_limited", tooMany]))
    await assertSound(attacker)
  })

  test("tells a broken seal of the record, and makes no document of it", async () => {
    const one = await released()
    const { rows: [{ record_storage_key: key }] } = await superuser.query(
      "select record_storage_key from documents where id = $1",
      [one.id]
    )
    const file = join(uploads, "files", key)
    const whole = await readFile(file)
    const broken = Buffer.from(whole)
    broken[whole.length - 20]! ^= 1
    await writeFile(file, broken)
    const [status, , error] = errorOf(await ccda(one))
    assert.deepStrictEqual([status, error], [500, "internal_error"])
    await writeFile(file, whole)
    await assertSound(one)
  })

  test("gives up after two minutes, and another veteran's that waits for the process after one", {
    timeout: 400_000
  }, async () => {
    const [one, other] = [await released(), await released()]
    await stopped(one)
    const first = ccda(one)
    await inHand(service, kind, 1)
    const [status, retry, error] = errorOf(await ccda(other))
    assert.deepStrictEqual([status, retry, error], [503, "10", "service_unavailable"])
    assert.deepStrictEqual(errorOf(await first), untranslatable)
    await assertSound(one)
  })

  test("is not kept if the client goes away in the middle of the answer", async () => {
    const one = await released()
    const note = [{ text: "x".repeat(900) }]
    const texts = Array.from(
      { length: 5000 },
      (_, index) => JSON.stringify({ resourceType: "Condition", id: `c${index}`, code: { text: "Asthma" }, note })
    )
    await replaceRecord(service, superuser, one.id, texts)
    const sent = request(`${service.url}${pathOf(one)}`, { headers: one.veteran.headers }).on("error", () => {})
    sent.end()
    const [response] = await once(sent, "response")
    assert.strictEqual(response.statusCode, 200)
    response.on("error", () => {}).destroy()
    await assertSound(one)
  })
})
