import { Effect } from "effect"
import { createDecipheriv, createHash, hkdfSync } from "node:crypto"
import { globSync, readdirSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, test } from "vitest"
import { makeOpener } from "../../../src/services/document/FileSeal.ts"
import { Crypto } from "../../../src/services/platform/Crypto.ts"
import { placeAt, sealedColumns } from "../../../src/services/platform/SealedColumns.ts"
import { atEnd, openDatabase, openFolder } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { startService } from "../../support/Service.ts"
import { within } from "../document/Copies.ts"
import { askManifest, createAppLink, decrypted, mailedCode } from "./AppLinks.ts"
import { challenge, listLinks, step, view, waitForNextCode, wrong } from "./Links.ts"
import { storedJwe } from "./StoredBundles.ts"

/** The source folder's purposes of keys, for which a process may not have derived one yet. */
const purposes = globSync("src/**/*.ts").flatMap((path) =>
  [...readFileSync(path, "utf8").matchAll(/(?:keyedHash|derivedKey)\("([^"]+)"\)/g)].map(([, purpose]) => purpose!)
)

/** Opens a compact JWE of `dir` and `A256GCM`, as `jose` does, but a thousand keys in a moment. */
const opens = (jwe: string) => {
  const [header, , nonce, text, tag] = jwe.split(".") as [string, string, string, string, string]
  const bytes = Buffer.from(text, "base64url")
  return (key: Buffer) => {
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url"))
      .setAAD(Buffer.from(header)).setAuthTag(Buffer.from(tag, "base64url"))
    decipher.update(bytes)
    try {
      decipher.final()
      return true
    } catch {
      return false
    }
  }
}

test("Database, files, logs and each key that the service holds or derives open no link's JWE, and hold no key of it", async () => {
  const home = { directory: await openFolder() }
  const database = await openDatabase()
  const superuser = await database.connect("superuser")
  const shared = { UPLOAD_DIR: join(home.directory, ".data/uploads") }
  const one = await startService(database, shared)
  atEnd(() => one.stop("SIGKILL"))
  // A process that made a link had its key. This one does all the rest with it.
  const kept = join(home.directory, "kept-keys")
  const program = fileURLToPath(new URL("../../support/kept-keys.ts", import.meta.url))
  const other = await startService(database, { ...shared, KEPT_KEYS: kept }, program)
  atEnd(() => other.stop("SIGKILL"))

  const veteran = await signInVeteran(one)
  const link = await createAppLink(one, veteran)
  const { challengeId, code: onPage } = await challenge(other, link)
  const { json: access } = await step(other, "otp/verify", { token: link.token, challengeId, code: onPage })
  assert.strictEqual((await view(other, access.viewSession)).status, 200)
  await waitForNextCode(superuser, link)
  const path = `/api/veteran/me/secure-links/${link.id}/code`
  assert.strictEqual((await call(other, "POST", path, { headers: veteran.headers })).status, 202)
  const code = await mailedCode(other, link)
  const { json: refusal } = await askManifest(other, link, { passcode: wrong({ code }).code })
  assert.strictEqual(refusal.error, "otp_invalid")
  const answer = await askManifest(other, link, { passcode: code, recipient: "Somebody of Gray Clinic" })
  assert.strictEqual(answer.status, 200, answer.text)
  assert.strictEqual((await listLinks(other, veteran))[0].claimedRecipient, "Somebody of Gray Clinic")
  const shape = `/api/veteran/me/roi/${link.documentId}/fhir`
  assert.strictEqual((await call(other, "GET", shape, { headers: veteran.headers })).status, 200)
  const { embedded } = answer.json.files[0]
  const isOpenedBy = opens(embedded)
  const key = Buffer.from(link.key, "base64url")
  assert.isTrue(isOpenedBy(key))

  const secrets: ReadonlyArray<readonly [string, Buffer]> = [
    ["the key", key],
    ["the key as text", Buffer.from(link.key)],
    ["the key in hex", Buffer.from(key.toString("hex"))],
    ["the payload", Buffer.from(link.url.split("shlink:/")[1]!)],
    ["the page's token", Buffer.from(link.token)],
    ["the manifest's id", Buffer.from(link.manifestId)],
    ["the ticket of the page", Buffer.from(access.viewSession)],
    ["the passcode", Buffer.from(code)],
    ["the recipient", Buffer.from("Somebody of Gray Clinic")]
  ]
  const found: Array<string> = []
  const candidates = new Map<string, Buffer>()
  const add = (bytes: Buffer) => {
    // What is no key by its length may be the source of one.
    const whole = bytes.length === 32 ? bytes : createHash("sha256").update(bytes).digest()
    candidates.set(whole.toString("hex"), whole)
  }
  const look = (where: string, bytes: Buffer) => {
    for (const [what, secret] of secrets) if (bytes.includes(secret)) found.push(`${what} in ${where}`)
  }

  const { rows: tables } = await superuser.query(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'app')"
  )
  for (const { name } of tables) {
    for (const row of (await superuser.query(`select * from ${name}`)).rows) {
      for (const [column, value] of Object.entries(row)) {
        const bytes = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value) ?? "")
        look(`${name}.${column}`, bytes)
        add(bytes)
        if (typeof value === "string") {
          for (const form of ["hex", "base64url"] as const) add(Buffer.from(value, form))
        }
      }
    }
  }
  const folder = join(home.directory, ".data/uploads/files")
  for (const name of readdirSync(folder)) look("a file", readFileSync(join(folder, name)))
  for (const { output } of [one, other]) look("a log", Buffer.from(output()))
  look("the keys of the other process", Buffer.from((await readFile(kept, "utf8")).replaceAll(/^(key|root) /gm, "")))
  assert.deepStrictEqual(found, [])

  // What the sealed columns hold, as the service opens them.
  const { rows: [row] } = await superuser.query("select * from secure_links where id = $1", [link.id])
  const opened = await within(
    home,
    Effect.gen(function*() {
      const { open } = yield* Crypto
      return yield* Effect.forEach(
        sealedColumns.secure_links.columns,
        (column) => open(placeAt("secure_links", column, [veteran.id, link.id]), row[column])
      )
    })
  )
  for (const bytes of opened) add(bytes)
  const lines = (await readFile(kept, "utf8")).trim().split("\n").map((line) => line.split(" "))
  const roots = lines.flatMap(([kind, hex]) => kind === "root" ? [Buffer.from(hex!, "hex")] : [])
  for (const [, hex] of lines) add(Buffer.from(hex!, "hex"))
  const known = candidates.size
  const derive = (root: Buffer, salt: string, info: string) =>
    add(Buffer.from(hkdfSync("sha256", root, salt, info, 32)))
  assert.isAbove(roots.length, 1)
  assert.isAbove(purposes.length, 25)
  for (const root of roots) {
    for (const purpose of purposes) derive(root, "", `vrss/1/${purpose}`)
    for (const [table, { columns }] of Object.entries(sealedColumns)) {
      for (const column of columns) derive(root, veteran.id, `vrss/1/${table}/${column}`)
    }
  }
  assert.isAbove(candidates.size, known)
  // The service is also told what follows from the key, and what it hashes.
  for (const [what, bytes] of secrets.slice(3)) {
    if (what !== "the payload") {
      for (const form of ["utf8", "base64url"] as const) add(Buffer.from(`${bytes}`, form))
    }
  }

  // The key of the link's file is among them. It opens the file, in which the JWE stays closed.
  const sealed = readFileSync(join(folder, row.shl_storage_key))
  const unsealed = [...candidates.values()].flatMap((candidate) => {
    const { chunkCount, open } = makeOpener(row.shl_storage_key, candidate, Number(row.shl_byte_size))
    try {
      return [Buffer.concat(open(sealed, 0, chunkCount)).toString()]
    } catch {
      return []
    }
  })
  assert.deepStrictEqual(unsealed, [embedded])
  assert.strictEqual(await storedJwe(home, superuser, link.id), embedded)
  assert.deepStrictEqual([...candidates.values()].filter(isOpenedBy), [])
  assert.strictEqual((await decrypted(embedded, link.key)).bundle.resourceType, "Bundle")
})
