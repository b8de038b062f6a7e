import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { generateKey } from "../src/services/ledger/SignedNote.ts"
import { drain, textOf, writeEvents } from "./http/ledger/Drained.ts"
import { openDatabase } from "./support/App.ts"
import { call, signInVeteran } from "./support/Client.ts"
import { production } from "./support/Production.ts"
import { startService } from "./support/Service.ts"
import { logged } from "./support/Until.ts"

const database = await openDatabase()

const go = {
  signer: "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz",
  verifier: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
}

const refusal = (value: string) =>
  startService(database, { PROOF_SIGNING_KEY: value }).then(
    (service) => service.stop().then(() => "started"),
    ({ message }: Error) => message.replace(/^the service did not start:\n/, "").trim()
  )

describe("PROOF_SIGNING_KEY", () => {
  test("signs if it is set", async () => {
    const service = await startService(database, { PROOF_SIGNING_KEY: go.signer })
    assert.strictEqual(await textOf(service, "/api/proofs/key"), `${go.verifier}\n`)
    assert.match(await textOf(service, "/api/proofs/checkpoint"), /^PeterNeumann\n0\n/)
    assert.notInclude(service.output(), go.signer)
    await service.stop()
  })

  test("is made at the first start outside production, and only the service's user can read it", async () => {
    const service = await startService(database)
    const file = join(service.directory, ".data/proof-signing-key")
    assert.strictEqual((await stat(file)).mode & 0o777, 0o600)
    assert.match(await readFile(file, "utf8"), /^PRIVATE\+KEY\+localhost\/disclosures-in-development\+\S+\n$/)
    await service.stop()
  })

  test("that cannot be used prevents the start, with a message that does not show the key", async () => {
    const line = "must be what `npm run proof-key` prints"
    assert.strictEqual(await refusal("a key"), `PROOF_SIGNING_KEY ${line}: PRIVATE+KEY+name+id+base64`)
    assert.strictEqual(
      await refusal(go.signer.replace("c74f20a3", "c74f20a4")),
      `PROOF_SIGNING_KEY ${line}, unchanged: PRIVATE+KEY+name+id+base64`
    )
  })

  test("that differs from that of another process is reported in the log, as one that was changed is", async () => {
    const one = await startService(database, { PROOF_SIGNING_KEY: go.signer })
    const { id } = await signInVeteran(one)
    await writeEvents(await database.connect("superuser"), id, 1)
    await drain(one)
    const sentence = "proofs: the last checkpoint was signed with another key"
    assert.notInclude(one.output(), sentence)
    const other = await startService(database, { PROOF_SIGNING_KEY: generateKey("records.example.org/other") })
    await drain(other)
    await logged(other, sentence)
    await drain(one)
    await logged(one, sentence)
    for (const service of [one, other]) await service.stop()
  })

  test("that is missing in production is reported in the log, and the routes of proofs answer 503", async () => {
    const service = await startService(database, { ...production, MIGRATION_DATABASE_URL: undefined })
    const sentence = "This server has no key to sign the account of disclosures with: PROOF_SIGNING_KEY."
    await logged(service, sentence)
    for (
      const [method, path, headers] of [
        ["GET", "/api/proofs/key", {}],
        ["GET", "/api/proofs/checkpoint", {}],
        ["GET", "/api/proofs/consistency?from=0&to=0", {}],
        ["POST", "/api/internal/proofs/drain", { "x-proof-drainer-secret": production["PROOF_DRAINER_SECRET"]! }]
      ] as const
    ) {
      const answer = await call(service, method, path, { headers })
      assert.deepStrictEqual([answer.status, answer.json.error, answer.json.message], [503, "service_unavailable",
        sentence])
    }
    await service.stop()
  })
})
