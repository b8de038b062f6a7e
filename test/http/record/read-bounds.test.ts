import { zstdCompressSync } from "node:zlib"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"
import { readRecord, sync, syncBody, syncPath } from "../../support/Sync.ts"
import { readPatientRecord } from "../Sharing.ts"

// A code, system or reference beyond 4,096 characters is kept and not read: its item belongs to all categories.

const { service } = await openApp()

const every = ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"]

const condition = (id: string, content: object) => JSON.stringify({ resourceType: "Condition", id, ...content })

const coded = (code: string, system = "http://snomed.info/sct") => ({ code: { coding: [{ system, code }] } })

describe("An item with a code, system or reference beyond the length that is read", () => {
  const atBound = {
    "code-at": coded("1".repeat(4096)),
    "reference-at": { subject: { reference: `Patient/1?${"x".repeat(4086)}` } },
    "system-at": coded("1", `http://example.org/${"x".repeat(4077)}`)
  }
  const beyond = {
    "address-over": { attachment: { url: `${"x".repeat(4090)}/Binary` } },
    "code-over": coded("1".repeat(4097)),
    "reference-over": { subject: { reference: `Patient/1?${"x".repeat(4087)}` } },
    "system-over": coded("1", `http://example.org/${"x".repeat(4078)}`),
    "system-without-code": { identifier: [{ system: "x".repeat(4097) }] }
  }
  const texts = Object.entries({ ...atBound, ...beyond }).map(([id, content]) => condition(id, content))

  test("is kept as it was sent, and shown only to a provider with all categories (findings 3 H1)", async () => {
    const veteran = await signInVeteran(service)
    await sync(service, veteran, { Condition: "complete" }, { Condition: texts })
    const { items } = await readRecord(service, veteran)
    assert.sameMembers(items.map(({ text }) => text), texts)
    for (const { fhirId, sensitiveCategories } of items) {
      assert.deepStrictEqual(sensitiveCategories, fhirId in beyond ? every : [], fhirId)
    }
    for (const sensitiveCategories of [[], every.slice(1), every]) {
      const provider = await signInProvider(service)
      await giveGrant(service, veteran, provider, { sensitiveCategories })
      const { json } = await readPatientRecord(service, provider, veteran)
      assert.sameMembers(
        json.sections.flatMap(({ items }: any) => items.map((item: any) => item.fhirId)),
        Object.keys(sensitiveCategories === every ? { ...atBound, ...beyond } : atBound)
      )
    }
  })

  test("does not arise from 4,096 characters, which are read to their end (findings 3 H1)", async () => {
    const veteran = await signInVeteran(service)
    const blank = " ".repeat(4093)
    await sync(service, veteran, { Condition: "complete" }, {
      Condition: [
        condition("code", coded(`${blank}B20`, "http://hl7.org/fhir/sid/icd-10-cm")),
        condition("system", coded("86406008", `http://snomed.info/sct${" ".repeat(4074)}`)),
        condition("prefix", coded("86406008", `${" ".repeat(4074)}http://snomed.info/sct`))
      ]
    })
    const { items } = await readRecord(service, veteran)
    assert.deepStrictEqual(items.map(({ sensitiveCategories }) => sensitiveCategories), [["hiv"], ["hiv"], ["hiv"]])
  })

  const names = (n: number) => Array.from({ length: 300 }, (_, id) => `Aa/${n}x${id}`).join("/")

  const long: ReadonlyArray<readonly [what: string, content: object]> = [
    ["a code of 20,000,000 characters that grow to 18 each", coded("\ufdfa".repeat(20_000_000))],
    ["14,000 references of 300 names each", {
      entry: Array.from({ length: 14_000 }, (_, n) => ({ item: { reference: names(n) } }))
    }]
  ]

  test.each(long)("%s in one sync: it is answered, and the service lives (findings 3 H1, M1)", async (_, content) => {
    const veteran = await signInVeteran(service)
    const body = zstdCompressSync(syncBody({ Condition: "complete" }, { Condition: [condition("c", content)] }))
    const answer = await call(service, "POST", syncPath, {
      headers: { ...veteran.headers, "content-encoding": "zstd", "content-type": "application/json" },
      body
    })
    assert.strictEqual(answer.status, 200, answer.text)
    const health = await call(service, "GET", "/health")
    assert.strictEqual(health.status, 200)
    const provider = await signInProvider(service)
    await giveGrant(service, veteran, provider, { sensitiveCategories: every.slice(1) })
    const seen = await readPatientRecord(service, provider, veteran)
    assert.deepStrictEqual(seen.json.sections.map(({ itemCount }: any) => itemCount), [0])
  }, 60_000)
})
