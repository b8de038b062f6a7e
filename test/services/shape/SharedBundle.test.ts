import { Effect, Stream } from "effect"
import { compactVerify, importX509 } from "jose"
import { createHash, X509Certificate } from "node:crypto"
import { assert, describe, test } from "vitest"
import { madePatient } from "../../../src/domain/fhir/Patient.ts"
import type { DocumentId, VeteranId } from "../../../src/domain/Id.ts"
import { recordBundle } from "../../../src/services/release/RecordBundle.ts"
import { makeSubjects } from "../../../src/services/release/RecordSubject.ts"
import type { SignedAuthorization } from "../../../src/services/release/SignedAuthorization.ts"
import { bundlePieces, contentOf, sizeOf } from "../../../src/services/shape/BundlePieces.ts"
import { detachedSignature } from "../../../src/services/shape/DetachedSignature.ts"
import { type DocumentCopy, sharedEntries } from "../../../src/services/shape/SharedEntries.ts"
import { entriesWithout, rangeOf, readSnapshot } from "../../../src/services/shape/Snapshot.ts"
import { release } from "../../http/release/Releases.ts"
import { makeIdentity } from "../pdf/Pdf.ts"
import { assertValid, assertValidBundle, objections } from "./Judges.ts"

const documentId = "01234567-89ab-7def-8123-456789abcdef" as DocumentId

const veteranId = "11111111-89ab-7def-8123-456789abcdef" as VeteranId

const uploadId = "22222222-89ab-7def-8123-456789abcdef" as DocumentId

const base = "https://records.example"

const fhir = `${base}/api/fhir/R4`

const signedAt = "2026-11-22T10:00:00.000Z"

const text = (resourceType: string, id: string, members: object = {}) =>
  `{ "resourceType":"${resourceType}","id" : "${id}", "é":1.00,"x":"}]\\"{[\\\\"${
    Object.keys(members).length === 0 ? "" : `,${JSON.stringify(members).slice(1, -1)}`
  }}`

const pdf = Buffer.from("%PDF-1.7 a sealed copy, not a whole number of threes")

const letter = Buffer.from("a letter")

const inPieces = (bytes: Buffer, size: number) =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size))
  )

const snapshotOf = async (texts: ReadonlyArray<string>, { isOld, veteran }: {
  readonly isOld: boolean
  readonly veteran: SignedAuthorization["veteran"]
}) => {
  const pieces: Array<Uint8Array> = []
  const items = texts.map((json) => ({
    json,
    resourceType: JSON.parse(json).resourceType,
    fhirId: JSON.parse(json).id
  }))
  const subjects = makeSubjects()
  for (const json of texts) subjects.add(JSON.parse(json))
  const frame = { documentId, signedAt, base, person: { ...veteran, id: veteranId }, subject: subjects.one() }
  for await (const piece of recordBundle(frame, items, async ({ json }) => Buffer.from(json), true)) pieces.push(piece)
  const bundle = Buffer.concat(pieces).toString()
  if (!isOld) return Buffer.from(bundle)
  const fullUrl = frame.subject ?? `${fhir}/Patient/${veteranId}`
  const made = JSON.stringify({ fullUrl, resource: madePatient(frame.person) })
  return Buffer.from(bundle.replace(`${made},`, "").replace(made, "").replace(",\"entry\":[]", ""))
}

const authorizationOf = (changes: object = {}) =>
  ({
    ...release({
      recipient: { name: "Dr. Ada Gray", organization: "Gray Clinic", email: "ada@clinic.example", npi: "1234567893" }
    }),
    documentId,
    signedAt,
    endsAt: "2026-12-22T10:00:00.000Z",
    information: {
      resourceTypes: ["Condition", "Patient"],
      dateFrom: "2020-01-01",
      dateTo: null,
      documents: [{ id: uploadId, title: "letter.txt", contentType: "text/plain", byteSize: letter.length, sha256: "" }]
    },
    ...changes
  }) as unknown as SignedAuthorization

interface Options {
  readonly texts?: ReadonlyArray<string>
  readonly copy?: DocumentCopy
  readonly changes?: object
  readonly chunk?: number
  readonly status?: "in_force" | "revoked"
  readonly leafHash?: string
  readonly isDeleted?: boolean
  /** The release was signed when `record.fhir.json` did not yet begin with a Patient that is made. */
  readonly isOld?: boolean
}

/** Makes a bundle of exact texts, and checks that it has the size that was told. */
const bundleOf = async (
  {
    changes = {},
    chunk = 1000,
    copy = "recipient",
    isDeleted,
    isOld = false,
    leafHash,
    status = "in_force",
    texts = []
  }: Options
) => {
  const authorization = authorizationOf(changes)
  const stored = await snapshotOf(texts, { isOld, veteran: authorization.veteran })
  const snapshot = await Effect.runPromise(readSnapshot(inPieces(stored, chunk), authorization.veteran))
  const entries = sharedEntries({
    copy,
    publicUrl: base,
    veteranId,
    authorization,
    sha256: "ab".repeat(32),
    status,
    leafHash,
    signature: { jws: "e30..c2ln", when: signedAt },
    pdf: { byteSize: pdf.length, content: inPieces(pdf, 7) },
    snapshot,
    patient: snapshot.patient && (snapshot.patient.entry ?? rangeOf(inPieces(stored, chunk), snapshot.patient)),
    rest: entriesWithout(inPieces(stored, chunk), snapshot.entries, snapshot.patient),
    uploads: isDeleted ? [] : [{
      id: uploadId,
      stored: { byteSize: letter.length, content: inPieces(letter, 3), createdAt: new Date(signedAt) }
    }]
  })
  const pieces = bundlePieces({ id: documentId, timestamp: signedAt }, entries)
  const bytes = Buffer.concat(await Effect.runPromise(Stream.runCollect(contentOf(pieces))))
  assert.strictEqual(bytes.length, sizeOf(pieces))
  return bytes.toString()
}

const shapeOf = (bundle: string, type: string) =>
  JSON.parse(bundle).entry.map(({ resource }: any) => resource).find((one: any) => one.resourceType === type)

const problems = ["c", "a", "b"].map((id) => text("Condition", id))

const sean = text("Patient", "p", { name: [{ text: "Sean O'Hara" }], birthDate: "1962-03-04" })

describe("A shared bundle", () => {
  test("begins with a Patient of the authorization if none is released, and every shape is valid", async () => {
    const bundle = await bundleOf({ texts: problems })
    assert.deepStrictEqual(JSON.parse(bundle).entry.map(({ fullUrl }: any) => fullUrl), [
      `${fhir}/Patient/${veteranId}`,
      `${fhir}/DocumentReference/${documentId}`,
      `${fhir}/Consent/${documentId}`,
      `${fhir}/Provenance/${documentId}`,
      `${fhir}/Organization/veteran-records`,
      `${fhir}/Organization/${documentId}`,
      `${fhir}/Condition/a`,
      `${fhir}/Condition/b`,
      `${fhir}/Condition/c`,
      `${fhir}/DocumentReference/${uploadId}`
    ])
    assert.deepStrictEqual(shapeOf(bundle, "Patient"), {
      resourceType: "Patient",
      id: veteranId,
      meta: { tag: [{ code: "generated", display: "Generated from the signed authorization" }] },
      name: [{ use: "official", text: "Sean O'Hara" }],
      birthDate: "1962-03-04"
    })
    for (const exact of problems) assert.include(bundle, `"resource":${exact}}`)
    assert.lengthOf(assertValidBundle(bundle, problems), 7)
  })

  test.each([["first", ["Zed"]], ["last", ["Condition"]], ["between", ["Condition", "Zed"]], ["alone", []]] as const)(
    "has a released Patient once and first, exact, if it stands %s in the record",
    async (_, others) => {
      const texts = [sean, ...others.map((type) => text(type, "x"))]
      const bundle = await bundleOf({ texts })
      const { entry } = JSON.parse(bundle)
      assert.strictEqual(entry[0].fullUrl, `${fhir}/Patient/p`)
      assert.deepStrictEqual(shapeOf(bundle, "DocumentReference").subject, { reference: `${fhir}/Patient/p` })
      assert.lengthOf(entry.filter(({ resource }: any) => resource.resourceType === "Patient"), 1)
      assert.lengthOf(entry, 7 + others.length)
      for (const exact of texts) assert.strictEqual(bundle.split(`"resource":${exact}}`).length, 2)
    }
  )

  test("is the same for a release whose record does not begin with a Patient yet", async () => {
    const reference = "https://sandbox-api.va.gov/services/fhir/v0/r4/Patient/1012845331V153043"
    const about = ["b", "a"].map((id) => text("Condition", id, { subject: { reference } }))
    for (const texts of [problems, about, [], [sean, ...problems]]) {
      assert.strictEqual(await bundleOf({ texts, isOld: true }), await bundleOf({ texts }))
    }
  })

  test("is the same however its record arrives in pieces", async () => {
    const texts = [...problems, sean, text("Zed", "z")]
    const whole = await bundleOf({ texts, chunk: 100_000 })
    for (const chunk of [1, 2, 3, 17, 64]) assert.strictEqual(await bundleOf({ texts, chunk }), whole)
  })

  test("refers to the Patient by the UUID that released texts use", async () => {
    const id = "6fd5ad05-0d80-4a1a-9e1b-1c2f1b3f7a01"
    const patient = text("Patient", id, { name: [{ text: "Sean O'Hara" }] })
    const bundle = await bundleOf({
      texts: [patient, text("Condition", "a", { subject: { reference: `urn:uuid:${id}` } })]
    })
    assert.strictEqual(JSON.parse(bundle).entry[0].fullUrl, `urn:uuid:${id}`)
    assert.deepStrictEqual(shapeOf(bundle, "Consent").patient, { reference: `urn:uuid:${id}` })
  })

  test.each([
    ["p", 200_000],
    ["6fd5ad05-0d80-4a1a-9e1b-1c2f1b3f7a01", 200_000],
    ["p", 3_000_000],
    ["6fd5ad05-0d80-4a1a-9e1b-1c2f1b3f7a01", 3_000_000]
  ])(
    "finds a released Patient with a picture (%s, %i bytes)",
    async (id, size) => {
      const photo = [{ contentType: "image/png", data: "A".repeat(size) }]
      const patient = text("Patient", id, { name: [{ text: "Sean O'Hara" }], photo })
      const texts = [patient, text("Condition", "a", { subject: { reference: `urn:uuid:${id}` }, note: photo })]
      const bundle = await bundleOf({ texts, chunk: 2_000_000 })
      const { entry } = JSON.parse(bundle)
      assert.lengthOf(entry, 8)
      assert.strictEqual(entry[0].resource.id, id)
      for (const exact of texts) assert.strictEqual(bundle.split(`"resource":${exact}}`).length, 2)
      assert.strictEqual(await bundleOf({ texts, chunk: 65_536 }), bundle)
    }
  )

  test("gives the Patient that it makes the address that every released text is about", async () => {
    const address = "https://sandbox-api.va.gov/services/fhir/v0/r4/Patient/1012845331V153043"
    const about = (id: string, reference: string, member = "subject") =>
      text("Condition", id, { [member]: { reference } })
    const urlOf = async (...texts: ReadonlyArray<string>) => {
      const { entry } = JSON.parse(await bundleOf({ texts }))
      assert.strictEqual(entry[0].resource.id, veteranId)
      assert.deepStrictEqual(entry[2].resource.patient, { reference: entry[0].fullUrl })
      return entry[0].fullUrl
    }
    const made = `${fhir}/Patient/${veteranId}`
    assert.strictEqual(await urlOf(about("a", address), about("b", address), text("Zed", "z")), address)
    assert.strictEqual(await urlOf(about("a", address, "patient")), address)
    assert.strictEqual(await urlOf(about("a", address), about("b", "Patient/x", "patient")), address)
    assert.strictEqual(await urlOf(about("a", address), about("b", "https://other.example/Patient/1")), made)
    assert.strictEqual(await urlOf(about("a", address), about("b", "Patient/x")), made)
    assert.strictEqual(await urlOf(about("a", "Patient/x"), about("b", "Patient/x")), made)
    assert.strictEqual(await urlOf(about("a", `${address}/_history/2`)), made)
    assert.strictEqual(await urlOf(about("a", "https://other.example/Group/1")), made)
  })

  test("takes, of several released Patients, the one that the authorization names", async () => {
    const other = text("Patient", "a", { name: [{ text: "Ada Lovelace" }], birthDate: "1815-12-10" })
    const { entry } = JSON.parse(await bundleOf({ texts: [other, sean] }))
    assert.strictEqual(entry[0].fullUrl, `${fhir}/Patient/p`)
    assert.deepStrictEqual(entry[6].resource.id, "a")
  })

  test("has no two entries of one URL, even if released resources have the service's ids", async () => {
    const texts = [
      text("Consent", documentId),
      text("Consent", `${documentId}.1`),
      text("DocumentReference", uploadId),
      text("Organization", "veteran-records")
    ]
    const { entry } = JSON.parse(await bundleOf({ texts }))
    const urls = entry.map(({ fullUrl }: any) => fullUrl)
    assert.lengthOf(new Set(urls), urls.length)
    assert.include(urls, `${fhir}/Consent/${documentId}.2`)
    for (const { fullUrl, resource } of entry) {
      assert.strictEqual(fullUrl, `${fhir}/${resource.resourceType}/${resource.id}`)
    }
  })

  test("carries the sealed copy and the documents with their sizes and SHA-1", async () => {
    const { entry } = JSON.parse(await bundleOf({ texts: problems }))
    const sha1 = (bytes: Buffer) => createHash("sha1").update(bytes).digest("base64")
    assert.deepStrictEqual(entry[1].resource.content, [{
      attachment: {
        contentType: "application/pdf",
        title: "release.pdf",
        size: pdf.length,
        creation: signedAt,
        data: pdf.toString("base64"),
        hash: sha1(pdf)
      }
    }])
    assert.deepStrictEqual(entry.at(-1).resource.content, [{
      attachment: {
        contentType: "text/plain",
        title: "letter.txt",
        size: letter.length,
        creation: signedAt,
        data: letter.toString("base64"),
        hash: sha1(letter)
      }
    }])
  })

  test("still names a document that was deleted since", async () => {
    const bundle = await bundleOf({ isDeleted: true })
    assert.deepStrictEqual(JSON.parse(bundle).entry.at(-1).resource.content, [{
      attachment: { contentType: "text/plain", title: "letter.txt", size: letter.length }
    }])
    assertValidBundle(bundle, [])
  })
})

const hl7 = "http://terminology.hl7.org/CodeSystem"

const coding = (system: string, code: string, display: string) => ({ system, code, display })

describe("The consent of a release", () => {
  const accepted = (...categories: ReadonlyArray<string>) => ({
    sensitiveCategories: categories.map((category) => ({ category, acceptedAt: signedAt }))
  })

  test("says exactly what was permitted", async () => {
    const bundle = await bundleOf({ changes: accepted("alcohol_abuse", "hiv"), leafHash: "cd".repeat(32) })
    assert.deepStrictEqual(shapeOf(bundle, "Consent"), {
      resourceType: "Consent",
      id: documentId,
      status: "active",
      scope: { coding: [coding(`${hl7}/consentscope`, "patient-privacy", "Privacy Consent")] },
      category: [
        { coding: [coding(`${hl7}/v3-ActCode`, "IDSCL", "information disclosure")] },
        { coding: [coding("http://loinc.org", "64292-6", "Release of information consent")] }
      ],
      patient: { reference: `${fhir}/Patient/${veteranId}` },
      dateTime: signedAt,
      performer: [{ reference: `${fhir}/Patient/${veteranId}` }],
      organization: [{ reference: `${fhir}/Organization/veteran-records` }],
      sourceReference: { reference: `${fhir}/DocumentReference/${documentId}` },
      policyRule: {
        coding: [
          { system: `${hl7}/consentpolicycodes`, code: "va-10-5345" },
          { system: `${hl7}/consentpolicycodes`, code: "hipaa-auth" }
        ]
      },
      provision: {
        type: "permit",
        period: { start: signedAt, end: "2026-12-22T10:00:00.000Z" },
        actor: [
          {
            role: { coding: [coding(`${hl7}/v3-ParticipationType`, "IRCP", "information recipient")] },
            reference: { reference: `${fhir}/Organization/${documentId}` }
          },
          {
            role: { coding: [coding(`${hl7}/v3-ParticipationType`, "CST", "custodian")] },
            reference: { reference: `${fhir}/Organization/veteran-records` }
          }
        ],
        action: [{ coding: [coding(`${hl7}/consentaction`, "disclose", "Disclose")] }],
        securityLabel: [
          coding(`${hl7}/v3-ActCode`, "ETHUD", "alcohol substance abuse information sensitivity"),
          coding(`${hl7}/v3-ActCode`, "HIV", "HIV/AIDS information sensitivity")
        ],
        purpose: [coding(`${hl7}/v3-ActReason`, "TREAT", "treatment")],
        class: [
          { system: "http://hl7.org/fhir/resource-types", code: "Condition" },
          { system: "http://hl7.org/fhir/resource-types", code: "Patient" }
        ],
        dataPeriod: { start: "2020-01-01" }
      }
    })
    assert.deepStrictEqual(shapeOf(bundle, "Provenance").entity, [
      {
        role: "source",
        what: {
          identifier: { system: "urn:oid:2.16.840.1.101.3.4.2.1", value: "ab".repeat(32) },
          display: "SHA-256 of the canonical authorization"
        }
      },
      {
        role: "source",
        what: {
          identifier: { system: "urn:ietf:rfc:6962", value: "cd".repeat(32) },
          display: "Leaf hash in the account of disclosures"
        }
      }
    ])
    assertValidBundle(bundle, [])
  })

  test("is inactive once the release has ended", async () => {
    assert.strictEqual(shapeOf(await bundleOf({ status: "revoked" }), "Consent").status, "inactive")
  })

  test("names what is refused only in the veteran's copy", async () => {
    const deniedIn = async (copy: DocumentCopy, ...categories: ReadonlyArray<string>) => {
      const bundle = await bundleOf({ copy, changes: accepted(...categories) })
      assertValidBundle(bundle, [])
      return shapeOf(bundle, "Consent").provision.provision?.map(({ securityLabel, type }: any) => [
        type,
        ...securityLabel.map(({ code }: any) => code)
      ])
    }
    assert.deepStrictEqual(await deniedIn("veteran", "hiv"), [["deny", "SUD", "ETHUD", "SICKLE"]])
    assert.deepStrictEqual(await deniedIn("veteran"), [["deny", "SUD", "ETHUD", "HIV", "SICKLE"]])
    assert.isUndefined(await deniedIn("veteran", "drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"))
    assert.isUndefined(await deniedIn("recipient", "hiv"))
    assert.isUndefined(await deniedIn("recipient"))
    assert.notProperty(shapeOf(await bundleOf({}), "Consent").provision, "securityLabel")
  })

  test.each([["treatment", "TREAT"], ["benefits", "COVERAGE"], ["legal", "HLEGAL"], ["employment", "PATRQT"], [
    "insurance",
    "PATRQT"
  ], ["personal", "PATRQT"], ["individual_request", "PATRQT"], ["other", "PATRQT"]])(
    "translates the purpose %s",
    async (code, expected) => {
      const bundle = await bundleOf({ changes: { purpose: { code } } })
      assert.strictEqual(shapeOf(bundle, "Consent").provision.purpose[0].code, expected)
    }
  )
})

describe("The judges", () => {
  test("refuse a spoilt Consent", async () => {
    const consent = shapeOf(await bundleOf({}), "Consent")
    assertValid(consent)
    for (const spoilt of [{ scope: undefined }, { status: "valid" }]) {
      const found = objections(JSON.parse(JSON.stringify({ ...consent, ...spoilt })))
      assert.isNotEmpty([...found.medplum, ...found.fhir], JSON.stringify(spoilt))
    }
    const { scope: _, ...without } = consent
    const found = objections(without)
    assert.isNotEmpty(found.medplum)
    assert.isNotEmpty(found.fhir)
  })
})

describe("The signature", () => {
  test.each(["ec", "rsa"] as const)(
    "is a detached JWS of the hash that the certificate verifies (%s)",
    async (keyType) => {
      const identity = await makeIdentity(keyType)
      const certificate = new X509Certificate(identity.certificates[0]!)
      const payload = createHash("sha256").update("the authorization").digest()
      const jws = await Effect.runPromise(detachedSignature(identity, payload))
      const [head, middle, signature] = jws.split(".")
      assert.strictEqual(middle, "")
      const alg = keyType === "ec" ? "ES256" : "RS256"
      const { protectedHeader } = await compactVerify(
        `${head}.${payload.toString("base64url")}.${signature}`,
        await importX509(certificate.toString(), alg)
      )
      assert.deepStrictEqual(protectedHeader, { alg, x5c: [certificate.raw.toString("base64")] })
    }
  )
})
