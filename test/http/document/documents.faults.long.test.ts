import { execFileSync } from "node:child_process"
import { chmod, mkdir, open, rename, rm, rmdir, stat, truncate, writeFile } from "node:fs/promises"
import { request } from "node:http"
import { join } from "node:path"
import { afterAll, assert, beforeEach, describe, onTestFinished, test } from "vitest"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { download, sign, upload } from "../release/Releases.ts"
import { openUploadFolder } from "./UploadFolder.ts"

const { age, database, fileOf, files, folder, start, superuser, sweptAnHourLater } = await openUploadFolder()

let service: Service = await start()

afterAll(() => service.stop("SIGKILL"))

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

const path = "/api/veteran/me/documents"

const list = async () => (await call(service, "GET", path, { headers: veteran.headers })).json.items

const contentOf = ({ id }: { readonly id: string }) =>
  download(service, veteran, `${path}/${id}/content`).catch(() => "cut off" as const)

const restart = async () => {
  await service.stop("SIGKILL")
  service = await start()
}

/** Begins an upload that stops halfway. */
const beginUpload = () => {
  const sent = request(`${service.url}${path}`, {
    method: "POST",
    headers: { ...veteran.headers, "content-type": "multipart/form-data; boundary=x" }
  })
  sent.on("error", () => {}).write(
    `--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${"a".repeat(5_000_000)}`
  )
  return sent
}

const claims = async () =>
  (await superuser.query("select storage_key from stored_files order by 1")).rows.map(({ storage_key }) => storage_key)

describe("A service that is killed", () => {
  test("while a file arrives stores no row; the partial file is swept one hour after the restart", async () => {
    beginUpload()
    await until("some of the file is on disk", async () => (await files("tmp")).length === 1)
    await restart()
    assert.deepStrictEqual([await list(), (await files("tmp")).length], [[], 1])
    await age("tmp")
    await sweptAnHourLater(async () => (await files("tmp")).length === 0)
  })

  test("between writing a file and its row stores no row; the file is swept one hour after the restart", async () => {
    const kept = (await upload(service, veteran, "kept")).json
    const before = await files("files")
    const blocker = await database.connect("superuser")
    // If the test fails, its lock must not make the next tests fail.
    onTestFinished(() => blocker.end())
    await blocker.query("begin; lock table stored_files in access exclusive mode")
    const answer = upload(service, veteran, "lost").catch(() => "no answer")
    const signing = sign(service, veteran).catch(() => "no answer")
    await until("four more files are whole", async () => (await files("files")).length === before.length + 4)
    await service.stop("SIGKILL")
    assert.deepStrictEqual(await Promise.all([answer, signing]), ["no answer", "no answer"])
    await blocker.query("rollback")
    service = await start()
    assert.deepStrictEqual((await list()).map(({ id }: { id: string }) => id), [kept.id])
    await age("files")
    await sweptAnHourLater(async () => (await files("files")).length === before.length)
    // A file with a row stays, however old it is.
    const found = await contentOf(kept)
    assert.strictEqual(found === "cut off" ? found : found.bytes.toString(), "kept")
    assert.includeMembers(await claims(), await files("files"))
  })

  test("between deleting a row and its file leaves a file that a sweep moves to the trash", async () => {
    const before = await files("files")
    const { id } = (await upload(service, veteran, "text")).json
    const file = await fileOf({ id })
    await superuser.query("delete from documents where id = $1", [id])
    await superuser.query("delete from stored_files where storage_key = $1", [file])
    await age("files")
    await sweptAnHourLater(async () => (await files("files")).length === before.length)
    assert.include(await files("trash"), file)
    assert.deepStrictEqual(await files("files"), before)
  })
})

test("A client that hangs up during an upload leaves nothing of it", async () => {
  const before = await files("files")
  const sent = beginUpload()
  await until("some of the file is on disk", async () => (await files("tmp")).length === 1)
  sent.destroy()
  await until("it is gone", async () => (await files("tmp")).length === 0)
  assert.deepStrictEqual([await list(), await files("files")], [[], before])
})

describe("A stored file that differs from what was written", () => {
  /** Uploads `content`, lets `harm` change its file, and downloads it. Returns the status, or "cut off". */
  const harmed = async (content: string, harm: (file: string) => Promise<unknown>) => {
    const document = (await upload(service, veteran, content)).json
    const file = join(folder, "files", await fileOf(document))
    // A stored file is written once and is read-only afterwards.
    assert.strictEqual((await stat(file)).mode & 0o777, 0o400)
    await chmod(file, 0o600)
    await harm(file)
    const answer = await contentOf(document)
    return answer === "cut off" ? answer : answer.status
  }
  const flip = (at: number) => async (file: string) => {
    const handle = await open(file, "r+")
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at)
    await handle.write(Buffer.from([buffer[0]! ^ 1]), 0, 1, at)
    await handle.close()
  }
  const large = "a line of text\n".repeat(100_000)

  test.each<readonly [string, string, (file: string) => Promise<unknown>, number | "cut off"]>([
    ["gone", "text", (file) => rm(file), 500],
    ["cut", large, (file) => truncate(file, 100_000), 500],
    ["empty", "text", (file) => truncate(file, 0), 500],
    ["longer", "text", (file) => writeFile(file, "x", { flag: "a" }), 500],
    ["changed at its beginning", "text", flip(20), 500],
    ["changed in its midst", large, flip(1_000_000), "cut off"],
    ["another of the same size", "text", (file) => writeFile(file, Buffer.alloc(32)), 500]
  ])("is answered with an error and never with its changed bytes: %s", async (_, content, harm, expected) => {
    assert.strictEqual(await harmed(content, harm), expected)
    assert.notInclude(service.output(), join(folder, "files"))
  })
})

const mounts = process.getuid?.() === 0 && (() => {
  try {
    const probe = execFileSync("mktemp", ["-d"]).toString().trim()
    execFileSync("mount", ["-t", "tmpfs", "none", probe], { stdio: "ignore" })
    execFileSync("umount", [probe])
    return true
  } catch {
    return false
  }
})()

describe.skipIf(!mounts)("UPLOAD_DIR (needs the right to mount)", () => {
  const mount = (...options: ReadonlyArray<string>) =>
    execFileSync("mount", ["-t", "tmpfs", "-o", options.join(), "none", folder], { stdio: "ignore" })
  const unmount = () => execFileSync("umount", ["-l", folder])

  /** Uploads and signs, and returns both answers. */
  const write = async (content: string) => {
    const answers = [await upload(service, veteran, content), await sign(service, veteran)]
    return answers.map(({ json, status }) => [status, json.error])
  }
  const others = async () => {
    const paths = ["/api/veteran/me", path, "/api/veteran/me/roi/readiness"]
    const answers = paths.map((path) => call(service, "GET", path, { headers: veteran.headers }))
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  const well = async () => {
    assert.deepStrictEqual(await write("it works again"), [[201, undefined], [201, undefined]])
    const newest = await list()
    for (const document of newest) assert.strictEqual((await contentOf(document) as { status: number }).status, 200)
  }

  test("when full: uploads get 507 and store nothing until there is room, while other routes work", async () => {
    mount("size=256k")
    try {
      assert.deepStrictEqual(await write("x".repeat(600_000)), [[507, "storage_full"], [201, undefined]])
      await writeFile(join(folder, "ballast"), Buffer.alloc(400_000)).catch(() => {})
      assert.deepStrictEqual(await write("x".repeat(60_000)), [[507, "storage_full"], [507, "storage_full"]])
      assert.deepStrictEqual([await files("tmp"), (await files("files")).length, (await list()).length], [[], 3, 1])
      assert.deepStrictEqual(await others(), [200, 200, 200])
      await rm(join(folder, "ballast"))
      await well()
    } finally {
      unmount()
    }
  })

  test("when read-only: writes get 503, and stored files can still be read", async () => {
    mount("size=4m")
    try {
      const document = (await upload(service, veteran, "text")).json
      execFileSync("mount", ["-o", "remount,ro", folder])
      assert.deepStrictEqual(await write("more"), [[503, "service_unavailable"], [503, "service_unavailable"]])
      assert.strictEqual((await contentOf(document) as { status: number }).status, 200)
      assert.deepStrictEqual([(await list()).length, await others()], [1, [200, 200, 200]])
      execFileSync("mount", ["-o", "remount,rw", folder])
      await well()
    } finally {
      unmount()
    }
  })
})

test("While UPLOAD_DIR is gone only the routes of files answer 503, and all work again once it is back", async () => {
  const document = (await upload(service, veteran, "text")).json
  const away = `${folder}-away`
  await rename(folder, away)
  const answers = [
    await upload(service, veteran, "more"),
    await sign(service, veteran),
    await call(service, "GET", `${path}/${document.id}/content`, { headers: veteran.headers })
  ]
  assert.deepStrictEqual(
    answers.map(({ json, status }) => [status, json.error]),
    answers.map(() => [503, "service_unavailable"])
  )
  assert.deepStrictEqual((await list()).length, 1)
  await mkdir(folder)
  assert.strictEqual((await upload(service, veteran, "on an empty disk")).status, 201)
  await rm(folder, { recursive: true })
  await rename(away, folder)
  assert.strictEqual((await contentOf(document) as { status: number }).status, 200)
  await rmdir(join(folder, "tmp"))
  assert.strictEqual((await upload(service, veteran, "again")).status, 201)
})
