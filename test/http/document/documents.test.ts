import { createHash, randomBytes } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { PNG } from "pngjs"
import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { instant } from "../../support/Formats.ts"
import { download, upload } from "../release/Releases.ts"
import { storedFiles } from "./Copies.ts"

const { database, service } = await openApp()

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

const path = "/api/veteran/me/documents"

const get = (suffix = "") => call(service, "GET", `${path}${suffix}`, { headers: veteran.headers })

/** Posts a multipart form that the test writes by hand, so that it may be malformed. */
const post = async (parts: ReadonlyArray<readonly [disposition: string, body: string]>, end = "--x--\r\n") => {
  const body = parts.map(([disposition, body]) =>
    `--x\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${body}\r\n`
  )
  return call(service, "POST", path, {
    headers: { ...veteran.headers, "content-type": "multipart/form-data; boundary=x" },
    body: body.join("") + end
  })
}

const png = PNG.sync.write(new PNG({ width: 2, height: 2 }))

describe("POST /api/veteran/{veteranId}/documents", () => {
  test("stores a file and answers with its description", async () => {
    const answer = await upload(service, veteran, "Dear Dr. Gray", "C:\\letters\\to Dr. Gray.txt")
    assert.strictEqual(answer.status, 201)
    const { createdAt, id, ...rest } = answer.json
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.match(createdAt, instant)
    assert.deepStrictEqual(rest, {
      kind: "upload",
      title: "to Dr. Gray.txt",
      contentType: "text/plain",
      byteSize: 13,
      sha256: createHash("sha256").update("Dear Dr. Gray").digest("hex"),
      signedAt: null,
      release: null
    })
    assert.deepStrictEqual((await get(`/${id}`)).json, answer.json)
    assert.deepStrictEqual((await get()).json, { items: [answer.json], nextCursor: null })
  })

  const pdf = "%PDF-1.7\n1 0 obj\n<<>>\nendobj\n"
  const kinds: ReadonlyArray<readonly [what: string, content: string | Buffer, type: string]> = [
    ["a PDF", pdf, "application/pdf"],
    ["a PNG", png, "image/png"],
    ["a JPEG", Buffer.from("ffd8ffe000104a46494600010100000100010000ffd9", "hex"), "image/jpeg"],
    ["a TIFF", Buffer.from("49492a0008000000000000000000", "hex"), "image/tiff"],
    ["a big-endian TIFF", Buffer.from("4d4d002a00000008000000000000", "hex"), "image/tiff"],
    ["text", "Blood pressure 120/80\n", "text/plain"],
    ["one letter", "x", "text/plain"],
    ["text with umlauts and a byte order mark", "\ufeffGrüße, Nguyễn 😀", "text/plain"],
    ["text that only mentions a tag", "a <html> page", "text/plain"],
    ["HTML", "<!DOCTYPE html><title>x</title>", "text/html"],
    ["HTML after blanks", "\n\t <HTML lang=en>", "text/html"],
    ["HTML that begins with a script", "<script>alert(1)</script>", "text/html"],
    ["XML", "<?xml version=\"1.0\"?><ClinicalDocument/>", "application/xml"],
    ["XML without a declaration", "<Bundle xmlns=\"http://hl7.org/fhir\"/>", "application/xml"],
    ["an SVG picture, which is XML", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "application/xml"]
  ]
  test.each(kinds)("recognises the type of a file by its content, not by its name: %s", async (_, content, type) => {
    for (const name of ["x.exe", "x.pdf", "x"]) {
      const answer = await upload(service, veteran, content as string, name)
      assert.deepStrictEqual([answer.status, answer.json.contentType, answer.json.title], [201, type, name])
    }
  })

  const refused: ReadonlyArray<readonly [what: string, content: string | Buffer]> = [
    ["a ZIP archive", Buffer.from("504b03040a0000000000", "hex")],
    ["a program", Buffer.from("7f454c4602010100000000000000000002003e00", "hex")],
    ["a GIF", "GIF89a\x01\0\x01\0\0\0\0;"],
    ["a PNG that begins with its pixels", Buffer.concat([png.subarray(0, 8), png.subarray(33)])],
    ["a PNG that begins with another chunk than its header",
      Buffer.concat([png.subarray(0, 8), Buffer.from("00000004436742490000000000000000", "hex"), png.subarray(8)])],
    ["a film", Buffer.from("000000186674797069736f6d0000020069736f6d", "hex")],
    ["random bytes", randomBytes(5000)],
    ["text in another encoding than UTF-8", Buffer.from("Guzm\xe1n", "latin1")],
    ["text with NUL", "a\0b"],
    ["text that ends with half a UTF-8 character", Buffer.concat([Buffer.alloc(200_000, "a"), Buffer.from([0xc3])])],
    ["text that ends with NULs", Buffer.concat([Buffer.alloc(200_000, "a"), Buffer.alloc(10)])]
  ]
  test.each(refused)("refuses %s, and stores nothing of it", async (_, content) => {
    const before = await storedFiles(service).catch(() => [])
    const answer = await upload(service, veteran, content as string, "letter.txt")
    assert.deepStrictEqual([answer.status, answer.json.error], [415, "unsupported_media_type"])
    assert.deepStrictEqual((await get()).json.items, [])
    assert.deepStrictEqual(await storedFiles(service), before)
    assert.deepStrictEqual(await readdir(join(service.directory, ".data/uploads/tmp")), [])
  })

  test("accepts 25 MiB, and not one byte more", async () => {
    const largest = Buffer.alloc(25 * 1024 * 1024, "a line of text\n")
    const answer = await upload(service, veteran, largest)
    assert.deepStrictEqual([answer.status, answer.json.byteSize], [201, 26_214_400])
    const file = await download(service, veteran, `${path}/${answer.json.id}/content`)
    assert.isTrue(file.bytes.equals(largest))
    const before = await storedFiles(service)
    const over = await upload(service, veteran, Buffer.concat([largest, Buffer.from("a")]))
    assert.deepStrictEqual([over.status, over.json.error], [413, "payload_too_large"])
    assert.deepStrictEqual(await storedFiles(service), before)
  })

  test("refuses a body of undeclared length that never ends, by 413 or by closing the connection", async () => {
    const body = new ReadableStream({
      start: (controller) =>
        controller.enqueue(
          Buffer.from("--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n")
        ),
      pull: (controller) => controller.enqueue(Buffer.alloc(1 << 20, "a"))
    })
    const answer = await fetch(`${service.url}${path}`, {
      method: "POST",
      headers: { ...veteran.headers, "content-type": "multipart/form-data; boundary=x" },
      body,
      duplex: "half"
    } as RequestInit).then((response) => response.status, () => "connection closed")
    assert.include([413, "connection closed"], answer)
    assert.deepStrictEqual((await get()).json.items, [])
  })

  const file = "name=\"file\"; filename=\"a.txt\""
  test.each<readonly [string, Parameters<typeof post>, number, unknown]>([
    ["no part", [[]], 400, ["file"]],
    ["an empty file", [[[file, ""]]], 400, ["file"]],
    ["a field instead of a file", [[["name=\"file\"", "text"]]], 400, ["file"]],
    ["another field", [[["name=\"note\"", "text"], [file, "text"]]], 400, ["note"]],
    ["another field after the file", [[[file, "text"], ["name=\"note\"", "text"]]], 400, ["note"]],
    ["a file in another field", [[["name=\"document\"; filename=\"a\"", "text"]]], 400, ["document"]],
    ["two files", [[[file, "text"], [file, "text"]]], 400, ["file"]],
    ["a body cut within the file", [[[file, "text"]], "--x"], 400, []],
    ["a body without its closing boundary", [[[file, "text"]], "--x\r\n"], 400, []]
  ])("refuses %s", async (_, parts, status, at) => {
    const before = await storedFiles(service).catch(() => [])
    const answer = await post(...parts)
    assert.deepStrictEqual([answer.status, answer.json.error], [status, "invalid_request"], answer.text)
    assert.deepStrictEqual(answer.json.issues[0].path, at)
    assert.deepStrictEqual(await storedFiles(service), before)
    assert.deepStrictEqual((await get()).json.items, [])
  })

  test("accepts only a multipart body without content encoding", async () => {
    for (
      const headers of [
        { "content-type": "application/json" },
        { "content-type": "text/plain" },
        { "content-type": "multipart/form-data" },
        { "content-type": "multipart/mixed; boundary=x" },
        { "content-type": "multipart/form-data; boundary=x", "content-encoding": "gzip" }
      ]
    ) {
      const answer = await call(service, "POST", path, { headers: { ...veteran.headers, ...headers }, body: "{}" })
      assert.deepStrictEqual(
        [answer.status, answer.json.error],
        [415, "unsupported_media_type"],
        JSON.stringify(headers)
      )
    }
  })

  const names: ReadonlyArray<readonly [sent: string, title: string]> = [
    ["Nguyễn – Brief.txt", "Nguyễn – Brief.txt"],
    ["../../etc/passwd", "passwd"],
    ["a/b\\c.txt", "c.txt"],
    ["Ann\u202etxt.exe", "Anntxt.exe"],
    ["<b>x</b>.txt", "b>.txt"],
    [`${"n".repeat(300)}.txt`, "n".repeat(255)],
    ["Gr\u034fay\uffa0.txt", "Gray.txt"],
    ["\u3164\u115f\u1160\u2800", "document"],
    ["\u0301", "document"],
    ["..", "document"],
    ["/", "document"]
  ]
  test.each(names)("shows a file called %j as %j", async (sent, title) => {
    const { json } = await upload(service, veteran, "text", sent)
    assert.strictEqual(json.title, title)
    const { headers } = await download(service, veteran, `${path}/${json.id}/content`)
    assert.match(headers.get("content-disposition")!, /^attachment; filename=["\w]/)
  })

  test("a quote in a file's name is kept in its title and in the name of its download", async () => {
    const { json } = await upload(service, veteran, "text", "say \"x\".txt")
    assert.strictEqual(json.title, "say \"x\".txt")
    const { headers } = await download(service, veteran, `${path}/${json.id}/content`)
    assert.strictEqual(headers.get("content-disposition"), "attachment; filename=\"say \\\"x\\\".txt\"")
  })

  const escaped: ReadonlyArray<readonly [sent: string, title: string]> = [
    ["a%22b%22.txt", "a\"b\".txt"],
    ["two%0D%0Alines.txt", "twolines.txt"],
    ["100%25 %2522 %0d%0a %2F %41.txt", "100%25 %2522 %0d%0a %2F %41.txt"],
    ["ends in %", "ends in %"]
  ]
  test.each(escaped)(
    "decodes only the escapes of the HTML standard: the name %j on the wire becomes %j",
    async (sent, title) => {
      const { json } = await post([[`name="file"; filename="${sent}"`, "text"]])
      assert.strictEqual(json.title, title)
    }
  )

  test("stores the content and the name of a file only in encrypted form", async () => {
    const before: ReadonlyArray<string> = await storedFiles(service).catch(() => [])
    const { json } = await upload(service, veteran, `diagnosis: ${"plainly visible ".repeat(5000)}`, "HIV test.txt")
    const folder = join(service.directory, ".data/uploads/files")
    const stored = (await storedFiles(service)).filter((name) => !before.includes(name))
    assert.isNotEmpty(stored)
    for (const name of stored) {
      assert.notInclude(await readFile(join(folder, name), "latin1"), "plainly visible")
      assert.notInclude(name, json.id)
    }
    const superuser = await database.connect("superuser")
    const { rows } = await superuser.query("select documents::text as row from documents where id = $1", [json.id])
    assert.isAbove(rows.length, 0)
    assert.isFalse(rows.some(({ row }) => row.includes("HIV") || row.includes(Buffer.from("HIV").toString("hex"))))
  })
})

describe("GET /api/veteran/{veteranId}/documents/{id}/content", () => {
  test("answers with the bytes", async () => {
    const html = "<!doctype html><script>alert(1)</script>"
    const { json } = await upload(service, veteran, html)
    const { bytes, status } = await download(service, veteran, `${path}/${json.id}/content`)
    assert.deepStrictEqual([status, bytes.toString()], [200, html])
  })

  const downloads: ReadonlyArray<readonly [sent: string, content: string, name: string]> = [
    ["lab-result.hta", "%PDF-1.7\n<script>", "lab-result.hta.pdf"],
    ["setup.exe", "%PDF-1.7\n", "setup.exe.pdf"],
    ["run.bat", "echo", "run.bat.txt"],
    ["no extension", "text", "no extension.txt"],
    ["Dr. Gray", "text", "Dr. Gray.txt"],
    ["kept.TXT", "text", "kept.TXT"],
    ["page.htm", "<!doctype html><p>", "page.htm"],
    ["CON", "text", "_CON.txt"],
    ["con.txt", "text", "_con.txt"]
  ]
  test.each(downloads)(
    "gives a file uploaded as %j with content %j the name %j, with an extension that fits the content",
    async (...row) => {
      const [sent, content, name] = row
      const { json } = await upload(service, veteran, content, sent)
      assert.strictEqual(json.title, sent)
      const { headers } = await download(service, veteran, `${path}/${json.id}/content`)
      assert.strictEqual(headers.get("content-disposition")!.replaceAll("\"", ""), `attachment; filename=${name}`)
    }
  )

  test("answers HEAD with the headers only", async () => {
    const { json } = await upload(service, veteran, "text")
    const response = await fetch(`${service.url}${path}/${json.id}/content`, {
      method: "HEAD",
      headers: veteran.headers
    })
    assert.deepStrictEqual([response.status, response.headers.get("content-length"), await response.text()], [
      200,
      "4",
      ""
    ])
  })
})
