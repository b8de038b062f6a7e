import { rm } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { openFolder } from "../../support/App.ts"
import { call } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { askAsOperator, forget, letTimePass, onlyAccountIsLeft } from "../account/Deleting.ts"
import { upload } from "../release/Releases.ts"
import { askExport, bytesOfPdf, noneRuns, signInByApp, slowly, slowlyAsOperator, unpack } from "./Exports.ts"

const { database, service, va } = await openVaApp()

const superuser = await database.connect("superuser")

const runtime = await database.connect("runtime")

const folder = await openFolder()

const mebibyte = 1024 * 1024

/** Has a file that is larger than all buffers on the way, and a letter, which comes after it: the newest come first. */
const veteranWithFiles = async (large = 8 * mebibyte) => {
  const veteran = await signInByApp(service, va)
  const { json } = await upload(service, veteran, "Dear Ada", "letter.txt")
  await upload(service, veteran, bytesOfPdf(large), "large.pdf")
  return { ...veteran, letter: json.id as string }
}

type Veteran = Awaited<ReturnType<typeof veteranWithFiles>>

const kinds: Record<string, (veteran: Veteran) => ReturnType<typeof slowly>> = {
  "A veteran's export": (veteran) => slowly(service, veteran),
  "An operator's export": (veteran) => slowlyAsOperator(service, veteran)
}

describe.each(Object.entries(kinds))("%s", (_, begin) => {
  test("breaks off when the veteran is forgotten, who is forgotten to the end", async () => {
    const veteran = await veteranWithFiles(24 * mebibyte)
    const going = await begin(veteran)
    assert.strictEqual(going.status, 200)
    await askAsOperator(service, veteran.id)
    await forget(superuser, database, service, veteran.id)
    await onlyAccountIsLeft(superuser, veteran.id)
    const { rows } = await superuser.query(
      "select kind from proofs where veteran_id = $1 and kind in ('export_made', 'deletion_done') order by kind",
      [veteran.id]
    )
    assert.deepStrictEqual(rows.map(({ kind }) => kind), ["deletion_done", "export_made"])
    await noneRuns(service)
    assert.isFalse((await going.rest()).complete)
  })

  test("never ends as if it were whole without what a deletion has removed", async () => {
    for (let round = 0; round < 2; round++) {
      const veteran = await veteranWithFiles()
      const going = await begin(veteran)
      await askAsOperator(service, veteran.id)
      await letTimePass(superuser, veteran.id)
      const { rows: [{ storage_key: file }] } = await superuser.query(
        "select storage_key from documents where id = $1",
        [veteran.letter]
      )
      await runtime.query("select * from app.forget_veteran($1, 1800, 500)", [veteran.id])
      await runtime.query("select * from app.forget_veteran($1, 1800, 500)", [veteran.id])
      await rm(join(service.directory, ".data/uploads/files", file))
      const { bytes, complete } = await going.rest()
      if (complete) assert.include([...(await unpack(bytes, folder)).keys()], "documents/letter.txt")
    }
  })

  test("names a document that was deleted meanwhile, and has all the others", async () => {
    const veteran = await veteranWithFiles()
    const going = await begin(veteran)
    const { headers } = veteran
    const deleted = await call(service, "DELETE", `/api/veteran/me/documents/${veteran.letter}`, { headers })
    assert.strictEqual(deleted.status, 204)
    const { bytes, complete } = await going.rest()
    assert.isTrue(complete)
    const files = await unpack(bytes, folder)
    assert.isTrue(files.has("documents/large.pdf"))
    assert.isFalse(files.has("documents/letter.txt"))
    assert.include(`${files.get("README.txt")}`, "documents/letter.txt")
  })
})

test("A process makes 8 exports of veterans at once, a ninth costs nothing, and an operator's has its own place", async () => {
  const veterans = await Promise.all(Array.from({ length: 9 }, () => veteranWithFiles()))
  const last = veterans.pop()!
  const refused = await signInByApp(service, va)
  for (let time = 0; time < 3; time++) await (await askExport(service, refused)).arrayBuffer()
  const going = await Promise.all(veterans.map((veteran) => slowly(service, veteran)))
  assert.deepStrictEqual(going.map(({ status }) => status), Array(8).fill(200))
  // Those who have had their exports, or have one under way, ask for no place, so they take it from nobody.
  for (const veteran of [refused, veterans[1]!]) assert.strictEqual((await askExport(service, veteran)).status, 429)
  const spent = async () =>
    (await superuser.query("select from proofs where veteran_id = $1 and kind = 'export_made'", [last.id])).rowCount
  for (
    const answer of [await askExport(service, last), await askExport(service, last), await askExport(service, last),
      await askExport(service, last)]
  ) {
    assert.strictEqual(answer.status, 503)
    assert.strictEqual(((await answer.json()) as { error: string }).error, "service_unavailable")
  }
  assert.strictEqual(await spent(), 0)
  const operators = await slowlyAsOperator(service, last)
  assert.isTrue((await operators.rest()).complete)
  await going[0]!.hangUp()
  const again = await until("a place is free", async () => {
    const answer = await askExport(service, last)
    return answer.status === 200 ? answer : undefined
  }, 10_000)
  assert.isTrue((await unpack(new Uint8Array(await again.arrayBuffer()), folder)).has("documents/letter.txt"))
  await Promise.all(going.map(({ hangUp }) => hangUp()))
})
