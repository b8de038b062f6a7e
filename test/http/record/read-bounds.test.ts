import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { giveGrant, signInVeteran } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { readRecord, sync } from "../../support/Sync.ts"
import { readPatientRecord } from "../Sharing.ts"
import { coded, condition, every } from "./ReadBounds.ts"

// The service does not read a code, system or reference of more than 4,096 characters. What is not read may be
// protected, so its item gets all categories.

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

describe("An item with a code, system or reference longer than the service reads", () => {
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

  test("is kept as it was sent, and shown only to a provider with all categories", async () => {
    const veteran = await signInVeteran(service)
    await sync(service, veteran, { Condition: "complete" }, { Condition: texts })
    const { items } = await readRecord(service, veteran)
    assert.sameMembers(items.map(({ text }) => text), texts)
    for (const { fhirId, sensitiveCategories } of items) {
      assert.deepStrictEqual(sensitiveCategories, fhirId in beyond ? every : [], fhirId)
    }
    for (const sensitiveCategories of [[], every.slice(1), every]) {
      const provider = await newProvider(superuser)
      await giveGrant(service, veteran, provider, { sensitiveCategories })
      const { json } = await readPatientRecord(service, provider, veteran)
      assert.sameMembers(
        json.sections.flatMap(({ items }: any) => items.map((item: any) => item.fhirId)),
        Object.keys(sensitiveCategories === every ? { ...atBound, ...beyond } : atBound)
      )
    }
  })

  test("has over 4,096 characters in that member: exactly 4,096 are all read", async () => {
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
})
