import { execFile, spawnSync } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, registerVeterans, signIn } from "../../support/Client.ts"
import { drain, proofOf, textOf, writeEvents } from "./Drained.ts"

// Needs Debian's golang-go and golang-golang-x-mod-dev. Go finds packages in /usr/share/gocode and downloads nothing.
const go = {
  ...process.env,
  GO111MODULE: "off",
  GOPATH: "/usr/share/gocode",
  GOFLAGS: "",
  GOCACHE: join(tmpdir(), "vrss-go-cache")
}

const noGo = spawnSync("go", ["list", "golang.org/x/mod/sumdb/tlog"], { env: go }).status !== 0

const needsGo = noGo ? " (left out: needs golang-go and golang-golang-x-mod-dev)" : ""

const program = fileURLToPath(new URL("verify.go", import.meta.url))

/** Returns Go's verdict on each proof, in the order of the input. */
const verify = (input: unknown) =>
  new Promise<ReadonlyArray<string>>((answered, failed) => {
    const child = execFile("go", ["run", program], { env: go, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      error === null ? answered(stdout.trimEnd().split("\n")) : failed(new Error(stderr)))
    child.stdin!.end(JSON.stringify(input))
  })

const { database, service } = await openApp()

describe.skipIf(noGo)(`Go's packages sumdb/note and sumdb/tlog${needsGo}`, () => {
  test("accept the service's checkpoints and proofs at many tree sizes, and refuse each altered one", async () => {
    const owner = await database.connect("superuser")
    const [registered] = await registerVeterans(owner, 1)
    const veteran = await signIn(service, registered!)
    const ids: Array<string> = []
    const checkpoints: Array<string> = []
    for (const count of [1, 1, 1, 4, 93, 155, 1, 1, 300]) {
      ids.push(...await writeEvents(owner, veteran.id, count))
      await drain(service)
      checkpoints.push(await textOf(service, "/api/proofs/checkpoint"))
    }
    const Inclusion = []
    for (const id of ids.filter((_, n) => n < 10 || n % 37 === 0 || n > ids.length - 5)) {
      Inclusion.push((await proofOf(service, veteran, id)).json)
    }
    const Consistency = []
    for (const [n, Older] of checkpoints.entries()) {
      for (const Newer of checkpoints.slice(n)) {
        const [from, to] = [Older, Newer].map((note) => note.split("\n")[1])
        const { json } = await call(service, "GET", `/api/proofs/consistency?from=${from}&to=${to}`)
        Consistency.push({ Older, Newer, Hashes: json.hashes })
      }
    }
    const Key = (await textOf(service, "/api/proofs/key")).trim()
    const [proof] = Inclusion
    const alteredInclusion = [
      { ...proof, leaf: proof.leaf.replace("document_read", "document_lost") },
      { ...proof, index: proof.index + 1 },
      { ...proof, hashes: proof.hashes.slice(1) },
      { ...proof, checkpoint: checkpoints[0] },
      { ...proof, checkpoint: proof.checkpoint.replace(/\n\d+\n/, "\n555\n") }
    ]
    const altered = { Older: checkpoints[2], Newer: checkpoints[8], Hashes: Consistency.at(-2)!.Hashes }
    // One run of Go, which compiles the program each time.
    const said = await verify({
      Key,
      Inclusion: [...alteredInclusion, ...Inclusion],
      Consistency: [...Consistency, altered]
    })
    const refused = [...said.slice(0, alteredInclusion.length), said.at(-1)]
    assert.notInclude(refused, "ok")
    assert.deepStrictEqual(
      said.slice(alteredInclusion.length, -1),
      Array.from({ length: Inclusion.length + Consistency.length }, () => "ok")
    )
  })
})
