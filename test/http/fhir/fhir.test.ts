import { assert, describe, test } from "vitest"
import { call } from "../../support/Client.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { newProvider } from "../../support/Providers.ts"
import { resource, sync, type Texts } from "../../support/Sync.ts"
import { connectApp, fhir, get, idsOf, observation, syncAndConnect } from "./Apps.ts"
import { assertOutcome, assertValid } from "./Judged.ts"

const { database, service } = await openJudgedApp()

const owner = await database.connect("owner")

const superuser = await database.connect("superuser")

const base = `${service.url}${fhir}`

const connected = (texts: Texts, granted = {}) => syncAndConnect(service, owner, texts, granted)

test("metadata is valid and the same for every caller", async () => {
  const answer = await call(service, "GET", `${fhir}/metadata`)
  assert.strictEqual(answer.status, 200)
  assert.strictEqual(answer.headers.get("content-type"), "application/fhir+json; charset=utf-8")
  assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
  assertValid(answer.json)
  const { fhirVersion, kind, rest: [{ resource: types, security }] } = answer.json
  assert.deepStrictEqual([fhirVersion, kind, security.service[0].coding[0].code], ["4.0.1", "instance",
    "SMART-on-FHIR"])
  assert.strictEqual(security.extension[0].url, "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris")
  assert.deepInclude(security.extension[0].extension, { url: "token", valueUri: `${service.url}/api/oauth/token` })
  const parameters = types.find(({ type }: any) => type === "Goal").searchParam
    .map(({ name, type }: any) => `${name} ${type}`)
  assert.deepStrictEqual(parameters, ["_id token", "_lastUpdated date", "patient reference", "subject reference",
    "description token", "lifecycle-status token", "target-date date"])
})

describe("A single resource", () => {
  test("is the stored text byte for byte, and is not sent again if the client sends its ETag", async () => {
    const text = `{ "resourceType": "Observation", "id": "a",\n "valueQuantity": {"value": 1.00} }`
    const { app, veteran } = await connected({ Observation: [text] })
    const answer = await get(service, app, "/Observation/a")
    assert.deepStrictEqual([answer.status, answer.text], [200, text])
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    assert.match(answer.headers.get("etag")!, /^W\/"[\w-]{22}"$/)
    const { rows } = await superuser.query("select synced_at from health_record_items where veteran_id = $1", [
      veteran.id
    ])
    assert.strictEqual(answer.headers.get("last-modified"), rows[0].synced_at.toUTCString())
    const again = await get(service, app, "/Observation/a", { "if-none-match": answer.headers.get("etag")! })
    assert.deepStrictEqual([again.status, again.text], [304, ""])
    const { rows: proofs } = await superuser.query(
      "select distinct event from proofs where veteran_id = $1 and kind = 'oauth_access_used'",
      [veteran.id]
    )
    const event = {
      actor: { id: app.clientId, kind: "app" },
      clientId: app.clientId,
      grantId: app.grantId,
      resourceTypes: { Observation: 1 }
    }
    assert.deepStrictEqual(proofs, [{ event }])
  })

  test("answers 404 if it is unknown, inactive, withheld, another veteran's, or of an unknown type", async () => {
    const { app, veteran } = await connected({
      Observation: [resource("Observation", "h", { categories: ["hiv"] }), observation("o")]
    })
    await sync(service, veteran, { Observation: "complete" }, {
      Observation: [resource("Observation", "h", { categories: ["hiv"] })]
    })
    await connected({ Observation: [observation("theirs")] })
    for (const id of ["none", "o", "h", "theirs", "x".repeat(64)]) {
      const answer = await get(service, app, `/Observation/${id}`)
      assert.strictEqual(answer.status, 404)
      assertOutcome(answer, "not-found", "There is no such resource.")
    }
    const unknown = await get(service, app, "/Observations/o")
    assert.strictEqual(unknown.status, 404)
    assertOutcome(unknown, "not-supported", "FHIR R4 has no such resource type.")
    const admitted = await connectApp(service, owner, veteran, { categories: ["hiv"] })
    assert.strictEqual((await get(service, admitted, "/Observation/h")).status, 200)
  })

  test("answers 403 for a type outside the scopes, a read with only s, or a search with only r", async () => {
    const { veteran } = await connected({ Observation: [observation("o")] })
    const app = await connectApp(service, owner, veteran, {
      scope: "patient/Condition.rs patient/Observation.s patient/Goal.r"
    })
    for (const path of ["/Observation/o", "/Encounter/e", "/Encounter", "/Goal"]) {
      const answer = await get(service, app, path)
      assert.strictEqual(answer.status, 403)
      assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer error=\"insufficient_scope\"")
      assertOutcome(answer, "forbidden", "The scopes of the access token do not cover this.")
    }
    assert.deepStrictEqual(idsOf(await get(service, app, "/Observation")), ["o"])
  })
})

test("The brand bundle is valid, needs no token, and describes the service to a gallery of apps", async () => {
  const answer = await call(service, "GET", `${fhir}/brands`)
  assert.strictEqual(answer.status, 200)
  assert.strictEqual(answer.headers.get("content-type"), "application/fhir+json; charset=utf-8")
  assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
  assertValid(answer.json)
  const { entry: [brand, endpoint], timestamp, type } = answer.json
  assert.deepStrictEqual([type, timestamp], ["collection", "2026-11-23T00:00:00Z"])
  assert.deepStrictEqual(brand, {
    fullUrl: `${base}/brands/Organization/veteran-records`,
    resource: {
      resourceType: "Organization",
      id: "veteran-records",
      identifier: [{ system: "urn:ietf:rfc:3986", value: service.url }],
      active: true,
      name: "Veteran Records Sharing Service",
      telecom: [{ system: "url", value: service.url }],
      endpoint: [{ reference: "Endpoint/veteran-records" }]
    }
  })
  assert.deepStrictEqual(endpoint, {
    fullUrl: `${base}/brands/Endpoint/veteran-records`,
    resource: {
      resourceType: "Endpoint",
      id: "veteran-records",
      extension: [{ url: "http://hl7.org/fhir/StructureDefinition/endpoint-fhir-version", valueCode: "4.0.1" }],
      status: "active",
      connectionType: {
        system: "http://terminology.hl7.org/CodeSystem/endpoint-connection-type",
        code: "hl7-fhir-rest"
      },
      name: "Veteran Records Sharing Service",
      contact: [{ system: "url", value: `${service.url}/api/docs` }],
      payloadType: [{
        coding: [{ system: "http://terminology.hl7.org/CodeSystem/endpoint-payload-type", code: "none" }]
      }],
      address: base
    }
  })
})

describe("The Patient", () => {
  test("is generated under the veteran's id if none is stored", async () => {
    const { app, veteran } = await connected({ Observation: [observation("o")] })
    const answer = await get(service, app, `/Patient/${veteran.id}`)
    assert.deepStrictEqual(answer.json, {
      resourceType: "Patient",
      id: veteran.id,
      active: true,
      name: [{ use: "nickname", text: "Eagle" }]
    })
    assertValid(answer.json)
  })

  test("is linked to a stored Patient with another id, and replaced by a stored Patient with the same id", async () => {
    const { app, veteran } = await connected({ Patient: [resource("Patient", "p")] })
    const generated = await get(service, app, `/Patient/${veteran.id}`)
    assert.deepStrictEqual(generated.json.link, [{ other: { reference: "Patient/p" }, type: "seealso" }])
    assertValid(generated.json)
    const own = `{"resourceType":"Patient","id":"${veteran.id}","gender":"other"}`
    await sync(service, veteran, { Patient: "complete" }, { Patient: [own] })
    assert.strictEqual((await get(service, app, `/Patient/${veteran.id}`)).text, own)
  })
})

describe("The FHIR base refuses", async () => {
  const { app, veteran } = await connected({ Observation: [observation("a"), observation("b")] })

  test.each([
    ["/Observation?date=soon",
      "date: Expected dates of FHIR, each with one of the prefixes eq, gt, ge, lt, le, sa, eb or none"],
    ["/Observation?_count=1001", "_count: Expected a number from 0 to 1000"],
    ["/Observation?_cursor=abc", "_cursor: Expected that of the link 'next' of this search's page before"],
    [`/Patient/${veteran.id}/$everything?_count=0`, "_count: Expected a number from 1 to 1000"],
    [`/Patient/${veteran.id}/$everything?_since=gt2020`, "_since: Expected an instant of FHIR"]
  ])("an invalid value: %s", async (path, text) => {
    const answer = await get(service, app, path)
    assert.strictEqual(answer.status, 400)
    assertOutcome(answer, "invalid", text)
  })

  test("an unknown parameter under strict handling; otherwise the self link leaves it out", async () => {
    const lenient = await get(service, app, "/Observation?_elements=date&status=final")
    assert.strictEqual(lenient.json.link[0].url, `${base}/Observation?status=final`)
    const strict = await get(service, app, "/Observation?_elements=date&status=final", { prefer: "handling=strict" })
    assert.strictEqual(strict.status, 400)
    assertOutcome(
      strict,
      "invalid",
      "_elements: This parameter is not known here, and 'prefer: handling=strict' was sent"
    )
  })

  test("a cursor of another grant or of another query", async () => {
    const { json } = await get(service, app, "/Observation?_count=1")
    const cursor = new URL(json.link[1].url).searchParams.get("_cursor")
    assert.strictEqual((await get(service, app, `/Observation?_count=2&_cursor=${cursor}`)).status, 400)
    const other = await connectApp(service, owner, veteran)
    assert.strictEqual((await get(service, other, `/Observation?_count=1&_cursor=${cursor}`)).status, 400)
  })

  test.each([
    [{ accept: "application/fhir+xml" }, "", 406],
    [{ accept: "text/turtle, application/xml;q=0.5" }, "", 406],
    [{ accept: "application/json" }, "?_format=xml", 406],
    [{ accept: "application/fhir+xml" }, "?_format=json", 200],
    [{ accept: "application/fhir+xml, application/fhir+json;fhirVersion=4.0;q=0.1" }, "", 200],
    [{ accept: "*/*" }, "?_format=application/fhir+json", 200]
  ])("formats other than JSON: %j with %s is answered %i", async (headers, query, status) => {
    for (const path of ["/Observation/a", "/metadata"]) {
      const answer = await get(service, app, `${path}${query}`, headers)
      assert.strictEqual(answer.status, status)
      if (status === 406) {
        assertOutcome(answer, "not-supported", "This service answers 'application/fhir+json' and no other format.")
      }
    }
  })

  test.each([
    ["/Observation/%00", 404],
    ["/Observation/a%00", 404],
    ["/Observation/%ff", 404],
    ["/Observation/%ED%A0%80", 404],
    [`/Observation/${"x".repeat(65)}`, 404],
    ["/Observation/..%2Fa", 404],
    ["/Patient/%00/$everything", 404],
    ["/Patient/%ff/%24everything", 404],
    ["/%00", 404],
    ["/Observation?_id=%00,%ff", 200],
    ["/Observation?_id=%ED%A0%80&patient=%00", 200],
    ["/Observation?code=%00&status=%ff&category=%00|%00", 200],
    ["/Observation?_cursor=%00", 400],
    ["/Observation?date=%00", 400],
    [`/Patient/${veteran.id}/$everything?_type=%00`, 400],
    [`/Patient/${veteran.id}/$everything?_type=Condition,Wish`, 400],
    [`/Patient/${veteran.id}/$everything?_since=%ff`, 400]
  ])("characters that FHIR does not allow: %s is answered %i", async (path, status) => {
    const answer = await get(service, app, path)
    assert.strictEqual(answer.status, status)
    assert.strictEqual(answer.json.resourceType, status === 200 ? "Bundle" : "OperationOutcome")
  })

  test("another method, an unknown route, and a body that is not a form", async () => {
    const put = await call(service, "PUT", `${fhir}/Observation/a`, { headers: app.headers, body: {} })
    assert.deepStrictEqual([put.status, put.headers.get("allow")], [405, "GET, HEAD"])
    assertOutcome(put, "not-supported", "This route does not take this method: see the 'allow' header.")
    const none = await get(service, app, "/Observation/a/_history/1")
    assert.strictEqual(none.status, 404)
    assertOutcome(none, "not-found", "There is no such route.")
    assert.strictEqual(none.headers.get("access-control-allow-origin"), "*")
    const posted = await call(service, "POST", `${fhir}/Observation/_search`, { headers: app.headers, body: {} })
    assert.strictEqual(posted.status, 415)
    assert.strictEqual(posted.json.issue[0].code, "not-supported")
  })

  test("missing, invalid, veterans' and providers' tokens", async () => {
    const provider = await newProvider(owner)
    for (
      const [headers, challenge] of [
        [{}, "Bearer"],
        [{ authorization: "Basic eDp5" }, "Bearer"],
        [{ authorization: "Bearer " }, "Bearer"],
        [{ authorization: "Bearer x" }, "Bearer error=\"invalid_token\""],
        [{ authorization: "bearer x" }, "Bearer error=\"invalid_token\""],
        [veteran.headers, "Bearer error=\"invalid_token\""],
        [provider.headers, "Bearer error=\"invalid_token\""]
      ] as const
    ) {
      const answer = await call(service, "GET", `${fhir}/Observation/a`, { headers })
      assert.strictEqual(answer.status, 401)
      assert.strictEqual(answer.headers.get("www-authenticate"), challenge)
      assertOutcome(answer, "login", "A valid access token is needed: send it as 'Authorization: Bearer <token>'.")
    }
  })
})
