import { assert, describe, test } from "vitest"
import { openJudgedApp } from "../../support/Prism.ts"
import { readAccount } from "../ledger/Account.ts"
import { connectApp, get, idsOf, syncAndConnect } from "./Apps.ts"
import { assertValid } from "./Judged.ts"

const { database, service } = await openJudgedApp()

const owner = await database.connect("owner")

const upstream = "https://va.example/services/fhir/v0/r4"

const hiv = { meta: { security: [{ system: "http://terminology.hl7.org/CodeSystem/v3-ActCode", code: "HIV" }] } }

const uuid = "574bdb19-1ad0-95c2-8378-0cc60dc5b1fc"

const item = (resourceType: string, id: string, members: object = {}) =>
  JSON.stringify({ resourceType, id, ...members })

const prescription = (id: string, reference: string, members = {}) =>
  item("MedicationRequest", id, { medicationReference: { reference }, ...members })

const provenance = (id: string, ...targets: ReadonlyArray<string>) =>
  item("Provenance", id, { target: targets.map((reference) => ({ reference })) })

const record = {
  Medication: [item("Medication", "m1"), item("Medication", "m2"), item("Medication", uuid), item("Medication", "m4")],
  MedicationRequest: [
    prescription("r1", "Medication/m1"),
    prescription("r2", `${upstream}/Medication/m2`),
    prescription("r3", `urn:uuid:${uuid}`),
    prescription("r4", "#contained", { contained: [{ resourceType: "Medication", id: "contained" }] }),
    prescription("r5", "Medication/gone", { note: [{ authorReference: { reference: "Medication/m4" } }] })
  ],
  Observation: [item("Observation", "o1"), item("Observation", "o2")],
  Provenance: [
    provenance("p1", "MedicationRequest/r1"),
    provenance("p2", "Observation/o1", `${upstream}/MedicationRequest/r2`),
    provenance("p3", "Observation/o2"),
    item("Provenance", "p4", { agent: [{ who: { reference: "MedicationRequest/r1" } }], target: [] })
  ]
}

/** The ids of the included resources, as `Type/id`. */
const included = ({ json }: { readonly json: any }): ReadonlyArray<string> =>
  (json.entry ?? []).filter(({ search }: any) => search.mode === "include")
    .map(({ resource: { id, resourceType } }: any) => `${resourceType}/${id}`)

const medication = "_include=MedicationRequest:medication"

const provenances = "_revinclude=Provenance:target"

describe("A search includes", async () => {
  const { app, veteran } = await syncAndConnect(service, owner, record)

  const of = async (path: string) => included(await get(service, app, path))

  test("the medications that its prescriptions refer to, relative, absolute or by URN", async () => {
    const answer = await get(service, app, `/MedicationRequest?${medication}`)
    assertValid(answer.json)
    assert.deepStrictEqual(idsOf(answer), ["r1", "r2", "r3", "r4", "r5"])
    assert.deepStrictEqual(included(answer), [`Medication/${uuid}`, "Medication/m1", "Medication/m2"])
    assert.strictEqual(answer.json.total, 5)
    assert.strictEqual(answer.json.entry[6].fullUrl, `${service.url}/api/fhir/R4/Medication/m1`)
    assert.deepStrictEqual(await of(`/MedicationRequest?${medication}:Medication&_id=r2`), ["Medication/m2"])
  })

  test("the Provenance that has a match as its target, and none that only mentions it", async () => {
    assert.deepStrictEqual(await of(`/MedicationRequest?${provenances}`), ["Provenance/p1", "Provenance/p2"])
    assert.deepStrictEqual(await of(`/Observation?${provenances}&_id=o2`), ["Provenance/p3"])
    assert.deepStrictEqual(
      await of(`/MedicationRequest?_id=r1&${provenances}&${medication}`),
      ["Provenance/p1", "Medication/m1"]
    )
  })

  test("for each page what the page's matches include", async () => {
    const first = await get(service, app, `/MedicationRequest?${provenances}&_count=1`)
    assert.deepStrictEqual([idsOf(first), included(first)], [["r1"], ["Provenance/p1"]])
    const next = first.json.link[1].url.slice(`${service.url}/api/fhir/R4`.length)
    assert.deepStrictEqual(included(await get(service, app, next)), ["Provenance/p2"])
    assert.deepStrictEqual(await of(`/MedicationRequest?${provenances}&_count=0`), [])
  })

  test("nothing for a value that is not known, and refuses it under strict handling", async () => {
    for (
      const value of ["_include=MedicationRequest:subject", "_include=*", "_include=", "_revinclude=AuditEvent:entity"]
    ) {
      const answer = await get(service, app, `/MedicationRequest?${value}`)
      assert.deepStrictEqual([answer.status, included(answer), answer.json.total], [200, [], 5])
      assert.strictEqual(answer.json.link[0].url, `${service.url}/api/fhir/R4/MedicationRequest`)
      const strict = await get(service, app, `/MedicationRequest?${value}`, { prefer: "handling=strict" })
      assert.strictEqual(strict.status, 400)
    }
    // A prescription's medication is no matter of another type.
    assert.deepStrictEqual(await of(`/Observation?${medication}`), [])
  })

  test("only types in the token's scopes", async () => {
    const narrow = await connectApp(service, owner, veteran, {
      scope: "patient/MedicationRequest.rs patient/Medication.r"
    })
    const answer = await get(service, narrow, `/MedicationRequest?${medication}&${provenances}`)
    assert.deepStrictEqual(included(answer), [`Medication/${uuid}`, "Medication/m1", "Medication/m2"])
    const { json: { items } } = await readAccount(service, veteran, "?kind=oauth_access_used&limit=200")
    assert.deepStrictEqual(
      items.flatMap(({ grantId, resourceTypes }: any) => grantId === narrow.grantId ? [resourceTypes] : []),
      [{ Medication: 3, MedicationRequest: 5 }]
    )
  })

  test("only types of the grant, even if the token names more", async () => {
    const narrow = await connectApp(service, owner, veteran, { types: ["MedicationRequest"] })
    assert.deepStrictEqual(included(await get(service, narrow, `/MedicationRequest?${medication}&${provenances}`)), [])
  })
})

test("A search that includes shows no trace of what is withheld", async () => {
  const shown = {
    Medication: [item("Medication", "m1")],
    MedicationRequest: [prescription("r1", "Medication/m1")],
    Provenance: [provenance("p1", "MedicationRequest/r1")]
  }
  const withheld = {
    Medication: [...shown.Medication, item("Medication", "m0", hiv)],
    MedicationRequest: [...shown.MedicationRequest, prescription("r0", "Medication/m0")],
    Provenance: [...shown.Provenance, provenance("p0", "MedicationRequest/r0", "MedicationRequest/r1")]
  }
  const [one, other] = [await syncAndConnect(service, owner, shown), await syncAndConnect(service, owner, withheld)]
  for (const path of ["", "&_count=1", "&_sort=date", "&_id=r0,r1", "&_count=0"]) {
    const query = `/MedicationRequest?${medication}&${provenances}${path}`
    const [a, b] = [await get(service, one.app, query), await get(service, other.app, query)]
    const { id: _a, meta: _am, ...seen } = a.json
    const { id: _b, meta: _bm, ...seenToo } = b.json
    assert.deepStrictEqual(seen, seenToo)
  }
  const admitted = await connectApp(service, owner, other.veteran, { categories: ["hiv"] })
  assert.deepStrictEqual(included(await get(service, admitted, `/MedicationRequest?${medication}&${provenances}`)), [
    "Medication/m0",
    "Medication/m1",
    "Provenance/p0",
    "Provenance/p1"
  ])
})

test("A page that has no room for all included items says so", async () => {
  const { app } = await syncAndConnect(service, owner, {
    Observation: [item("Observation", "o")],
    Provenance: Array.from({ length: 1001 }, (_, n) => provenance(`p${n}`, "Observation/o"))
  })
  const answer = await get(service, app, `/Observation?${provenances}`)
  assert.strictEqual(included(answer).length, 1000)
  assert.deepStrictEqual(answer.json.entry.at(-1), {
    resource: {
      resourceType: "OperationOutcome",
      issue: [{
        severity: "warning",
        code: "incomplete",
        details: {
          text: "This page has no room for all items that it should include: ask for fewer matches with '_count'."
        }
      }]
    },
    search: { mode: "outcome" }
  })
  assertValid(answer.json)
})
