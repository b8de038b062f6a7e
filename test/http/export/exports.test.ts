import { execFile } from "node:child_process"
import { rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, test } from "vitest"
import { openFolder } from "../../support/App.ts"
import { asAdmin, bearer, call, giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"
import { patientTexts } from "../../support/Collection.ts"
import { inherited, programFile } from "../../support/Environment.ts"
import { newProvider } from "../../support/Providers.ts"
import { resource, sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { insertEnded } from "../consent/EndedGrants.ts"
import { drain, textOf, undrained } from "../ledger/Drained.ts"
import { createLink, mailsOf } from "../link/Links.ts"
import { download, signed, upload } from "../release/Releases.ts"
import { readPatientRecord, writeNote } from "../Sharing.ts"
import { askExport, bytesOfPdf, endAll, linesOf, noneRuns, signInByApp, slowly, unpack } from "./Exports.ts"

const { database, service, va } = await openVaApp()

const superuser = await database.connect("superuser")

const folder = await openFolder()

const complete = (texts: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Object.fromEntries(Object.keys(texts).map((type) => [type, "complete"]))

const exported = async (veteran: Parameters<typeof askExport>[1]) => {
  const answer = await askExport(service, veteran)
  assert.strictEqual(answer.status, 200)
  return { answer, files: await unpack(new Uint8Array(await answer.arrayBuffer()), folder) }
}

const refusal = async (answer: Response) => [answer.status, ((await answer.json()) as { error: string }).error]

/** Forgets the exports of the day. */
const newDay = () => superuser.query("delete from rate_limit_spendings")

/** The mail about an export, once it is written. */
const mailTo = (email: string) =>
  until(
    "the mail is written",
    async () =>
      (await mailsOf(service)).find(({ headers, raw }) =>
        raw.includes(email) && headers.get("subject") === "A copy of all your data was made"
      )
  )

const text = (files: ReadonlyMap<string, Buffer>, name: string) => `${files.get(name) ?? assert.fail(name)}`

describe("An export", () => {
  test("has everything that the service holds, each resource as the exact text that was synchronised", async () => {
    const veteran = await signInByApp(service, va)
    const texts = patientTexts("va-mock-986500")
    const record = Object.keys(texts).length > 2 ? texts : patientTexts("syn-zandra428-ohara248")
    const broken = `{"resourceType":"Condition",\r\n "id":"broken", "code":{"text":"two\\nlines"}}`
    const before = { ...record, Basic: [resource("Basic", "gone"), resource("Basic", "stays")] }
    await sync(service, veteran, complete(before), before)
    const after = { Basic: [resource("Basic", "stays")], Condition: [...(record["Condition"] ?? []), broken] }
    await sync(service, veteran, complete(after), after)
    await call(service, "POST", "/api/veteran/me/self-reported-entries", {
      headers: veteran.headers,
      body: { category: "symptom", text: "My knee hurts.", occurredOn: "2026-01-02" }
    })
    const provider = await signInProvider(service)
    await giveGrant(service, veteran, provider)
    await readPatientRecord(service, provider, veteran)
    await writeNote(service, provider, veteran, { text: "Rest the knee." })
    const long = `${"漢".repeat(251)}.txt`
    for (const name of ["letter.txt", "letter.txt", "a:b?.txt", "CON", long]) {
      await upload(service, veteran, "Dear Ada", name)
    }
    const { document } = await signed(service, veteran)
    const link = await createLink(service, veteran, { documentId: document.id })
    await drain(service)
    const { answer, files } = await exported(veteran)

    assert.isNull(answer.headers.get("content-encoding"))
    for (const [type, list] of Object.entries({ ...before, ...after })) {
      const lines = linesOf(files.get(`record/${type}.ndjson`))
      assert.deepStrictEqual(lines.toSorted(), list.filter((one) => one !== broken).toSorted(), type)
    }
    assert.strictEqual(text(files, "record/Condition/1.json"), broken)
    assert.deepStrictEqual(linesOf(files.get("record-inactive/Basic.ndjson")), [resource("Basic", "gone")])
    assert.deepStrictEqual(
      JSON.parse(text(files, "own-words.json")).map((one: any) => [one.category, one.text, one.occurredOn]),
      [["symptom", "My knee hurts.", "2026-01-02"]]
    )
    assert.deepStrictEqual(
      JSON.parse(text(files, "notes.json")).map((one: any) => [one.providerName, one.text]),
      [["Dr. Ada Gray", "Rest the knee."]]
    )
    const documents = [...files.keys()].filter((name) => name.startsWith("documents/")).toSorted()
    assert.deepStrictEqual(documents, [
      "documents/_CON.txt",
      "documents/a_b_.txt",
      "documents/letter (2).txt",
      "documents/letter.txt",
      `documents/release-of-information-${document.signedAt.slice(0, 10)}.pdf`,
      `documents/${"漢".repeat(58)}.txt`
    ])
    assert.include(text(files, "README.txt"), `\r\n  Its title: ${long}\r\n`)
    assert.strictEqual(text(files, "documents/letter.txt"), "Dear Ada")
    const own = await download(service, veteran, `/api/veteran/me/documents/${document.id}/content`)
    assert.isTrue(files.get(documents[4]!)!.equals(own.bytes))
    assert.deepStrictEqual(
      JSON.parse(text(files, "sharing.json")).map(({ id, kind }: any) => [kind, id]).slice(0, 2),
      [["link", link.id], ["release", document.id]]
    )
    const csv = await call(service, "GET", "/api/veteran/me/disclosures?limit=200", {
      headers: { ...veteran.headers, accept: "text/csv" }
    })
    // The export's own event and the download's came later, and are at the top.
    assert.isTrue(csv.text.endsWith(text(files, "disclosures.csv").split("\r\n").slice(1).join("\r\n")))
    assert.strictEqual(text(files, "disclosures.csv").split("\r\n", 1)[0], csv.text.split("\r\n", 1)[0])
    assert.match(text(files, "README.txt"), /^A copy of all data in Veteran Records/)
    for (const [name, bytes] of files) assert.isFalse(bytes.includes(link.token), name)
  })

  test("has the ended grants that lists show no more", async () => {
    const veteran = await signInByApp(service, va)
    const ids = await insertEnded(superuser, veteran, await newProvider(superuser), 2005)
    const { files } = await exported(veteran)
    assert.deepStrictEqual(JSON.parse(text(files, "sharing.json")).map(({ id }: any) => id), ids)
  })

  test("says in its README which kinds are whole, and names one that never arrived", async () => {
    const veteran = await signInByApp(service, va)
    const one = { Condition: [resource("Condition", "one")], Observation: [resource("Observation", "one")] }
    await sync(service, veteran, complete(one), one)
    await sync(service, veteran, {
      Condition: "unavailable",
      Immunization: "unavailable",
      AllergyIntolerance: "empty",
      Procedure: "partial"
    }, { Procedure: [resource("Procedure", "1"), resource("Procedure", "2")] })
    const { files } = await exported(veteran)
    const day = new Date().toISOString().slice(0, 10)
    const lines = text(files, "README.txt").split("\r\n")
    assert.deepStrictEqual(lines.slice(lines.indexOf("YOUR RECORD") + 2).filter((line) => line !== ""), [
      `AllergyIntolerance: 0 items, the VA had none on ${day}`,
      `Condition: 1 item, may be old: whole as of ${day}, but of an update on ${day} none arrived`,
      `Immunization: 0 items, NOT KNOWN: the VA gave no answer, last asked for on ${day}`,
      `Observation: 1 item, whole, as of ${day}`,
      `Procedure: 2 items, NOT WHOLE: only a part ever arrived, last asked for on ${day}`
    ])
    // It describes no folder that is not there.
    assert.notMatch(lines.join("\n"), /^(record-inactive|documents)\//m)
  })

  test("has a proof of each drained event, which verify-proof accepts", async () => {
    const veteran = await signInByApp(service, va)
    await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "one")] })
    await drain(service)
    await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "two")] })
    const { files, rows } = await undrained(await database.connect("superuser"), async () => {
      const { files } = await exported(veteran)
      const { rows } = await superuser.query(
        "select 'proofs/' || id || '.txt' as name from proofs where veteran_id = $1 and tree_index is not null",
        [veteran.id]
      )
      return { files, rows }
    })
    const names = [...files.keys()].filter((name) => name.startsWith("proofs/"))
    assert.deepStrictEqual(names.toSorted(), rows.map(({ name }) => name).toSorted())
    assert.isAtLeast(names.length, 3)
    assert.match(text(files, "README.txt"), /Proofs of \d+ events/)
    const key = await textOf(service, "/api/proofs/key")
    const saved = await Promise.all(names.map(async (name, index) => {
      const path = join(folder, `proof-${index}.txt`)
      await writeFile(path, files.get(name)!)
      return path
    }))
    const program = programFile("verify-proof")
    const { stdout } = await promisify(execFile)(process.execPath, [program, "--key", key.trim(), ...saved], {
      env: { ...inherited }
    })
    assert.strictEqual(stdout.split("\n").filter((line) => line.startsWith("VALID")).length, names.length)
  })

  test("is an event of the account, and a mail tells the veteran of it", async () => {
    const email = `export-${Date.now()}@example.org`
    const veteran = await signInByApp(service, va, email)
    await exported(veteran)
    const { json } = await call(service, "GET", "/api/veteran/me/disclosures", { headers: veteran.headers })
    assert.deepInclude(json.items[0], { kind: "export_made", summary: "You made a copy of all your data." })
    const mail = await mailTo(email)
    assert.include(mail.text, "from your account")
    assert.notInclude(mail.text, "http")
  })

  test("needs a confirmed session of the app, and costs nothing without one", async () => {
    const plain = await signInVeteran(service)
    assert.deepStrictEqual(await refusal(await askExport(service, plain)), [403, "confirmation_required"])
    const veteran = await signInByApp(service, va)
    const moveConfirmation = (by: string) =>
      superuser.query(`update veteran_sessions set confirmed_at = confirmed_at ${by} where id = $1`, [
        veteran.sessionId
      ])
    await moveConfirmation("- interval '6 minutes'")
    for (let time = 0; time < 4; time++) {
      assert.deepStrictEqual(await refusal(await askExport(service, veteran)), [403, "confirmation_required"])
    }
    await moveConfirmation("+ interval '6 minutes'")
    await exported(veteran)
  })

  test("is made 3 times a day", async () => {
    const veteran = await signInByApp(service, va)
    for (let time = 0; time < 3; time++) await exported(veteran)
    const fourth = await askExport(service, veteran)
    assert.isAbove(Number(fourth.headers.get("retry-after")), 80_000)
    assert.deepStrictEqual(await refusal(fourth), [429, "rate_limited"])
  })

  test("costs nothing while the upload directory is out of reach", async () => {
    const veteran = await signInByApp(service, va)
    const tmp = join(service.directory, ".data/uploads/tmp")
    await upload(service, veteran, "Dear Ada", "letter.txt")
    await rename(tmp, `${tmp}-away`)
    await writeFile(tmp, "")
    for (let time = 0; time < 4; time++) {
      assert.deepStrictEqual(await refusal(await askExport(service, veteran)), [503, "service_unavailable"])
    }
    await rm(tmp)
    await rename(`${tmp}-away`, tmp)
    await exported(veteran)
  })

  test("is made one at a time, and a client that hangs up frees the place", async () => {
    await newDay()
    const veteran = await signInByApp(service, va)
    // It does not compress, and is larger than all buffers on the way.
    await upload(service, veteran, bytesOfPdf(24 * 1024 * 1024), "large.pdf")
    const first = await slowly(service, veteran)
    assert.strictEqual(first.status, 200)
    assert.deepStrictEqual(await refusal(await askExport(service, veteran)), [429, "rate_limited"])
    await first.hangUp()
    await until("the place is free", async () => {
      const again = await askExport(service, veteran)
      await again.body?.cancel()
      return again.status === 200
    }, 10_000)
  })

  test("breaks off when all sessions are ended, even if the client reads nothing", async () => {
    const veteran = await signInByApp(service, va)
    await upload(service, veteran, bytesOfPdf(24 * 1024 * 1024), "large.pdf")
    const first = await slowly(service, veteran)
    await endAll(service, veteran)
    await noneRuns(service)
    const received = await first.rest()
    assert.isFalse(received.complete)
    assert.isBelow(received.bytes.length, 24 * 1024 * 1024)
    assert.strictEqual((await askExport(service, veteran)).status, 401)
  })

  test("of two at once, one is made", async () => {
    const veteran = await signInByApp(service, va)
    await upload(service, veteran, bytesOfPdf(8 * 1024 * 1024), "large.pdf")
    const [one, other] = await Promise.all([slowly(service, veteran), slowly(service, veteran)])
    assert.deepStrictEqual([one.status, other.status].sort(), [200, 429])
    await Promise.all([one.hangUp(), other.hangUp()])
  })
})

describe("An operator's export", () => {
  const ask = (id: string, body: unknown, headers: Record<string, string> = asAdmin) =>
    fetch(`${service.url}/api/admin/veterans/${id}/export`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body)
    })

  test("is the same archive, is noted with its reason, and the veteran is mailed", async () => {
    const email = `operator-${Date.now()}@example.org`
    const veteran = await signInByApp(service, va, email)
    await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "one")] })
    const answer = await ask(veteran.id, { reason: "ticket 4711" })
    assert.strictEqual(answer.status, 200)
    const files = await unpack(new Uint8Array(await answer.arrayBuffer()), folder)
    assert.deepStrictEqual(linesOf(files.get("record/Condition.ndjson")), [resource("Condition", "one")])
    assert.include(text(files, "README.txt"), "the operator of the service")
    const { rows } = await superuser.query(
      "select act, target_kind, key, reason from admin_acts where target_id = $1 and act = 'export_made'",
      [
        veteran.id
      ]
    )
    assert.deepStrictEqual(rows, [{ act: "export_made", target_kind: "veteran", key: "admin", reason: "ticket 4711" }])
    const { json } = await call(service, "GET", "/api/veteran/me/disclosures", { headers: veteran.headers })
    assert.deepInclude(json.items[0], { kind: "export_made", actor: { kind: "service" } })
    const mail = await mailTo(email)
    assert.include(mail.text, "by the operator of this service")
  })

  test("is refused without the secret, without a reason, and for nobody", async () => {
    const veteran = await signInVeteran(service)
    assert.deepStrictEqual(await refusal(await ask(veteran.id, { reason: "x" }, bearer("x"))), [401, "unauthenticated"])
    assert.deepStrictEqual(await refusal(await ask(veteran.id, {})), [400, "invalid_request"])
    assert.deepStrictEqual(await refusal(await ask(veteran.id, { reason: " " })), [400, "invalid_request"])
    assert.deepStrictEqual(
      await refusal(await ask("00000000-0000-7000-8000-000000000000", { reason: "x" })),
      [404, "not_found"]
    )
  })
})
