import { createHash, randomFillSync } from "node:crypto"
import { PNG } from "pngjs"
import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { documentOf, download, release, sign, signed, upload } from "./Releases.ts"

const { service } = await openApp()

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

const readiness = async () => {
  const answer = await call(service, "GET", "/api/veteran/me/roi/readiness", { headers: veteran.headers })
  assert.strictEqual(answer.status, 200)
  return answer.json
}

describe("GET /api/veteran/{veteranId}/roi/readiness", () => {
  test("requires no confirmation if conditions and medications are complete, even if other types are not", async () => {
    assert.deepStrictEqual(await readiness(), { confirmationRequired: false, incomplete: [] })
    await sync(service, veteran, { Condition: "complete", MedicationRequest: "empty", Observation: "partial" })
    assert.deepStrictEqual(await readiness(), { confirmationRequired: false, incomplete: [] })
  })

  test("names Condition and MedicationRequest if their last fetch was not complete", async () => {
    await sync(service, veteran, { Condition: "complete", MedicationRequest: "unavailable" })
    await sync(service, veteran, { Condition: "partial" })
    assert.deepStrictEqual(await readiness(), {
      confirmationRequired: true,
      incomplete: [
        { resourceType: "Condition", state: "stale", lastFetch: "partial" },
        { resourceType: "MedicationRequest", state: "unknown", lastFetch: "unavailable" }
      ]
    })
  })
})

describe("POST /api/veteran/{veteranId}/roi", () => {
  test("answers with the signed document, which is in force as long as the release says", async () => {
    await sync(service, veteran, { Condition: "complete", MedicationRequest: "empty" }, {
      Condition: [resource("Condition", "one")]
    })
    const { document, warnings } = await signed(service, veteran, {
      expiration: { date: "2026-12-31" },
      recipient: {
        name: "Dr. Ada Gray",
        email: "ada@clinic.example"
      }
    })
    const { byteSize, createdAt, id, release: { authorizationSha256 }, sha256, signedAt } = document
    assert.deepStrictEqual(document, {
      id,
      kind: "roi",
      title: "Release of information to Dr. Ada Gray",
      contentType: "application/pdf",
      byteSize,
      sha256,
      createdAt,
      signedAt,
      release: {
        status: "in_force",
        endsAt: "2027-01-01T00:00:00.000Z",
        revokedAt: null,
        supersededBy: null,
        authorizationSha256
      }
    })
    assert.deepStrictEqual(warnings, [])
    assert.deepStrictEqual(await documentOf(service, veteran, id), document)
    const file = await download(service, veteran, `/api/veteran/me/documents/${id}/content`)
    assert.deepStrictEqual(
      [file.bytes.length, createHash("sha256").update(file.bytes).digest("hex")],
      [byteSize, sha256]
    )
    assert.strictEqual(file.bytes.toString("latin1", 0, 5), "%PDF-")
  })

  test("reports all problems together, with the legal rules that they break, and stores nothing", async () => {
    const answer = await sign(service, veteran, {
      recipient: { name: "Dr. Gray" },
      purpose: { code: "other" },
      expiration: {},
      statementsAccepted: false,
      extra: true
    })
    assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"])
    assert.deepStrictEqual(answer.json.issues, [
      { path: ["extra"], message: "Expected no excess property" },
      { path: ["recipient", "email"], message: "45 CFR 164.508(c)(1)(iii), 38 CFR 1.475(a)(2): Missing key" },
      { path: ["statementsAccepted"], message: "45 CFR 164.508(c)(2)(i)–(iii), (c)(4): Expected true" },
      {
        path: ["purpose", "text"],
        message: "45 CFR 164.508(c)(1)(iv), 38 CFR 1.475(a)(4): Expected text for the purpose 'other'"
      },
      {
        path: ["expiration"],
        message: "45 CFR 164.508(c)(1)(v), 38 CFR 1.475(a)(9): Expected either a date or an event"
      }
    ])
    const list = await call(service, "GET", "/api/veteran/me/documents", { headers: veteran.headers })
    assert.deepStrictEqual(list.json.items, [])
  })

  test("warns of an incomplete record, and signs nevertheless", async () => {
    await sync(service, veteran, { Condition: "complete", MedicationRequest: "partial", Observation: "partial" })
    await sync(service, veteran, { Condition: "unavailable" })
    const { document, warnings } = await signed(service, veteran, {
      information: { resourceTypes: ["Condition", "MedicationRequest", "Immunization"] }
    })
    assert.strictEqual(document.release.status, "in_force")
    assert.deepStrictEqual(warnings, [
      {
        resourceType: "Condition",
        state: "stale",
        lastFetch: "unavailable",
        message: "Condition: the data shown comes from the last complete sync; the most recent fetch was incomplete."
      },
      {
        resourceType: "MedicationRequest",
        state: "partial",
        lastFetch: "partial",
        message: "MedicationRequest: the record is incomplete because some upstream data could not be loaded."
      },
      { resourceType: "Immunization", state: "unknown", lastFetch: null, message: "Immunization: could not be loaded." }
    ])
  })

  const differs = {
    code: "person_differs",
    message: "The record has another name or birth date than the authorization. Check whose record it is."
  }

  const person = (id: string, name: string, birthDate: string, more: object = {}) =>
    JSON.stringify({ ...JSON.parse(resource("Patient", id, more)), name: [{ text: name }], birthDate })

  const information = { resourceTypes: ["Patient"] }

  test.each([
    ["Sean O'Hara", "1962-03-04", []],
    ["O’HARA, Seán", "1962-03", []],
    ["Peter James Chalmers", "1962-03-04", [differs]],
    ["Sean O'Hara", "1974-12-25", [differs]]
  ])(
    "warns of the record of another person, and signs nevertheless: %s, born %s",
    async (text, birthDate, expected) => {
      await sync(service, veteran, { Patient: "complete" }, { Patient: [person("p", text, birthDate)] })
      const { document, warnings } = await signed(service, veteran, { information })
      assert.strictEqual(document.release.status, "in_force")
      assert.deepStrictEqual(warnings, expected)
    }
  )

  test("does not warn of another person's Patient that is withheld or not chosen", async () => {
    const withheld = person("w", "Jane Roe", "1962-03-04", { categories: ["hiv"] })
    await sync(service, veteran, { Patient: "complete", Condition: "complete" }, {
      Patient: [person("p", "Sean O'Hara", "1962-03-04"), withheld]
    })
    assert.deepStrictEqual((await signed(service, veteran, { information })).warnings, [])
    await sync(service, veteran, { Patient: "complete" }, { Patient: [person("p", "Jane Roe", "1962-03-04")] })
    const others = { information: { resourceTypes: ["Condition"] } }
    assert.deepStrictEqual((await signed(service, veteran, others)).warnings, [])
  })

  test("accepts only documents that the veteran uploaded", async () => {
    const own = (await upload(service, veteran, "text")).json.id
    const others = (await upload(service, await signInVeteran(service), "text")).json.id
    const roi =
      (await signed(service, veteran, { information: { resourceTypes: ["Condition"], documentIds: [own] } })).document
        .id
    for (const id of [others, roi]) {
      const information = { resourceTypes: ["Condition"], documentIds: [own, id] }
      assert.deepStrictEqual((await sign(service, veteran, { information })).json.issues, [{
        path: ["information", "documentIds", 1],
        message: "45 CFR 164.508(c)(1)(i), 38 CFR 1.475(a)(5): Expected a document that you uploaded"
      }])
    }
  })

  test("ends a release after 12 months if the veteran chose an event as its end", async () => {
    const { document: { release: { endsAt }, signedAt } } = await signed(service, veteran, {
      expiration: { event: "The claim is decided" }
    })
    const end = new Date(signedAt)
    end.setUTCFullYear(end.getUTCFullYear() + 1)
    assert.strictEqual(endsAt.slice(0, 10), end.toISOString().slice(0, 10))
  })

  test("accepts a drawn signature of almost 200 kB and draws it", async () => {
    const png = new PNG({ width: 220, height: 220 })
    randomFillSync(png.data)
    const drawnPng = PNG.sync.write(png).toString("base64")
    assert.isAbove(drawnPng.length, 250_000)
    const { document } = await signed(service, veteran, { signature: { ...release().signature, drawnPng } })
    const file = await download(service, veteran, `/api/veteran/me/documents/${document.id}/content`)
    assert.match(file.bytes.toString("latin1"), /\/Subtype\/Image\/Width 220\/Height 220/)
  })

  test("accepts names with accents, quotation marks, markup or 10,000 letters", async () => {
    for (const name of ["O'Hara <b>Guzmán</b> Nguyễn Văn Ả )\\(", "W".repeat(10_000)]) {
      const { document } = await signed(service, veteran, {
        veteran: { fullName: name, dateOfBirth: "1962-03-04" },
        recipient: { name, email: "a@b.example" },
        signature: { typedName: name, consentToElectronicSignature: true, signerRole: "veteran" }
      })
      assert.strictEqual(document.title, `Release of information to ${name}`.slice(0, 255))
    }
  })
})

describe.each(["roi", "roi/preview"])("POST /api/veteran/{veteranId}/%s", (route) => {
  const drawn = { ...release().signature, drawnPng: "A".repeat(200_000) }
  const extra = (length: number) => release({ extra: "x".repeat(length) })
  const otherPurpose = (length: number) => release({ purpose: { code: "other", text: "x".repeat(length) } })

  test("accepts 64 kB of JSON beside the drawn signature, and checks a body as any other route does", async () => {
    for (
      const [body, expected, type = "application/json"] of [
        ["{", "400 invalid_json"],
        ["", "400 invalid_json"],
        ["[1,]", "400 invalid_json"],
        ["\ufeff{}", "400 invalid_json"],
        ["[]", "400 invalid_request"],
        ["null", "400 invalid_request"],
        [release(), "415 unsupported_media_type", "text/plain"],
        [{ ...extra(60_000), signature: drawn }, "400 invalid_request"],
        [{ ...extra(66_000), signature: drawn }, "413 payload_too_large"],
        [extra(66_000), "413 payload_too_large"],
        [release({ drawnPng: drawn.drawnPng }), "413 payload_too_large"],
        [otherPurpose(65_536), "413 payload_too_large"],
        [otherPurpose(400_000), "413 payload_too_large"]
      ] as const
    ) {
      // Each body is another veteran's, because one veteran may ask for ten previews.
      const { headers } = await signInVeteran(service)
      const { json, status } = await call(service, "POST", `/api/veteran/me/${route}`, {
        headers: { ...headers, "content-type": type },
        body
      })
      assert.strictEqual(`${status} ${json.error}`, expected)
    }
  })
})
