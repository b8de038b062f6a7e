import { Stream } from "effect"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { assert, beforeAll, describe, test } from "vitest"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { recordBundle } from "../../../src/services/release/RecordBundle.ts"
import { openDatabase, openService } from "../../support/App.ts"
import { type SignedIn, signInVeteran } from "../../support/Client.ts"
import { patientTexts } from "../../support/Collection.ts"
import type { Held } from "../../support/loop-probe.ts"
import { replaceNamed } from "../document/Copies.ts"
import { createAppLink } from "../link/AppLinks.ts"
import { signed } from "../release/Releases.ts"

/** A whole release of this size takes minutes to sign. So a small one gets a large record and a large PDF. */

const port = await freePort()

const database = await openDatabase()

const service = await openService(database, {
  NODE_OPTIONS: `--import=${new URL("../../support/loop-probe.ts", import.meta.url).href}`,
  LOOP_PROBE_PORT: `${port}`
})

const superuser = await database.connect("superuser")

const mib = 1024 * 1024

const real = Object.values(patientTexts("va-florentino8-raynor401")).flat().map((text) => JSON.parse(text))

/** Replaces the veteran's copy of a release, or its record, by other content. */
const store = <E>(id: string, prefix: "" | "record_", content: Stream.Stream<Uint8Array, E>) =>
  replaceNamed(service, superuser, { table: "documents", prefix, id }, content)

/** Makes a record of `count` items of about `size` bytes each. Real resources are padded. */
const recordOf = (veteranId: string, documentId: string, count: number, size: number) => {
  const items = Array.from({ length: count }, (_, n) => {
    const { resourceType, ...resource } = real[n % real.length]
    const id = `item-${n}`
    const whole = JSON.stringify({ resourceType, ...resource, id })
    const exact = whole.length <= size
      ? whole
      : JSON.stringify({ resourceType, id, subject: resource.subject, code: resource.code })
    const padding = "x".repeat(Math.max(0, size - exact.length))
    return { resourceType, fhirId: id, text: `${exact.slice(0, -1)},"comment":"${padding}"}` }
  })
  const person = { id: veteranId, fullName: "Sean O'Hara", dateOfBirth: "1962-03-04" }
  const frame = { documentId, signedAt: "2026-11-22T10:00:00.000Z", base: service.url, person, subject: undefined }
  return Stream.fromAsyncIterable(recordBundle(frame, items, async ({ text }) => Buffer.from(text), false), String)
}

const resident = () => {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${service.process.pid}/status`, "utf8"))!
  return Number(kib) * 1024
}

const probe = async () => await (await fetch(`http://127.0.0.1:${port}`)).json() as Held

/** Prints what the work took of the service, and returns by how many bytes its memory grew. */
const measured = async <A>(what: string, work: () => Promise<A>) => {
  const before = resident()
  let peak = before
  const sampling = setInterval(() => peak = Math.max(peak, resident()), 20)
  await probe()
  const result = await work()
  const { garbage, worked } = await probe()
  clearInterval(sampling)
  console.log(
    `${what}: memory ${Math.round(before / mib)} MiB, at most ${Math.round(peak / mib)} MiB; ` +
      `the longest turn ${(worked - garbage).toFixed(1)} ms of processor time, and ${garbage.toFixed(1)} ms of garbage`
  )
  return { result, grown: peak - before }
}

const readShape = async (veteran: SignedIn, documentId: string) => {
  const response = await fetch(`${service.url}/api/veteran/me/roi/${documentId}/fhir`, { headers: veteran.headers })
  assert.strictEqual(response.status, 200)
  let bytes = 0
  for await (const chunk of response.body!) bytes += chunk.length
  assert.strictEqual(bytes, Number(response.headers.get("content-length")))
  return bytes
}

describe.skipIf(process.platform !== "linux")("A release of 20,000 items", () => {
  let veteran: SignedIn
  let documentId: string

  beforeAll(async () => {
    veteran = await signInVeteran(service)
    documentId = (await signed(service, veteran)).document.id
    // The first request of its kind loads code.
    await readShape(veteran, documentId)
    await createAppLink(service, veteran, { documentId })
  })

  test("and 11 MiB becomes a link for health apps without being held", async () => {
    await store(documentId, "record_", recordOf(veteran.id, documentId, 20_000, 450))
    const { grown } = await measured("the link", () => createAppLink(service, veteran, { documentId }))
    assert.isBelow(grown, 150 * mib)
  })

  test("and 100 MiB is read as FHIR without being held", async () => {
    await store(documentId, "", Stream.fromIterable(Array.from({ length: 36 }, () => randomBytes(mib))))
    await store(documentId, "record_", recordOf(veteran.id, documentId, 20_000, 3_250))
    const { grown, result } = await measured("the shape", () => readShape(veteran, documentId))
    assert.isAbove(result, 100 * mib)
    assert.isBelow(grown, 150 * mib)
  })
})
