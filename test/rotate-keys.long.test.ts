import { setTimeout } from "node:timers/promises"
import { assert, test } from "vitest"
import { createLink, step, verified, view } from "./http/link/Links.ts"
import { download, upload } from "./http/release/Releases.ts"
import { openDatabase, openFolder, openService } from "./support/App.ts"
import {
  asDrainer,
  call,
  giveGrant,
  registerVeterans,
  type SignedIn,
  signIn,
  signInProvider,
  signInVeteran
} from "./support/Client.ts"
import { newKey, rotation } from "./support/RotateProgram.ts"
import { type Service, startService } from "./support/Service.ts"
import { readRecord, resource, sync } from "./support/Sync.ts"
import { until } from "./support/Until.ts"

const database = await openDatabase()

const [owner, superuser] = [await database.connect("owner"), await database.connect("superuser")]

const folder = await openFolder()

const [oldest, old, fresh] = [newKey("oldest"), newKey("old"), newKey("fresh")]

const environment = { UPLOAD_DIR: folder }

const { run, start } = await rotation(database)

const entries = "/api/veteran/me/self-reported-entries"

const write = async (service: Service, veteran: SignedIn) => {
  const entry = await call(service, "POST", entries, {
    headers: veteran.headers,
    body: { category: "note", text: "slept well" }
  })
  assert.strictEqual(entry.status, 201, entry.text)
  return `${entries}/${entry.json.id}`
}

/** Drains all events into the account of disclosures, whose leaves are encrypted. */
const drain = async (service: Service) => {
  const drained = await call(service, "POST", "/api/internal/proofs/drain", {
    headers: asDrainer
  })
  assert.strictEqual(drained.status, 200, drained.text)
}

/** Reads all data of this veteran that is stored encrypted, as its permitted readers see it. */
const readAll = async (service: Service, veteran: SignedIn, provider: SignedIn, documentIds: ReadonlyArray<string>) => {
  const answers = [
    await call(service, "GET", entries, { headers: veteran.headers }),
    await call(service, "GET", `/api/provider/patients/${veteran.id}/notes`, { headers: provider.headers }),
    await call(service, "GET", "/api/veteran/me/documents", { headers: veteran.headers }),
    await call(service, "GET", "/api/veteran/me/secure-links", { headers: veteran.headers })
  ]
  for (const { status, text } of answers) assert.strictEqual(status, 200, text)
  const files = await Promise.all(
    documentIds.map((id) => download(service, veteran, `/api/veteran/me/documents/${id}/content`))
  )
  for (const { status } of files) assert.strictEqual(status, 200)
  return {
    record: (await readRecord(service, veteran)).items.map(({ text }) => text),
    lists: answers.map(({ text }) => text),
    files: files.map(({ bytes }) => bytes.toString("base64"))
  }
}

test(
  "keys are rotated while two processes serve; the next run finishes a killed rotation; then old keys can be removed",
  async () => {
    const before = await startService(database, { ...environment, TOKEN_ENCRYPTION_KEY: `${oldest}` })
    const veteran = await signInVeteran(before)
    const provider = await signInProvider(before)
    await giveGrant(before, veteran, provider)
    await sync(before, veteran, { Condition: "complete", Observation: "complete" }, {
      Condition: [resource("Condition", "a"), resource("Condition", "b")],
      Observation: Array.from({ length: 50 }, (_, index) => resource("Observation", `o-${index}`))
    })
    for (const crowd of await registerVeterans(owner, 4)) {
      await sync(before, await signIn(before, crowd), { Observation: "complete" }, {
        Observation: Array.from({ length: 2_000 }, (_, index) => resource("Observation", `${index}`))
      })
    }
    await write(before, veteran)
    const noted = await call(before, "POST", `/api/provider/patients/${veteran.id}/notes`, {
      headers: provider.headers,
      body: { text: "walks again" }
    })
    assert.strictEqual(noted.status, 201, noted.text)
    const [letter, link] = [await upload(before, veteran, "Dear Dr. Gray"), await createLink(before, veteran)]
    const documentIds = [letter.json.id as string, link.documentId]
    await drain(before)
    await before.stop()

    const both = `${fresh},${old},${oldest}`
    // An earlier rotation was never finished, so values are encrypted under three keys.
    const [one, other] = [
      await startService(database, { ...environment, TOKEN_ENCRYPTION_KEY: `${old},${oldest}` }),
      await openService(database, { ...environment, TOKEN_ENCRYPTION_KEY: both })
    ]
    await write(one, veteran)
    await one.stop()
    const third = await openService(database, { ...environment, TOKEN_ENCRYPTION_KEY: both })
    const services = [other, third]
    const expected = await readAll(other, veteran, provider, documentIds)

    const over = new AbortController()
    const crowd = await registerVeterans(owner, 20)
    const written: Array<SignedIn> = []
    const load = services.map(async (service, index) => {
      for (let round = index; !over.signal.aborted; round += services.length) {
        assert.deepStrictEqual(await readAll(service, veteran, provider, documentIds), expected)
        const busy = await signIn(service, crowd[round % crowd.length]!)
        const observations = Array.from({ length: 30 }, (_, n) => resource("Observation", `${n}`, { version: round }))
        await sync(service, busy, { Observation: "complete" }, { Observation: observations })
        assert.deepStrictEqual(
          (await readRecord(service, busy)).items.map(({ text }) => text).sort(),
          observations.sort()
        )
        const entry = await write(service, busy)
        for (const text of ["slept better", "slept best"]) {
          const patched = await call(service, "PATCH", entry, { headers: busy.headers, body: { text } })
          assert.strictEqual(patched.json.text, text)
        }
        written.push(busy)
        assert.strictEqual((await upload(service, busy, `${round}`)).status, 201)
        await setTimeout(200)
      }
    })
    const watched = Promise.all(load).then(() => undefined, (error: unknown) => error)

    const values = async (key: string) =>
      Number(
        (await superuser.query(
          "select count(*) from health_record_items where substr(raw_ciphertext, 3, octet_length($1::bytea)) = $1",
          [Buffer.from(key)]
        )).rows[0].count
      )
    const { child, outcome } = start(both, ["--effort", "5"])
    await until("some values are under the new key", async () => await values("fresh") > 600)
    child.kill("SIGKILL")
    await outcome
    assert.isAbove(await values("oldest"), 1_000)
    const second = await run(both, "--verify")
    assert.strictEqual(second.code, 0, second.stderr)
    const [sealed, all] = second.stdout.split("\n")
    assert.match(sealed!, /^\d+ values were sealed anew under fresh$/)
    assert.strictEqual(
      all,
      "Every value is under fresh: old, oldest may go from TOKEN_ENCRYPTION_KEY if every process has fresh first. " +
        "Keep it with the backups made until now."
    )
    over.abort()
    assert.strictEqual(await watched, undefined)
    assert.isAbove(written.length, 2)
    const status = await run(both, "--status")
    assert.notMatch(status.stdout, /old/)
    assert.match(status.stdout, /^health_record_items\.raw_ciphertext: fresh 8\d{3}$/m)

    const after = await openService(database, { ...environment, TOKEN_ENCRYPTION_KEY: fresh })
    assert.deepStrictEqual(await readAll(after, veteran, provider, documentIds), expected)
    assert.match(status.stdout, /^proofs\.leaf_ciphertext: fresh \d+$/m)
    const disclosures = await call(after, "GET", "/api/veteran/me/disclosures?kind=grant_given", {
      headers: veteran.headers
    })
    assert.strictEqual(disclosures.status, 200, disclosures.text)
    assert.lengthOf(disclosures.json.items, 1)
    assert.match(disclosures.json.items[0].summary, /Dr\. Ada Gray/)
    for (const busy of written) {
      const { json: { items } } = await call(after, "GET", entries, { headers: busy.headers })
      assert.deepStrictEqual([...new Set(items.map(({ text }: any) => text))], ["slept best"])
    }
    const opened = await step(after, "open", { token: link.token })
    assert.strictEqual(opened.status, 200, opened.text)
    const viewed = await view(after, await verified(after, link))
    assert.strictEqual(viewed.status, 200)
    assert.strictEqual(viewed.bytes.subarray(0, 5).toString(), "%PDF-")
  }
)
