import { once } from "node:events"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { openDatabase, openFolder, openService } from "../../support/App.ts"
import { asAdmin } from "../../support/Client.ts"
import { killing, whole } from "../../support/KilledProcess.ts"
import { until } from "../../support/Until.ts"
import { openVaIssuer } from "../../support/VaIssuer.ts"
import { upload } from "../release/Releases.ts"
import { type AppVeteran, askExport, bytesOfPdf, signInByApp, slowly, slowlyAsOperator, unpack } from "./Exports.ts"

const va = await openVaIssuer()

const folder = await openFolder()

const database = await openDatabase()

const superuser = await database.connect("superuser")

const environment = { ...va.environment, UPLOAD_DIR: join(folder, "uploads") }

/** It makes what the killed processes export, and exports it too. */
const helper = await openService(database, environment)

const killAt = killing(database, environment)

const count = async (query: string, id: string) =>
  Number((await superuser.query(`select count(*) from ${query}`, [id])).rows[0].count)

type Target = Parameters<typeof askExport>[0]

const asOperator = ({ url }: Target, { id }: AppVeteran) =>
  fetch(`${url}/api/admin/veterans/${id}/export`, {
    method: "POST",
    headers: { ...asAdmin, "content-type": "application/json" },
    body: JSON.stringify({ reason: "ticket 1" })
  })

const proofs = (id: string) => count("proofs where veteran_id = $1 and kind = 'export_made'", id)

const acts = (id: string) => count("admin_acts where target_id = $1 and act = 'export_made'", id)

/** The archive, if it arrived as a whole. */
const archiveOf = async (answer: Response) => {
  assert.strictEqual(answer.status, 200)
  return unpack(new Uint8Array(await answer.arrayBuffer()), folder)
}

const kinds: Record<string, (service: Target, veteran: AppVeteran) => Promise<Response>> = {
  "a veteran's": askExport,
  "an operator's": asOperator
}

describe.each(Object.entries(kinds))("A process that is killed in %s export", (name, ask) => {
  const byOperator = name === "an operator's"

  // There are more than 20 answers while it reads. An operator's export notes more.
  test.each<readonly [string, string, ReadonlyArray<number>]>([
    ["while it reads", "repeatable read", byOperator ? [16] : [1]],
    ["while it notes it", "app.note_export", byOperator ? [1, 2, 3, 4, 5] : [1, 4]]
  ])(
    "%s leaves the proof with all else or nothing, no file, and the place and the turn free",
    async (_, words, killedAt) => {
      for (const step of killedAt) {
        const veteran = await signInByApp(helper, va)
        await upload(helper, veteran, "Dear Ada", "letter.txt")
        const { status, steps } = await killAt(step, words, async (service) => {
          const answer = await ask(service, veteran)
          await answer.arrayBuffer().catch(() => {})
          return answer
        })
        const did = whole([await proofs(veteran.id) === 1, ...byOperator ? [await acts(veteran.id) === 1] : []])
        // Nothing leaves before its proof is written.
        if (status !== undefined) assert.deepStrictEqual([status, did], [200, true])
        assert.deepStrictEqual(await readdir(join(environment.UPLOAD_DIR, "tmp")), [])
        // At most one of the day's three was spent.
        for (const _again of [1, 2]) {
          let answer = await ask(helper, veteran)
          // PostgreSQL frees the turn when it sees that the killed process is gone. A refused export spends nothing.
          await until("the turn is free", async () => {
            if (answer.status === 429) answer = await ask(helper, veteran)
            return answer.status !== 429
          })
          assert.isTrue((await archiveOf(answer)).has("documents/letter.txt"))
        }
        assert.strictEqual(await proofs(veteran.id), did ? 3 : 2)
        if (steps < step) break
      }
    }
  )

  test("while it sends leaves no valid archive, and another process exports at once", async () => {
    const service = await openService(database, environment)
    const veteran = await signInByApp(helper, va)
    await upload(helper, veteran, bytesOfPdf(24 * 1024 * 1024), "large.pdf")
    const going = byOperator ? await slowlyAsOperator(service, veteran) : await slowly(service, veteran)
    assert.strictEqual(going.status, 200)
    const other = byOperator ? await slowlyAsOperator(helper, veteran) : await slowly(helper, veteran)
    assert.strictEqual(other.status, 429)
    const ended = once(service.process, "exit")
    service.process.kill("SIGKILL")
    await ended
    const { bytes, complete } = await going.rest()
    assert.isFalse(complete)
    assert.isTrue(await unpack(bytes, folder).then(() => false, () => true))
    assert.strictEqual(await proofs(veteran.id), 1)
    assert.deepStrictEqual(await readdir(join(environment.UPLOAD_DIR, "tmp")), [])
    assert.isTrue((await archiveOf(await ask(helper, veteran))).has("documents/large.pdf"))
  })
})
