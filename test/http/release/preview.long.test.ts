import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { assert, beforeEach, describe, test } from "vitest"
import { ask, attachments, unbroken } from "../../services/pdf/PdfTools.ts"
import { openApp } from "../../support/App.ts"
import { call, randomAddress, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { recipientCopy } from "../document/Copies.ts"
import { noMailWaits } from "../link/Links.ts"
import { preview as askPreview, release, sign, signed, upload } from "./Releases.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

const path = "/api/veteran/me/roi/preview"

/** Makes a request without the two members that only signing requires. */
const unsigned = (changes: Record<string, unknown> = {}) => {
  const { signature: _, statementsAccepted: __, ...request } = release(changes)
  return request
}

const preview = (body: unknown) => askPreview(service, veteran, body)

/** Counts all rows of the veteran, the files that rows claim and the mails that wait, and lists the store's files. */
const stored = async () => {
  const { rows: tables } = await superuser.query(
    `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'veteran_id'
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const count = await superuser.query(`select from ${name} where veteran_id = $1`, [veteran.id])
    counts[name] = count.rowCount!
  }
  for (const name of ["stored_files", "outbox"]) counts[name] = (await superuser.query(`select from ${name}`)).rowCount!
  const files = await readdir(join(service.directory, ".data/uploads"), { recursive: true })
  return { counts, files: files.sort() }
}

describe("POST /api/veteran/{veteranId}/roi/preview", () => {
  test("shows the later release's pages, marks each as a preview, and has no seal or attachment", async () => {
    await sync(service, veteran, { Condition: "complete" }, {
      Condition: Array.from({ length: 60 }, (_, n) => resource("Condition", `condition-${n}`))
    })
    const uploaded = (await upload(service, veteran, "text")).json.id
    const information = { resourceTypes: ["Condition"], documentIds: [uploaded] }
    const { bytes } = await preview(unsigned({ information }))
    const pagesOf = async (pdf: Buffer) => (await ask(pdf, "pdftotext", "-layout")).split("\f").slice(0, -1)
    const pages = await pagesOf(bytes)
    assert.isAbove(pages.length, 1)
    for (const page of pages) assert.include(unbroken(page), "Preview, not signed")
    assert.match(await ask(bytes, "pdfsig"), /does not contain any signatures/)
    assert.strictEqual((await attachments(bytes)).size, 0)
    assert.include(await ask(bytes, "qpdf", "--check"), "No syntax or stream encoding errors found")
    // The later release has the same pages, but the preview calls nothing signed.
    const { document } = await signed(service, veteran, { information })
    const sent = await pagesOf(await recipientCopy(service, superuser, document.id))
    assert.strictEqual(pages.length, sent.length)
    const conditions = (pages: ReadonlyArray<string>) => pages.map((page) => page.split("Condition").length)
    assert.deepStrictEqual(conditions(pages), conditions(sent))
    const text = unbroken(pages.join(" "))
    assert.include(text, "Who signs reads and accepts these statements first")
    assert.include(text, "Signed by Not signed yet")
    assert.notMatch(text, /has read and accepted|consented to sign/)
  })

  test("leaves open what only the signer answers about an incomplete record", async () => {
    await sync(service, veteran, { MedicationRequest: "partial" })
    const { bytes } = await preview(unsigned())
    const text = unbroken(await ask(bytes, "pdftotext", "-layout"))
    assert.include(text, "Whether the signer confirmed sharing an incomplete record is recorded when it is signed.")
    assert.notInclude(text, "did not confirm")
  })

  /** Previews a release of a record that has only this Patient. */
  const ofPatient = async (more: object) => {
    const patient = JSON.stringify({ resourceType: "Patient", id: "p", ...more })
    await sync(service, veteran, { Patient: "complete" }, { Patient: [patient] })
    return (await preview(unsigned({ information: { resourceTypes: ["Patient"] } }))).bytes
  }

  const warning = "This record holds another name or birth date than the authorization. Make sure whose record it is."

  test("tells first if the record is of another person", async () => {
    const bytes = await ofPatient({ name: [{ text: "Peter James Chalmers" }] })
    assert.include(unbroken(await ask(bytes, "pdftotext")), `${warning} Health record`)
  })

  test("says in the summary of the named person's record that the patient died", async () => {
    const shown = async (more: object) => {
      const bytes = await ofPatient({ name: [{ text: "Sean O'Hara" }], ...more })
      assert.notInclude(unbroken(await ask(bytes, "pdftotext")), warning)
      return unbroken(await ask(bytes, "pdftotext", "-raw"))
    }
    assert.include(await shown({ deceasedDateTime: "2015-03-08" }), "The record says Died 2015-03-08 Released")
    assert.include(await shown({ deceasedBoolean: true }), "The record says Deceased Released")
    assert.notInclude(await shown({ deceasedBoolean: false }), "The record says")
  })

  test("leaves no row and no file behind, whether it is answered, refused or aborted by its client", async () => {
    await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "one")] })
    await noMailWaits(superuser)
    const before = await stored()
    assert.strictEqual(before.counts["health_record_items"], 1)
    const { bytes, status } = await preview(unsigned())
    assert.strictEqual(status, 200)
    assert.match(bytes.toString("latin1"), /^%PDF-1\.[^]*%%EOF\s*$/)
    assert.strictEqual((await preview(unsigned({ purpose: { code: "other" } }))).status, 400)
    const hangUp = new AbortController()
    const cut = fetch(`${service.url}${path}`, {
      method: "POST",
      headers: { ...veteran.headers, "content-type": "application/json", "x-forwarded-for": randomAddress() },
      body: JSON.stringify(unsigned()),
      signal: hangUp.signal
    })
    setTimeout(() => hangUp.abort(), 20)
    await cut.then((response) => response.arrayBuffer()).catch(() => {})
    await until("nothing is left", async () => JSON.stringify(await stored()) === JSON.stringify(before))
  })

  test("refuses what signing refuses, in the same words, but requires no signature", async () => {
    const changes = {
      recipient: { name: "Dr. Gray" },
      purpose: { code: "other" },
      expiration: {},
      information: { resourceTypes: [] },
      extra: true
    }
    const signing = await sign(service, veteran, changes)
    const previewing = await preview(unsigned(changes))
    assert.deepStrictEqual([previewing.status, previewing.json.error], [400, "invalid_request"])
    assert.deepStrictEqual(previewing.json.issues, signing.json.issues)
    assert.isNotEmpty(previewing.json.issues)
    const accepted = await preview({ ...unsigned(), statementsAccepted: false })
    assert.deepStrictEqual(accepted.json.issues.map(({ path }: any) => path), [["statementsAccepted"]])
  })

  test("may be signed already and name a release to replace, but leaves that release unchanged", async () => {
    const { document } = await signed(service, veteran)
    assert.strictEqual((await preview(release({ supersedes: document.id }))).status, 200)
    const list = await call(service, "GET", "/api/veteran/me/documents", { headers: veteran.headers })
    assert.deepStrictEqual(list.json.items.map(({ release }: any) => release.status), ["in_force"])
  })
})
