import { assert, describe, test } from "vitest"
import { call } from "../../support/Client.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { resource, sync, type Texts } from "../../support/Sync.ts"
import { type App, connectApp, fhir, get, idsOf, observation, syncAndConnect } from "./Apps.ts"
import { assertOutcome, assertValid } from "./Judged.ts"

const { database, service } = await openJudgedApp()

const owner = await database.connect("owner")

const base = `${service.url}${fhir}`

const address = "https://va.example/services/fhir/v0/r4/Patient/32000225"

const about = (reference: string, id = "a", members = {}) => observation(id, { subject: { reference }, ...members })

const immunization = (reference: string) =>
  JSON.stringify({ resourceType: "Immunization", id: "i", patient: { reference } })

/** The entries that say who the patient is: `fullUrl`, mode and position. */
const patientsIn = ({ json }: { readonly json: any }) =>
  (json.entry ?? []).flatMap(({ fullUrl, resource, search }: any, at: number) =>
    resource.resourceType === "Patient" ? [[at, fullUrl, search.mode, resource.id]] : []
  )

describe("The Patient of a record without one", () => {
  const hiv = { meta: { security: [{ system: "http://terminology.hl7.org/CodeSystem/v3-ActCode", code: "HIV" }] } }

  test("has the address that every subject names, and is the first entry of $everything", async () => {
    const { app, veteran } = await syncAndConnect(service, owner, {
      Observation: [about(address), about(address, "b"), observation("c", { subject: { display: "Eagle" } })],
      Immunization: [immunization("Patient/another")],
      Organization: [resource("Organization", "o")]
    })
    const answer = await get(service, app, `/Patient/${veteran.id}/$everything`)
    assertValid(answer.json)
    assert.deepStrictEqual(patientsIn(answer), [[0, address, "include", veteran.id]])
    assert.deepStrictEqual([answer.json.total, idsOf(answer)], [5, ["i", "a", "b", "c", "o"]])
    const first = await get(service, app, `/Patient/${veteran.id}/$everything?_count=2`)
    assert.deepStrictEqual(patientsIn(first), [[0, address, "include", veteran.id]])
    const next = await get(service, app, first.json.link[1].url.slice(base.length))
    assert.deepStrictEqual([patientsIn(next), idsOf(next)], [[], ["b", "c"]])
    const onlyPatient = await get(service, app, `/Patient/${veteran.id}/$everything?_type=Patient`)
    assert.deepStrictEqual(patientsIn(onlyPatient), [[0, address, "include", veteran.id]])
    assert.deepStrictEqual(
      patientsIn(await get(service, app, `/Patient/${veteran.id}/$everything?_type=Observation`)),
      []
    )
    for (const query of ["", `?_id=${veteran.id}`, `?patient=${veteran.id}`]) {
      const found = await get(service, app, `/Patient${query}`)
      assertValid(found.json)
      assert.deepStrictEqual([patientsIn(found), found.json.total], [[[0, address, "match", veteran.id]], 1])
    }
    assert.strictEqual((await get(service, app, "/Patient?_count=0")).json.total, 1)
    for (const query of ["?_id=another", "?patient=another", "?_lastUpdated=ge2020"]) {
      const none = await get(service, app, `/Patient${query}`)
      assert.deepStrictEqual([none.json.entry, none.json.total], [undefined, 0])
    }
    const narrow = await connectApp(service, owner, veteran, { scope: "patient/Observation.rs" })
    assert.deepStrictEqual(patientsIn(await get(service, narrow, `/Patient/${veteran.id}/$everything`)), [])
  })

  const relative = about("Patient/32000225", "b")

  test.each<readonly [string, Texts, string | undefined]>([
    ["patients where there is no subject", { Immunization: [immunization(address)] }, address],
    ["two subjects", { Observation: [about(address), about(`${address}1`, "b")] }, undefined],
    ["an absolute and a relative subject", { Observation: [about(address), relative] }, undefined],
    ["relative subjects", { Observation: [about("Patient/32000225")] }, undefined],
    ["subjects with a version", { Observation: [about(`${address}/_history/1`)] }, undefined],
    ["subjects that are groups", { Observation: [about("https://va.example/Group/1")] }, undefined],
    ["nobody", { Observation: [observation("a")] }, undefined],
    ["nobody, because nothing is stored", {}, undefined]
  ])("has that address, or else one here, in a record that names %s", async (_, texts, named) => {
    const { app, veteran } = await syncAndConnect(service, owner, texts)
    const fullUrl = named ?? `${base}/Patient/${veteran.id}`
    const first = [[0, fullUrl, "include", veteran.id]]
    const path = `/Patient/${veteran.id}/$everything`
    for (
      const query of ["", "?_count=1", "?_type=Patient", "?_type=Observation,Patient", "?_since=2999-01-01T00:00:00Z"]
    ) {
      const answer = await get(service, app, path + query)
      assertValid(answer.json)
      assert.deepStrictEqual(patientsIn(answer), first, query)
      const next = answer.json.link.find(({ relation }: any) => relation === "next")
      if (next !== undefined) {
        assert.deepStrictEqual(patientsIn(await get(service, app, next.url.slice(base.length))), [])
      }
    }
    const posted = await call(service, "POST", `${fhir}${path}`, { headers: app.headers })
    assert.deepStrictEqual(patientsIn(posted), first)
    assert.deepStrictEqual(patientsIn(await get(service, app, `${path}?_type=Observation`)), [])
    assert.deepStrictEqual(patientsIn(await get(service, app, "/Patient")), [[0, fullUrl, "match", veteran.id]])
  })

  test("takes its address from what the app may see, and not from what is withheld", async () => {
    const { app, veteran } = await syncAndConnect(service, owner, {
      Observation: [about(`${address}1`, "a", hiv), about(address, "b")]
    })
    const path = `/Patient/${veteran.id}/$everything`
    assert.deepStrictEqual(patientsIn(await get(service, app, path)), [[0, address, "include", veteran.id]])
    const admitted = await connectApp(service, owner, veteran, { categories: ["hiv"] })
    assert.deepStrictEqual(patientsIn(await get(service, admitted, path)), [
      [0, `${base}/Patient/${veteran.id}`, "include", veteran.id]
    ])
    const withheld = await syncAndConnect(service, owner, {
      Patient: [resource("Patient", "p", { categories: ["hiv"] })]
    })
    const here = `${base}/Patient/${withheld.veteran.id}`
    for (
      const [path, mode] of [["/Patient", "match"], [`/Patient/${withheld.veteran.id}/$everything`, "include"]] as const
    ) {
      const found = patientsIn(await get(service, withheld.app, path))
      assert.deepStrictEqual(found, [[0, here, mode, withheld.veteran.id]])
    }
  })

  test("gives way to a stored one", async () => {
    const { app, veteran } = await syncAndConnect(service, owner, { Observation: [about(address)] })
    await sync(service, veteran, { Patient: "complete" }, { Patient: [resource("Patient", "p")] })
    const stored = [`${base}/Patient/p`, "match", "p"]
    assert.deepStrictEqual(patientsIn(await get(service, app, "/Patient")), [[0, ...stored]])
    assert.deepStrictEqual(patientsIn(await get(service, app, "/Patient/p/$everything")), [[1, ...stored]])
  })
})

describe("The patient's compartment", async () => {
  const { app, veteran } = await syncAndConnect(service, owner, {
    Observation: [observation("a"), observation("b", { status: "amended" }), observation("c")]
  })

  /** All of an answer but what differs each time. */
  const seen = async (path: string) => {
    const { headers, json: { id: _, meta: _meta, ...rest }, status } = await get(service, app, path)
    return [status, headers.get("access-control-allow-origin"), rest]
  }

  test("answers a type like a search of the type with the patient", async () => {
    for (const query of ["", "status=final&_sort=-date", "_count=1", "_count=0"]) {
      for (const id of [veteran.id, "another"]) {
        const [compartment, search] = [
          await seen(`/Patient/${id}/Observation?${query}`),
          await seen(`/Observation?patient=${id}${query === "" ? "" : `&${query}`}`)
        ]
        assert.deepStrictEqual(compartment, search)
      }
    }
    assert.strictEqual((await seen(`/Patient/${veteran.id}/Observation?_count=x`))[0], 400)
  })

  test("has only types, and only for reading", async () => {
    const unknown = await get(service, app, `/Patient/${veteran.id}/Wish`)
    assert.strictEqual(unknown.status, 404)
    assertOutcome(unknown, "not-supported", "FHIR R4 has no such resource type.")
    for (const path of [`/Patient/${veteran.id}/$export`, `/Patient/${veteran.id}/_history`, "/Patient/a,b/Goal"]) {
      const none = await get(service, app, path)
      assert.strictEqual(none.status, 404)
      assertOutcome(none, "not-found", "There is no such resource.")
    }
    const narrow = await connectApp(service, owner, veteran, { scope: "patient/Goal.rs" })
    assert.strictEqual((await get(service, narrow, `/Patient/${veteran.id}/Observation`)).status, 403)
    const posted = await call(service, "POST", `${fhir}/Patient/${veteran.id}/Observation`, { headers: app.headers })
    assert.deepStrictEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"])
    const preflight = await call(service, "OPTIONS", `${fhir}/Patient/${veteran.id}/Observation`)
    assert.strictEqual(preflight.headers.get("access-control-allow-methods"), "GET")
  })
})

describe("POST $everything", async () => {
  const { app, veteran } = await syncAndConnect(service, owner, {
    Condition: [resource("Condition", "c")],
    Observation: [observation("a"), observation("b")]
  })

  const path = `${fhir}/Patient/${veteran.id}/$everything`

  const post = (body: unknown, contentType?: string, to = path, sender: App = app) =>
    call(service, "POST", to, {
      headers: { ...sender.headers, ...contentType !== undefined && { "content-type": contentType } },
      body
    })

  const form = "application/x-www-form-urlencoded"

  const parameters = (...parameter: ReadonlyArray<object>) => JSON.stringify({ resourceType: "Parameters", parameter })

  test("takes its parameters from a form, Parameters or the query, and answers as GET", async () => {
    const asked = await get(service, app, `/Patient/${veteran.id}/$everything?_type=Observation&_count=1`)
    const parts = [{ name: "_type", valueCode: "Observation" }, { name: "_count", valueInteger: 1 }]
    const answers = [
      await post("_type=Observation&_count=1", form),
      await post(parameters(...parts), "application/fhir+json"),
      await post(parameters(...parts), "application/json; charset=utf-8"),
      await post(parameters(parts[0]!), "application/fhir+json", `${path}?_count=1`),
      await post("_type=Observation&_count=1", form, path.replace("$", "%24"))
    ]
    for (const { headers, json, status, text } of answers) {
      assert.strictEqual(status, 200, text)
      assert.deepStrictEqual(idsOf({ json }), ["a"])
      assert.deepStrictEqual([json.total, json.link.length], [asked.json.total, asked.json.link.length])
      assert.strictEqual(headers.get("access-control-allow-origin"), "*")
    }
    const next = answers[1]!.json.link[1].url.slice(base.length)
    assert.deepStrictEqual(idsOf(await get(service, app, next)), ["b"])
    for (const body of [undefined, "", parameters()]) {
      assert.deepStrictEqual(idsOf(await post(body, "application/fhir+json")), ["c", "a", "b"])
    }
    assert.deepStrictEqual(
      idsOf(await post(parameters({ name: "_since", valueInstant: "2999-01-01T00:00:00Z" }), "application/fhir+json")),
      []
    )
  })

  test.each<readonly [unknown, string, number, string]>([
    ["_count=0", form, 400, "invalid"],
    ["_type=Wish", form, 400, "invalid"],
    [parameters({ name: "_type", valueCode: "Wish" }), "application/fhir+json", 400, "invalid"],
    [parameters({ name: "_count", valueInteger: 1.5 }), "application/fhir+json", 400, "invalid"],
    [parameters({ name: 1 }), "application/fhir+json", 400, "invalid"],
    [JSON.stringify({ resourceType: "Bundle" }), "application/fhir+json", 400, "invalid"],
    ["[".repeat(3000), "application/fhir+json", 400, "invalid"],
    ["{", "application/fhir+json", 400, "invalid"],
    ["null", "application/fhir+json", 400, "invalid"],
    [parameters(...Array.from({ length: 101 }, () => ({ name: "x" }))), "application/fhir+json", 400, "invalid"],
    [parameters({ name: "x".repeat(16 * 1024) }), "application/fhir+json", 413, "too-long"],
    ["<Parameters/>", "application/fhir+xml", 415, "not-supported"]
  ])("refuses a bad body: %s as %s", async (body, contentType, status, code) => {
    const answer = await post(body, contentType)
    assert.deepStrictEqual([answer.status, answer.json.issue[0].code], [status, code])
    assert.strictEqual(answer.json.resourceType, "OperationOutcome")
  })

  test("is allowed beside GET alone, for pages of any origin and for the token's patient", async () => {
    const deleted = await call(service, "DELETE", path, { headers: app.headers })
    assert.deepStrictEqual([deleted.status, deleted.headers.get("allow")], [405, "GET, HEAD, POST"])
    const preflight = await call(service, "OPTIONS", path)
    assert.deepStrictEqual(
      ["methods", "headers"].map((what) => preflight.headers.get(`access-control-allow-${what}`)),
      ["GET, POST", "authorization, *"]
    )
    assert.strictEqual((await post("", form, path.replace(veteran.id, "another"))).status, 404)
    assert.strictEqual((await call(service, "POST", path, {})).status, 401)
  })
})
