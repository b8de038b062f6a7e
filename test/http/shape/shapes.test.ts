import { compactVerify, importX509 } from "jose"
import { createHash, randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { assert, beforeEach, describe, test } from "vitest"
import { assertValid, assertValidBundle } from "../../services/shape/Judges.ts"
import {
  type Answer,
  call,
  giveGrant,
  type SignedIn,
  signInProvider,
  signInVeteran,
  told
} from "../../support/Client.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { resource, sync, type Texts } from "../../support/Sync.ts"
import { connectApp, get } from "../fhir/Apps.ts"
import { readAccount } from "../ledger/Account.ts"
import { drain, proofOf } from "../ledger/Drained.ts"
import { createLink, verified, view } from "../link/Links.ts"
import { download, revokeRelease, signed, upload } from "../release/Releases.ts"
import { readPatientRecord, revoke } from "../Sharing.ts"

const { database, service } = await openJudgedApp()

const owner = await database.connect("owner")

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

const shape = (path: string, who: Pick<SignedIn, "headers"> = veteran) =>
  call(service, "GET", `/api/veteran/me${path}`, { headers: who.headers })

const texts: Texts = {
  Condition: [
    `{ "resourceType": "Condition", "id": "c1", "subject": {"reference": "Patient/x"}, "é": 1.00 }`,
    resource("Condition", "c2", { categories: ["hiv"] })
  ],
  MedicationRequest: [resource("MedicationRequest", "m1")],
  Observation: [resource("Observation", "o1")]
}

const stored = (all: Texts = texts) =>
  sync(service, veteran, Object.fromEntries(Object.keys(all).map((type) => [type, "complete"])), all)

const ofType = (bundle: any, type: string) =>
  bundle.entry.map(({ resource }: any) => resource).filter((one: any) => one.resourceType === type)

const codesOf = (labels: ReadonlyArray<any> | undefined) => labels?.map(({ code }) => code)

describe("GET /api/veteran/{veteranId}/roi/{documentId}/fhir", () => {
  test("is the bundle of a release: the shapes, its record byte for byte, and its documents", async () => {
    await stored()
    const letter = await upload(service, veteran, "a letter", "letter.txt")
    const { document } = await signed(service, veteran, {
      information: { resourceTypes: ["Condition", "MedicationRequest"], documentIds: [letter.json.id] }
    })
    const answer = await shape(`/roi/${document.id}/fhir`)
    assert.strictEqual(answer.status, 200, answer.text)
    assert.strictEqual(answer.headers.get("content-type"), "application/fhir+json")
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")

    const record = await download(service, veteran, `/api/veteran/me/documents/${document.id}/record`)
    const [, made, snapshot] = /"entry":\[(.*?"birthDate":"1962-03-04"\}\},)(.*)\]\}$/s.exec(record.bytes.toString())!
    assert.include(answer.text, `"entry":[${made}`)
    assert.include(answer.text, `,${snapshot},`)
    const released = [texts["Condition"]![0]!, texts["MedicationRequest"]![0]!]
    const written = assertValidBundle(answer.text, released)
    assert.deepStrictEqual(written.map(({ resourceType }) => resourceType), ["Patient", "DocumentReference", "Consent",
      "Provenance", "Organization", "Organization", "DocumentReference"])
    assert.notInclude(answer.text, "\"c2\"")

    const { entry, type } = answer.json
    assert.strictEqual(type, "collection")
    assert.deepStrictEqual(
      entry.map(({ resource }: any) => `${resource.resourceType}/${resource.id}`),
      [
        `Patient/${veteran.id}`,
        `DocumentReference/${document.id}`,
        `Consent/${document.id}`,
        `Provenance/${document.id}`,
        "Organization/veteran-records",
        `Organization/${document.id}`,
        "Condition/c1",
        "MedicationRequest/m1",
        `DocumentReference/${letter.json.id}`
      ]
    )
    const { attachment } = entry[1].resource.content[0]
    const copy = Buffer.from(attachment.data, "base64")
    assert.strictEqual(createHash("sha256").update(copy).digest("hex"), document.sha256)
    assert.deepStrictEqual(
      [attachment.size, attachment.hash],
      [document.byteSize, createHash("sha1").update(copy).digest("base64")]
    )
    assert.strictEqual(Buffer.from(entry.at(-1).resource.content[0].attachment.data, "base64").toString(), "a letter")
    assert.deepStrictEqual(codesOf(entry[2].resource.provision.provision[0].securityLabel), ["SUD", "ETHUD", "HIV",
      "SICKLE"])
  })

  test("has a signature of the canonical authorization that the seal's certificate verifies", async () => {
    const { document } = await signed(service, veteran)
    const [provenance] = ofType((await shape(`/roi/${document.id}/fhir`)).json, "Provenance")
    const { authorizationSha256 } = document.release
    assert.deepStrictEqual(provenance.entity.map(({ what }: any) => what.identifier.value), [authorizationSha256])
    const pem = await readFile(`${process.env["TEST_SIGNING"]}.crt`, "utf8")
    const [{ data, sigFormat, type }] = provenance.signature
    assert.deepStrictEqual([sigFormat, codesOf(type)], ["application/jose", ["1.2.840.10065.1.12.1.5"]])
    const [header, middle, value] = Buffer.from(data, "base64").toString().split(".")
    assert.strictEqual(middle, "")
    const payload = Buffer.from(authorizationSha256, "hex").toString("base64url")
    const { protectedHeader } = await compactVerify(`${header}.${payload}.${value}`, await importX509(pem, "ES256"))
    assert.strictEqual(protectedHeader.alg, "ES256")
  })

  test("names the leaf of the signing once it is in the tree", async () => {
    const { document } = await signed(service, veteran)
    await drain(service)
    const [provenance] = ofType((await shape(`/roi/${document.id}/fhir`)).json, "Provenance")
    assert.lengthOf(provenance.entity, 2)
    const { identifier } = provenance.entity[1].what
    const { items } = (await readAccount(service, veteran, `?kind=roi_signed&documentId=${document.id}`)).json
    const { json: proof } = await proofOf(service, veteran, items[0].id)
    const hash = createHash("sha256").update(Buffer.of(0)).update(proof.leaf).digest("hex")
    assert.deepStrictEqual(identifier, { system: "urn:ietf:rfc:6962", value: hash })
    assert.strictEqual(Buffer.from(proof.leafHash, "base64").toString("hex"), hash)
    assertValid(provenance)
  })

  test("is never of the live record, and says when the release has ended", async () => {
    await stored()
    const { document } = await signed(service, veteran)
    const path = `/roi/${document.id}/fhir`
    await stored({ Condition: [resource("Condition", "newer")], MedicationRequest: [] })
    const before = (await shape(path)).json
    assert.strictEqual((await revokeRelease(service, veteran, document.id)).status, 200)
    const after = (await shape(path)).json
    const idsOf = (bundle: any) => ofType(bundle, "Condition").map(({ id }: any) => id)
    assert.deepStrictEqual([idsOf(before), idsOf(after)], [["c1"], ["c1"]])
    assert.deepStrictEqual([before, after].map((bundle) => ofType(bundle, "Consent")[0].status), ["active", "inactive"])
  })

  test("is exported once in the account, with a plain sentence", async () => {
    const { document } = await signed(service, veteran)
    await shape(`/roi/${document.id}/fhir`)
    const { items } = (await readAccount(service, veteran, "?kind=shape_exported")).json
    assert.deepStrictEqual(items.map(({ at: _, id: __, treeIndex: ___, ...event }: any) => event), [{
      kind: "shape_exported",
      actor: { kind: "veteran", id: veteran.id, name: "Eagle" },
      summary: `You took “${document.title}” as FHIR data.`,
      documentId: document.id
    }])
  })

  test("is of releases only", async () => {
    const letter = await upload(service, veteran, "a letter")
    assert.deepStrictEqual(told(await shape(`/roi/${letter.json.id}/fhir`)), [404, "not_found"])
    assert.deepStrictEqual(told(await shape("/roi/readiness/fhir")), [400, "invalid_request"])
  })
})

describe("GET /api/veteran/{veteranId}/consent-grants/{grantId}/fhir", () => {
  test("is the Consent of a provider's grant", async () => {
    const provider = await signInProvider(service)
    const grant = await giveGrant(service, veteran, provider, {
      resourceTypes: ["Condition"],
      sensitiveCategories: ["drug_abuse"]
    })
    const answer = await shape(`/consent-grants/${grant.id}/fhir`)
    assert.strictEqual(answer.status, 200, answer.text)
    assert.strictEqual(answer.headers.get("content-type"), "application/fhir+json")
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    assertValid(answer.json)
    const { id, patient, provision, resourceType, sourceReference, status } = answer.json
    assert.deepStrictEqual({ id, patient, resourceType, sourceReference, status }, {
      resourceType: "Consent",
      id: grant.id,
      status: "active",
      patient: { reference: `Patient/${veteran.id}` },
      sourceReference: undefined
    })
    assert.deepStrictEqual(provision.period, { start: grant.grantedAt, end: grant.expiresAt })
    assert.deepStrictEqual(provision.actor[0].reference, {
      type: "Practitioner",
      identifier: { system: "urn:ietf:rfc:3986", value: `urn:uuid:${provider.id}` },
      display: "Dr. Ada Gray, Gray Clinic"
    })
    assert.deepStrictEqual(codesOf(provision.class), ["Condition"])
    assert.deepStrictEqual(codesOf(provision.securityLabel), ["SUD"])
    assert.deepStrictEqual(provision.provision.map(({ securityLabel, type }: any) => [type, codesOf(securityLabel)]), [
      ["deny", ["ETHUD", "HIV", "SICKLE"]]
    ])
    await revoke(service, veteran, grant)
    assert.strictEqual((await shape(`/consent-grants/${grant.id}/fhir`)).json.status, "inactive")
  })

  test("is the Consent of an app's grant to everything", async () => {
    const { clientId, grantId } = await connectApp(service, owner, veteran, {
      categories: ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"]
    })
    const { json, status } = await shape(`/consent-grants/${grantId}/fhir`)
    assert.strictEqual(status, 200)
    assertValid(json)
    assert.deepStrictEqual(json.provision.actor[0].reference, {
      type: "Device",
      identifier: { system: "urn:ietf:rfc:3986", value: `urn:uuid:${clientId}` },
      display: "App"
    })
    assert.notProperty(json.provision, "class")
    assert.notProperty(json.provision, "provision")
    assert.deepInclude((await readAccount(service, veteran, "?kind=shape_exported")).json.items[0], {
      summary: "You took a permission to read your record as FHIR data.",
      grantId
    })
  })
})

describe("GET /api/veteran/{veteranId}/disclosures/fhir", () => {
  /** A provider, an app and a recipient each see something, and the veteran themself too. */
  const disclosed = async () => {
    await stored()
    const provider = await signInProvider(service)
    const grant = await giveGrant(service, veteran, provider, { purpose: "To treat my knee" })
    await readPatientRecord(service, provider, veteran)
    const app = await connectApp(service, owner, veteran)
    await get(service, app, "/Condition")
    const { document } = await signed(service, veteran, { purpose: { code: "legal" } })
    const email = `jane.gray-${randomUUID()}@clinic.example`
    const link = await createLink(service, veteran, { documentId: document.id, recipientEmail: email })
    assert.strictEqual((await view(service, await verified(service, link))).status, 200)
    await download(service, veteran, `/api/veteran/me/documents/${document.id}/record`)
    return { app, document, email, grant, provider }
  }

  test("accounts for each disclosure: when, to whom, what and why", async () => {
    const { app, document, email, grant, provider } = await disclosed()
    const answer = await shape("/disclosures/fhir")
    assert.strictEqual(answer.status, 200, answer.text)
    assert.strictEqual(answer.headers.get("content-type"), "application/fhir+json")
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    assertValid(answer.json)
    assert.strictEqual(answer.json.type, "collection")
    const events = answer.json.entry.map(({ resource }: any) => resource)
    events.forEach(assertValid)
    assert.deepStrictEqual(events.map(({ subtype }: any) => subtype[0].code), ["link_viewed", "oauth_access_used",
      "record_viewed"])
    const told = events.map((
      { agent: [{ name, network, who }], entity: [{ what }], purposeOfEvent: [purpose] }: any
    ) => [
      name,
      network,
      who.identifier?.value,
      what.reference,
      purpose.coding[0].code,
      purpose.text
    ])
    assert.deepStrictEqual(told, [
      ["Jane Gray", { address: email, type: "4" }, undefined, `DocumentReference/${document.id}`, "HLEGAL", "Legal"],
      ["App", { address: "https://app.example/cb", type: "5" }, `urn:uuid:${app.clientId}`, `Consent/${app.grantId}`,
        "PATRQT", "An app that I connected"],
      ["Dr. Ada Gray, Gray Clinic", { address: provider.email, type: "4" }, `urn:uuid:${provider.id}`,
        `Consent/${grant.id}`, "PATRQT", "To treat my knee"]
    ])
    const { items } = (await readAccount(service, veteran, "?about=looks")).json
    const looks = items.filter(({ actor, kind }: any) => actor.kind !== "veteran" && kind !== "link_opened")
    assert.deepStrictEqual(
      events.map(({ entity, id, recorded }: any) => [id, recorded, entity[0].description, entity[1].what.reference]),
      looks.map(({ at, id, summary }: any) => [id, at, summary, `Patient/${veteran.id}`])
    )
    assert.isUndefined(events[0].entity[0].detail)
    await drain(service)
    const [first] = (await shape("/disclosures/fhir")).json.entry
    const { json: proof } = await proofOf(service, veteran, first.resource.id)
    assert.deepStrictEqual(first.resource.entity[0].detail, [
      { type: "leaf hash", valueString: Buffer.from(proof.leafHash, "base64").toString("hex") }
    ])
  })

  test("is read in pages, within a period", async () => {
    await disclosed()
    const all = (await shape("/disclosures/fhir")).json.entry.map(({ resource }: any) => resource.id)
    const read: Array<string> = []
    let path: string | undefined = "/api/veteran/me/disclosures/fhir?limit=2"
    for (let count = 0; path !== undefined; count++) {
      const page: Answer = await call(service, "GET", path, veteran)
      assertValid(page.json)
      const events = page.json.entry ?? []
      assert.isAtMost(events.length, 2)
      read.push(...events.map(({ resource }: any) => resource.id))
      const next: any = page.json.link?.find(({ relation }: any) => relation === "next")
      path = next && new URL(next.url).pathname + new URL(next.url).search
      assert.strictEqual(page.headers.get("link"), path === undefined ? null : `<${path}>; rel="next"`)
      assert.isBelow(count, 4)
    }
    assert.deepStrictEqual(read, all)
    const none = await shape("/disclosures/fhir?to=2020-01-01")
    assert.notProperty(none.json, "entry")
    assertValid(none.json)
    assert.lengthOf((await shape("/disclosures/fhir?from=2020-01-01")).json.entry, 3)
    for (const query of ["from=yesterday", "limit=201", "cursor=x", "kind=record_viewed"]) {
      assert.deepStrictEqual(told(await shape(`/disclosures/fhir?${query}`)), [400, "invalid_request"], query)
    }
  })
})
