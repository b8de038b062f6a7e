import { randomBytes } from "node:crypto"
import { readdir } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { afterAll, assert, beforeEach, describe, test } from "vitest"
import { openDatabase, openFolder } from "../support/App.ts"
import {
  type Answer,
  call,
  giveGrant,
  randomAddress,
  type SignedIn,
  signInProvider,
  signInVeteran
} from "../support/Client.ts"
import { parseAnswer } from "../support/Raw.ts"
import { startService } from "../support/Service.ts"
import { sign, upload } from "./release/Releases.ts"

const uploads = join(await openFolder(), ".data/uploads")

const database = await openDatabase()

const start = () =>
  startService(database, {
    UPLOAD_DIR: uploads,
    UPLOAD_LIMIT_MB: "1",
    RELEASE_LIMIT_MB: "1",
    ENTRY_LIMIT: "5",
    NOTE_LIMIT: "4"
  })

const services = [await start(), await start()] as const

const [one] = services

afterAll(() => Promise.all(services.map(({ stop }) => stop("SIGKILL"))))

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(one)
})

const kilobytes = (count: number) => Buffer.from(randomBytes(count * 512).toString("hex"))

const conflict = (answer: Answer) => [answer.status, answer.json.error, answer.json.message]

const uploadsFull = [
  409,
  "conflict",
  "Uploads are kept up to 1 MiB in all, and there is no room left for this one. " +
  "Delete some that you no longer need, then upload it again."
]

const documents = "/api/veteran/me/documents"

const entries = "/api/veteran/me/self-reported-entries"

const remove = (path: string) => call(one, "DELETE", path, { headers: veteran.headers })

const statuses = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status).sort()

const storedFiles = async () => (await readdir(join(uploads, "files"))).length

describe("The uploads of a veteran", () => {
  test("have a total limit, and a deleted upload frees its space", async () => {
    const first = await upload(one, veteran, kilobytes(600))
    assert.strictEqual(first.status, 201)
    const files = await storedFiles()
    assert.deepStrictEqual(conflict(await upload(one, veteran, kilobytes(600))), uploadsFull)
    assert.strictEqual(await storedFiles(), files)
    assert.strictEqual((await upload(one, veteran, kilobytes(424))).status, 201)
    assert.deepStrictEqual(conflict(await upload(one, veteran, "x")), uploadsFull)
    // A signed release does not count as an upload, and other veterans have their own limit.
    assert.strictEqual((await sign(one, veteran)).status, 201)
    assert.strictEqual((await upload(one, await signInVeteran(one), kilobytes(600))).status, 201)
    assert.strictEqual((await remove(`${documents}/${first.json.id}`)).status, 204)
    assert.strictEqual((await upload(one, veteran, kilobytes(600))).status, 201)
  })

  test("are refused before their body is sent if the declared length exceeds the limit", async () => {
    const socket = connect(Number(new URL(one.url).port), "localhost").on("error", () => {})
    socket.write(
      `POST ${documents} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${randomAddress()}\r\n` +
        `authorization: ${veteran.headers.authorization}\r\ncontent-type: multipart/form-data; boundary=b\r\n` +
        `content-length: ${2 * 1024 * 1024}\r\n\r\n`
    )
    let received = ""
    for await (const chunk of socket) received += chunk
    assert.deepStrictEqual(conflict(parseAnswer(received)), uploadsFull)
  })

  test("of undeclared length are cut off at the limit and leave nothing behind", async () => {
    await upload(one, veteran, "x")
    const files = await storedFiles()
    const part = "--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from(part))
        for (let n = 0; n < 8; n++) controller.enqueue(kilobytes(200))
        controller.enqueue(Buffer.from("\r\n--b--\r\n"))
        controller.close()
      }
    })
    const response = await fetch(`${one.url}${documents}`, {
      method: "POST",
      headers: { ...veteran.headers, "content-type": "multipart/form-data; boundary=b" },
      body,
      duplex: "half"
    } as RequestInit)
    const json = await response.json() as { readonly error: string; readonly message: string }
    assert.deepStrictEqual([response.status, json.error, json.message], uploadsFull)
    // The service does not read the rest of the body. A client that used the connection again would lose its request.
    assert.strictEqual(response.headers.get("connection"), "close")
    assert.strictEqual(await storedFiles(), files)
    assert.deepStrictEqual(await readdir(join(uploads, "tmp")), [])
  })

  test("do not exceed the limit together when they arrive at once at two processes", async () => {
    const files = await storedFiles()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => upload(services[n % 2]!, veteran, kilobytes(200)))
    )
    assert.deepStrictEqual(statuses(answers), [...Array(5).fill(201), ...Array(7).fill(409)])
    assert.strictEqual(await storedFiles(), files + 5)
  })
})

const releasesFull = [
  409,
  "conflict",
  "Releases are kept up to 1 MiB in all, and there is no room left for this one. " +
  "Delete some that have ended, then sign it again."
]

describe("The releases of a veteran", () => {
  const used = async () => {
    const owner = await database.connect("owner")
    const { rows } = await owner.query("select release_bytes::int from storage_used where veteran_id = $1", [
      veteran.id
    ])
    return rows[0]?.release_bytes ?? 0
  }
  const withDocument = async (documentId: string) =>
    sign(one, veteran, { information: { resourceTypes: ["Condition"], documentIds: [documentId] } })

  test("have a limit on the total size of all their files, and a deleted release frees its space", async () => {
    const { id } = (await upload(one, veteran, randomBytes(200 * 1024).toString("hex"))).json
    const files = await storedFiles()
    const first = await withDocument(id)
    assert.strictEqual(first.status, 201)
    // The document has 400 KiB of hexadecimal digits, which deflate to 200 KiB. Both copies carry it.
    assert.isAbove(await used(), 400 * 1024)
    const before = await used()
    const { id: large } = (await upload(one, veteran, kilobytes(600))).json
    assert.deepStrictEqual(conflict(await withDocument(large)), releasesFull)
    assert.deepStrictEqual([await used(), await storedFiles()], [before, files + 4])
    assert.deepStrictEqual(await readdir(join(uploads, "tmp")), [])
    const roi = `/api/veteran/me/roi/${first.json.document.id}/revoke`
    assert.strictEqual((await call(one, "POST", roi, { headers: veteran.headers })).status, 200)
    assert.strictEqual((await remove(`${documents}/${first.json.document.id}`)).status, 204)
    assert.deepStrictEqual([await used(), await storedFiles()], [0, files + 1])
  })
})

const write = (at: (typeof services)[number] = one) =>
  call(at, "POST", entries, { headers: veteran.headers, body: { category: "note", text: "slept well" } })

const entriesFull = [
  409,
  "conflict",
  "Up to 5 entries are kept. Delete some that you no longer need, then write this one."
]

describe("The entries of a veteran", () => {
  test("have a limit that parallel requests to two processes do not exceed, and deletion frees a place", async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => write(services[n % 2]!)))
    assert.deepStrictEqual(statuses(answers), [...Array(5).fill(201), ...Array(11).fill(409)])
    assert.deepStrictEqual(conflict(await write()), entriesFull)
    const { json } = await call(one, "GET", entries, { headers: veteran.headers })
    assert.strictEqual(json.items.length, 5)
    const path = `${entries}/${json.items[0].id}`
    const changed = await call(one, "PATCH", path, { headers: veteran.headers, body: { text: "slept badly" } })
    assert.strictEqual(changed.status, 200)
    assert.deepStrictEqual(await Promise.all([remove(path), remove(path)]).then(statuses), [204, 404])
    assert.deepStrictEqual(await Promise.all([write(), write()]).then(statuses), [201, 409])
  })

  test("have a limit on how often they are written and deleted", async () => {
    for (let n = 0; n <= 50; n++) {
      const { json } = await write()
      assert.strictEqual((await remove(`${entries}/${json.id}`)).status, 204)
    }
    assert.deepStrictEqual(conflict(await write()), [
      409,
      "conflict",
      "So many entries were written and deleted that no more are kept. Ask the operator of the service."
    ])
  })
})

test("Notes about one veteran have a limit for all providers together", async () => {
  const [provider, other] = [await signInProvider(one), await signInProvider(one)]
  for (const who of [provider, other]) await giveGrant(one, veteran, who)
  const note = (who: SignedIn, at: (typeof services)[number] = one) =>
    call(at, "POST", `/api/provider/patients/${veteran.id}/notes`, { headers: who.headers, body: { text: "seen" } })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => note(n % 3 === 0 ? provider : other, services[n % 2]!))
  )
  assert.deepStrictEqual(statuses(answers), [...Array(4).fill(201), ...Array(8).fill(409)])
  for (const who of [provider, other]) {
    assert.deepStrictEqual(conflict(await note(who)), [
      409,
      "conflict",
      "Up to 4 notes about one veteran are kept. Ask the operator of the service for more room."
    ])
  }
  const listed = await call(one, "GET", "/api/veteran/me/provider-notes", { headers: veteran.headers })
  assert.strictEqual(listed.json.items.length, 4)
  // Without a grant, a provider does not learn how many notes there are.
  const stranger = await note(await signInProvider(one))
  assert.deepStrictEqual([stranger.status, stranger.json.error], [403, "consent_required"])
})
