import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, test } from "vitest"
import { openDatabase, openService } from "../../support/App.ts"
import { call, registerVeterans, signIn } from "../../support/Client.ts"
import { awkward, patients, patientTexts } from "../../support/Collection.ts"
import { readRecord, syncBody, syncPath, type Texts } from "../../support/Sync.ts"

/** The files of `awkward` that are a resource with a valid type and id. */
const synchronisable = awkward.flatMap((stored) => {
  const text = stored.text.trim()
  if (text.startsWith("\ufeff")) return []
  const { id, resourceType } = JSON.parse(text)
  const valid = typeof id === "string" && /^[A-Za-z0-9\-.]{1,64}$/.test(id) && /^[A-Z][A-Za-z]+$/.test(resourceType)
  return valid ? [{ file: stored.file, resourceType, text }] : []
})

/**
 * What is synchronised of a patient: at most 40 resources of each type. shared-patients.long.test.ts synchronises all
 * of them, and reads them back exactly.
 */
const textsOf = (patient: string): Texts =>
  Object.fromEntries(
    Object.entries(patientTexts(patient)).map(([type, texts]) => [type, texts.slice(0, 40)])
  )

const currentWal = async () =>
  (await superuser.query("select pg_walfile_name(pg_current_wal_lsn()) as file")).rows[0].file

const database = await openDatabase()

const owner = await database.connect("owner")

const superuser = await database.connect("superuser")

/**
 * A checkpoint removes or renames WAL files unless a replica needs them. This replication slot keeps the files while
 * its connection is open.
 */
const { rows: [{ walStart }] } = await superuser.query(
  `select pg_walfile_name(lsn) as "walStart" from pg_create_physical_replication_slot($1, true, true)`,
  [database.name]
)

const service = await openService(database)

/** Synchronises `texts` as complete and reads them back. */
const roundTrip = async (texts: Texts) => {
  const veteran = await signIn(service, (await registerVeterans(owner, 1))[0]!)
  const statuses = Object.fromEntries(Object.keys(texts).map((type) => [type, "complete"]))
  const answer = await call(service, "POST", syncPath, {
    headers: { ...veteran.headers, "content-encoding": "gzip" },
    body: gzipSync(syncBody(statuses, texts), { level: 1 })
  })
  assert.strictEqual(answer.status, 200, answer.text)
  const { items } = await readRecord(service, veteran, { limit: "200" })
  return items.map(({ fhirId, resourceType, text }) => ({ fhirId, resourceType, text }))
}

const inOrder = (texts: Texts) =>
  Object.keys(texts).sort().flatMap((resourceType) =>
    texts[resourceType]!.map((text) => ({ fhirId: JSON.parse(text).id as string, resourceType, text }))
      .sort((a, b) => Buffer.compare(Buffer.from(a.fhirId), Buffer.from(b.fhirId)))
  )

/** Two patients have several resources with one id, which a sync refuses. Each of them goes into a separate record. */
const withUniqueIds = (texts: Texts): ReadonlyArray<Texts> => {
  const records: Array<Record<string, Array<string>>> = []
  for (const [type, all] of Object.entries(texts)) {
    const times = new Map<string, number>()
    for (const text of all) {
      const { id } = JSON.parse(text)
      const time = times.get(id) ?? 0
      times.set(id, time + 1)
      const record = records[time] ??= {}
      const ofType = record[type] ??= []
      ofType.push(text)
    }
  }
  return records
}

describe("The exact text that was synchronised", () => {
  test.each(patients)("is read back for all resources of the patient %s", async (patient) => {
    for (const texts of withUniqueIds(textsOf(patient))) {
      assert.deepStrictEqual(await roundTrip(texts), inOrder(texts))
    }
  })

  test("is tested with thousands of resources of patients, and 13 other files", () => {
    const count = patients.flatMap((patient) => Object.values(textsOf(patient)).flat()).length
    assert.isAtLeast(count, 2_000)
    assert.lengthOf(synchronisable, 13)
  })

  test.each(synchronisable)("is read back for the file $file", async ({ resourceType, text }) => {
    assert.deepStrictEqual((await roundTrip({ [resourceType]: [text] })).map((item) => item.text), [text])
  })

  const basic = (id: string, more: string) => `{"resourceType":"Basic","id":"${id}"${more}}`
  test.each([
    [
      "the precision of decimals",
      basic("n", ",\"a\":1.00,\"b\":-1.000000000000000000E+245,\"c\":0.10e-0,\"d\":12345678901234567890.50,\"e\":-0.0")
    ],
    ["white space within it", `{ "resourceType" :\t"Basic",\r\n\n  "id": "n" , "a" : [ 1 ,\n 2 ] }`],
    ["the order of its members", `{"z":1,"id":"n","a":{"2":1,"1":2},"resourceType":"Basic","10":0,"9":0}`],
    [
      "unusual but valid escapes",
      basic("n", String.raw`,"a":"\u00e9\/\"\\\b\f\n\r\t\u2028\ud83d\ude00","\u0061b":1`)
    ],
    [
      "characters beyond ASCII and the basic plane",
      basic("n", ",\"a\":\"é \u2028 Łukasz 漢字 😀 \u007f\",\"ключ\":\"\u0301\"")
    ],
    ["members that occur twice", basic("n", ",\"a\":1,\"a\":1.0,\"note\":\"x\",\"note\":\"y\"")],
    [
      "members with names that are special in JavaScript",
      basic("n", ",\"__proto__\":{\"a\":1},\"constructor\":null,\"toString\":\"x\",\"\":0")
    ],
    ["the deepest nesting that is accepted", basic("n", `,"a":${"[".repeat(60)}${"]".repeat(60)}`)],
    ["a text of two megabytes of escaped quotation marks", basic("n", `,"a":"${"\\\"}],\\\\".repeat(250_000)}"`)]
  ])("is read back with %s", async (_, text) => {
    assert.deepStrictEqual((await roundTrip({ Basic: [text] })).map((item) => item.text), [text])
  })
})

/**
 * Picks a few texts of a patient that show who a resource is about or what it says: names, narratives, displays and
 * notes.
 */
const distinctive = (patient: string) => {
  const found = new Set<string>()
  for (const [resourceType, texts] of Object.entries(patientTexts(patient))) {
    for (const text of texts.slice(0, 20)) {
      for (const [, value] of text.matchAll(/"(?:family|display|text|div|line|data|value)":"((?:[^"\\]|\\.){12,})"/g)) {
        if (!value!.startsWith("http") && !value!.startsWith("urn:")) found.add(value!.slice(0, 60))
      }
    }
    if (resourceType === "Patient") {
      for (const [, name] of texts.join().matchAll(/"family":"([^"]{6,})"/g)) found.add(name!)
    }
  }
  return [...found].slice(-6)
}

test("Nothing that was synchronised is in clear in the database's files or its write-ahead log", async () => {
  const needles = patients.flatMap(distinctive)
  assert.isAbove(needles.length, patients.length)
  await superuser.query("checkpoint")
  // If root runs the tests, `data_directory` is a link that only the server's processes have (PostgresPrograms.ts).
  const { rows: [{ data, oid }] } = await superuser.query(
    `select replace(current_setting('data_directory'), '/proc/self/', '/proc/' || pg_backend_pid() || '/') as data, oid
     from pg_database where datname = current_database()`
  )
  const walEnd = await currentWal()
  const wal = readdirSync(join(data, "pg_wal")).filter((file) =>
    /^[0-9A-F]{24}$/.test(file) && file >= walStart && file <= walEnd
  )
  const places = {
    tables: [...files(join(data, "base", `${oid}`))],
    wal: wal.map((file) => join(data, "pg_wal", file))
  }
  // A FHIR id is stored in clear. The search must find it; otherwise it would also miss other texts in clear.
  const [id] = Object.values(patientTexts(patients[0]!)).flat().map((text) => JSON.parse(text).id)
  for (const [place, paths] of Object.entries(places)) {
    const bytes = paths.map((path) => readFileSync(path))
    assert.isTrue(bytes.some((file) => file.includes(id)), `the search finds nothing in the ${place}`)
    const inClear = needles.filter((needle) => bytes.some((file) => file.includes(needle)))
    assert.deepStrictEqual(inClear, [], place)
  }
})

function* files(directory: string): Generator<string> {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    if (statSync(path).isDirectory()) yield* files(path)
    else yield path
  }
}
