import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, test } from "vitest"
import { bytesOfPdf, unpack } from "./http/export/Exports.ts"
import { upload } from "./http/release/Releases.ts"
import { openApp, openFolder, openOwnApp } from "./support/App.ts"
import { signInVeteran } from "./support/Client.ts"
import { operatorAt } from "./support/OperatorProgram.ts"
import { until } from "./support/Until.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const acts = async (id: string) =>
  (await superuser.query("select key, reason from admin_acts where target_id = $1 and act = 'export_made'", [id])).rows

const args = (id: string, out: string) => ["veteran", "export", id, "--reason", "letter of Nov 26", "--out", out]

test("The service's own export becomes a file that only its owner may read, and that replaces none unasked", async () => {
  const folder = await openFolder()
  const out = join(folder, "eagle.zip")
  const veteran = await signInVeteran(service)
  await upload(service, veteran, "Dear Ada", "letter.txt")
  const operator = operatorAt(service)
  const first = await operator(args(veteran.vaPatientId, out))
  assert.deepStrictEqual(first, { code: 0, stdout: `${out}: ${statSync(out).size} bytes\n`, stderr: "" })
  assert.strictEqual(statSync(out).mode & 0o777, 0o600)
  const files = await unpack(readFileSync(out), folder)
  assert.strictEqual(`${files.get("documents/letter.txt")}`, "Dear Ada")
  assert.deepStrictEqual(await acts(veteran.id), [{ key: "admin", reason: "letter of Nov 26" }])

  writeFileSync(out, "kept")
  const taken = await operator(args(veteran.id, out))
  assert.strictEqual(taken.code, 2)
  assert.strictEqual(readFileSync(out, "utf8"), "kept")
  // It asked for nothing, so that the day's exports are still there.
  assert.lengthOf(await acts(veteran.id), 1)
  assert.strictEqual((await operator([...args(veteran.id, out), "--yes"])).code, 0)
  assert.isTrue((await unpack(readFileSync(out), folder)).has("documents/letter.txt"))

  const other = join(folder, "other.zip")
  const stranger = await operator(args(veteran.id, other), { OPERATOR_SECRET: "wrong canary" })
  assert.deepStrictEqual([stranger.code, stranger.stdout], [5, ""])
  assert.notInclude(stranger.stderr, "canary")
  assert.strictEqual((await operator(args("00000000-0000-7000-8000-000000000000", other))).code, 3)
  assert.strictEqual((await operator(args(veteran.id, other))).code, 0)
  const fourth = await operator(args(veteran.id, join(folder, "fourth.zip")))
  assert.strictEqual(fourth.code, 5)
  assert.match(fourth.stderr, /wait \d+ seconds/)
  assert.lengthOf(await acts(veteran.id), 3)
  assert.isFalse(existsSync(join(folder, "fourth.zip")))
  assert.deepStrictEqual(readdirSync(folder).filter((name) => name.endsWith(".part")), [])
})

test("An export that the killed service cut leaves no file", async () => {
  const folder = await openFolder()
  const own = await openOwnApp()
  const veteran = await signInVeteran(own.service)
  for (let count = 0; count < 4; count++) {
    await upload(own.service, veteran, bytesOfPdf(24 * 1024 * 1024), `large-${count}.pdf`)
  }
  const out = join(folder, "eagle.zip")
  const running = operatorAt(own.service)(args(veteran.id, out))
  await until("the file grows", async () => existsSync(`${out}.part`) && statSync(`${out}.part`).size > 0)
  own.service.process.kill("SIGKILL")
  const { code, stderr } = await running
  assert.strictEqual(code, 1)
  assert.match(stderr, /^The answer of .* was cut\. Try again\.\n$/)
  assert.deepStrictEqual(readdirSync(folder), [])
})
