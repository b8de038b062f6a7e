import { createHash } from "node:crypto"
import { assert, describe, test } from "vitest"
import { beginAnswer } from "../../support/BegunAnswer.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { storedFiles } from "../document/Copies.ts"
import { revokeRelease, signed, upload } from "../release/Releases.ts"
import { type AppLink, askManifest, createAppLink, decrypted, takeFile } from "./AppLinks.ts"
import { challenge, expire, revokeLink, waitForNextCode, wrong } from "./Links.ts"
import { inApp, raceRevokes } from "./RevokeRaces.ts"
import { fileNameOf, hasFile, storeBundle } from "./StoredBundles.ts"
import { openTwoProcesses } from "./TwoProcesses.ts"

const { home, one, other, superuser } = await openTwoProcesses()

const veteran = await signInVeteran(one)

const { document } = await signed(one, veteran)

/** Creates a link to one release, which all of these links share. */
const newLink = () => createAppLink(one, veteran, { documentId: document.id })

const parallel = <A>(count: number, make: (at: Service, index: number) => Promise<A>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index % 2 === 0 ? one : other, index)))

const rowOf = async ({ id }: AppLink) =>
  (await superuser.query("select * from secure_links where id = $1", [id])).rows[0]

/** The kernel cannot buffer this much, so the service must wait for its client in the middle of the file. */
const size = 24 * 1024 * 1024

describe("40 parallel wrong passcodes over two processes", () => {
  test("are compared five times for one code and fifteen times in all, and then the link has no file", async () => {
    const link = await newLink()
    const file = await fileNameOf(superuser, link.id)
    const attempts: Array<number> = []
    for (let round = 1; round <= 3; round++) {
      await waitForNextCode(superuser, link)
      const { code } = await challenge(one, link)
      const answers = await parallel(
        40,
        (at, index) => askManifest(at, link, { passcode: wrong({ code }, index + 1).code })
      )
      // The link ends with the fifteenth wrong code. Requests after that find none.
      assert.deepStrictEqual(
        [...new Set(answers.map(({ status }) => status))].filter((status) => status !== 404),
        [401]
      )
      if (round < 3) assert.isTrue(answers.every(({ status }) => status === 401))
      attempts.push(...answers.flatMap(({ json, status }) => status === 401 ? json.remainingAttempts : []))
      const { rows } = await superuser.query("select tries from secure_link_otps where link_id = $1", [link.id])
      assert.isTrue(rows.every(({ tries }) => tries <= 5))
      assert.strictEqual((await rowOf(link)).wrong_codes, 5 * round)
    }
    // The one who tries learns each number that is left.
    for (let left = 0; left < 15; left++) assert.include(attempts, left)
    const { shl_file_key: key, shl_storage_key: name, status } = await rowOf(link)
    assert.deepStrictEqual([status, key, name], ["disabled", null, null])
    assert.strictEqual((await askManifest(one, link)).status, 404)
    await until("the file is gone", async () => !(await hasFile(home, file)))
  })
})

describe("32 parallel right passcodes over two processes", () => {
  test("get one bundle", async () => {
    const link = await newLink()
    const { code } = await challenge(one, link)
    const answers = await parallel(32, (at) => askManifest(at, link, { passcode: code }))
    const given = answers.filter(({ status }) => status === 200)
    assert.lengthOf(given, 1)
    assert.isTrue(answers.every(({ status }) => status === 200 || status === 401))
    assert.strictEqual((await decrypted(given[0]!.json.files[0].embedded, link.key)).bundle.type, "collection")
    assert.strictEqual((await rowOf(link)).wrong_codes, 0)
  })

  test("get one file by its address", async () => {
    const link = await newLink()
    const { code } = await challenge(one, link)
    const { json } = await askManifest(one, link, { passcode: code, embeddedLengthMax: 1 })
    const { pathname } = new URL(json.files[0].location)
    const taken = await parallel(32, (at) => takeFile(`${at.url}${pathname}`))
    assert.lengthOf(taken.filter(({ status }) => status === 200), 1)
    assert.lengthOf(taken.filter(({ status }) => status === 404), 31)
  })
})

describe("the end of a link", () => {
  test.each(["embedded", "location"])("cuts a file under way, and nothing begins after it (%s)", async (form) => {
    const link = await newLink()
    const text = await storeBundle(home, superuser, link.id, size)
    const { code } = await challenge(one, link)
    const manifest = { recipient: "Gray Clinic", passcode: code }
    let begun
    if (form === "embedded") begun = await beginAnswer(one, "POST", `/api/shl/${link.manifestId}`, { body: manifest })
    else {
      const { json } = await askManifest(one, link, { ...manifest, embeddedLengthMax: 0 })
      begun = await beginAnswer(one, "GET", new URL(json.files[0].location).pathname)
    }
    assert.strictEqual(begun.status, 200)
    assert.strictEqual((await revokeLink(other, veteran, link)).status, 200)
    const cut = await begun.rest()
    assert.isFalse(cut.complete)
    assert.isBelow(cut.bytes.length, text.length)
    assert.strictEqual((await askManifest(one, link, { passcode: code })).status, 404)
  })

  test("comes before or after the first byte of a file, in 40 races over two processes", async () => {
    await raceRevokes({ home, one, other, superuser }, 40, inApp)
    // A file that goes with its link in the middle of a race is no broken file.
    for (const { output } of [one, other]) assert.notInclude(output(), "is not intact")
  })

  test("takes the file with it at once, in each way in which a link ends", async () => {
    const ends: ReadonlyArray<(link: AppLink) => Promise<unknown>> = [
      (link) => revokeLink(other, veteran, link),
      (link) => expire(superuser, "secure_links.expires_at", link.id),
      // This also ends the release of the others.
      ({ documentId }) => revokeRelease(other, veteran, documentId)
    ]
    for (const end of ends) {
      const link = await newLink()
      const file = await fileNameOf(superuser, link.id)
      assert.isTrue(await hasFile(home, file))
      await end(link)
      // A minute is the longest that a link which expired keeps its file.
      await until("the file is gone", async () => !(await hasFile(home, file)), 90_000)
      assert.isNull((await rowOf(link)).shl_file_key)
      await until(
        "nothing claims it",
        async () => (await superuser.query("select from stored_files where storage_key = $1", [file])).rows.length === 0
      )
    }
  })
})

describe("a link for health apps", () => {
  const ask = (owner: SignedIn, documentId: string) =>
    call(one, "POST", "/api/veteran/me/secure-links", {
      headers: owner.headers,
      body: { documentId, recipientName: "Jane", recipientEmail: "jane@clinic.example", smartHealthLink: true }
    })

  const signedWith = async (bytes: number) => {
    const file = await upload(one, veteran, `${"a line of a letter\n".repeat(Math.ceil(bytes / 19))}`)
    assert.strictEqual(file.status, 201, file.text)
    const information = { resourceTypes: ["Condition"], documentIds: [file.json.id] }
    return (await signed(one, veteran, { information })).document.id as string
  }

  test("of more than 16 MiB is refused, and leaves neither row nor file", async () => {
    const documentId = await signedWith(10_000_000)
    const before = await storedFiles(home)
    const refused = await ask(veteran, documentId)
    assert.strictEqual(refused.status, 409, refused.text)
    assert.strictEqual(refused.json.error, "conflict")
    assert.deepStrictEqual(await storedFiles(home), before)
    assert.lengthOf((await superuser.query("select from secure_links where document_id = $1", [documentId])).rows, 0)
  })

  test("of many megabytes is made and opens", async () => {
    const large = await createAppLink(one, veteran, { documentId: await signedWith(4_000_000) })
    const { code } = await challenge(one, large)
    const { embedded } = (await askManifest(one, large, { passcode: code })).json.files[0]
    assert.isAtMost(embedded.length, 16 * 1024 * 1024)
    assert.isAbove(embedded.length, 7_000_000)
    assert.strictEqual((await decrypted(embedded, large.key)).bundle.type, "collection")
  })

  test("is refused beside 100 others, until one of them ends", async () => {
    const veteran = await signInVeteran(one)
    const link = await createAppLink(one, veteran)
    await superuser.query("insert into stored_files (storage_key) select $1 || n from generate_series(1, 99) n", [
      link.id
    ])
    await superuser.query(
      `insert into secure_links (veteran_id, id, document_id, recipient_name, recipient_email_ciphertext, token_hash,
         expires_at, shl_hash, shl_storage_key, shl_file_key, shl_byte_size, shl_sha256)
       select veteran_id, gen_random_uuid(), document_id, recipient_name, recipient_email_ciphertext,
         sha256((id || 'token' || n)::bytea), expires_at, sha256((id || 'shl' || n)::bytea), id::text || n, shl_file_key,
         shl_byte_size, shl_sha256
       from secure_links, generate_series(1, 99) n where id = $1`,
      [link.id]
    )
    const before = await storedFiles(home)
    const refused = await ask(veteran, link.documentId)
    assert.strictEqual(refused.status, 409, refused.text)
    assert.include(refused.json.message, "100")
    assert.deepStrictEqual(await storedFiles(home), before)
    await revokeLink(one, veteran, link)
    assert.strictEqual((await ask(veteran, link.documentId)).status, 201)
  })
})

test("a crowd of 200 requests for links that never were gets 404 each", async () => {
  const answers = await parallel(
    200,
    (at, index) => askManifest(at, { manifestId: createHash("sha256").update(`${index}`).digest("base64url") })
  )
  assert.isTrue(answers.every(({ status }) => status === 404))
})
