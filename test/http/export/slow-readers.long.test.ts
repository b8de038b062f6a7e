import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { assert, describe, test } from "vitest"
import { openDatabase, openService } from "../../support/App.ts"
import { signInVeteran } from "../../support/Client.ts"
import { upload } from "../release/Releases.ts"
import { bytesOfPdf, noneRuns, running, slowlyAsOperator } from "./Exports.ts"

const mebibyte = 1024 * 1024

// The kernels' buffers empty in steps of a megabyte or more, so the rates are 64 times those of the service.
const service = await openService(
  await openDatabase(),
  { PATIENCE: JSON.stringify({ answer: 5000, bytesPerSecond: 4 * mebibyte }) },
  fileURLToPath(new URL("../../support/impatient.ts", import.meta.url))
)

const begin = async () => {
  const veteran = await signInVeteran(service)
  for (const name of ["a.pdf", "b.pdf"]) await upload(service, veteran, bytesOfPdf(24 * mebibyte), name)
  return { veteran, going: await slowlyAsOperator(service, veteran) }
}

describe("The reader of an export", () => {
  test("is cut off below the least rate, though it never stands still, and its place is free", async () => {
    const { going, veteran } = await begin()
    const end = going.closed.then(() => "cut off")
    const read = async () => {
      for (let size = mebibyte; size < 40 * mebibyte; size += mebibyte) {
        await going.receive(size)
        await setTimeout(1000)
      }
      return "served"
    }
    assert.strictEqual(await Promise.race([end, read()]), "cut off")
    await noneRuns(service)
    const again = await slowlyAsOperator(service, veteran)
    assert.strictEqual(again.status, 200)
    await again.hangUp()
  })

  test("is served to the end at twice that rate", async () => {
    const { going } = await begin()
    for (let size = mebibyte; size < 48 * mebibyte; size += mebibyte) {
      await going.receive(size)
      await setTimeout(120)
    }
    assert.isTrue((await going.rest()).complete)
    assert.strictEqual(await running(service), 0)
  })
})
