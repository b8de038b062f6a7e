import { assert, test } from "vitest"
import { approveInBrowser } from "../../src/client/ConsentBrowser.ts"
import { connectSampleApp } from "../../src/demo/SampleApp.ts"
import { codeFor, registerApp, registerVeteran } from "../http/oauth/Asking.ts"
import { openOwnApp } from "../support/App.ts"
import { signIn } from "../support/Client.ts"
import { sync } from "../support/Sync.ts"

const { database, service } = await openOwnApp()

const owner = await database.connect("owner")

const result = (id: string, day: string, value: number, category = "laboratory") =>
  JSON.stringify({
    resourceType: "Observation",
    id,
    status: "final",
    category: [{ coding: [{ code: category }] }],
    code: { text: "Glucose" },
    effectiveDateTime: day,
    valueQuantity: { value, unit: "mg/dL" }
  })

test("The sample app reads the newest laboratory results of the veteran who approved it, with a stock library", async () => {
  const veteran = await registerVeteran(service)
  await sync(service, await signIn(service, veteran), { Observation: "partial" }, {
    Observation: [
      result("a", "2019-01-01", 80),
      result("b", "2024-03-01", 95),
      result("c", "2021-02-01", 90),
      result("d", "2025-01-01", 1, "vital-signs"),
      // As the VA writes them, with nulls.
      JSON.stringify({
        resourceType: "Observation",
        id: "e",
        status: "preliminary",
        category: [{ coding: [{ code: "exam" }] }],
        code: { text: "Pain" },
        effectiveDateTime: null,
        valueQuantity: { value: 3, unit: null },
        valueString: null,
        component: null
      }),
      JSON.stringify({
        resourceType: "Observation",
        id: "f",
        status: "entered-in-error",
        category: [{ coding: [{ code: "survey" }] }],
        code: { coding: [{ display: "Smoker" }] },
        valueCodeableConcept: { text: "Never" }
      })
    ]
  })
  const { id: clientId, redirectUri } = await registerApp(owner)
  const app = await connectSampleApp(
    service.url,
    { clientId, redirectUri },
    (url) => approveInBrowser(url, { email: veteran.email, code: () => codeFor(service, veteran.email) })
  )
  const lines = await app!.newest("laboratory", 2)
  assert.deepStrictEqual(lines.filter((line) => !line.startsWith("!")), [
    "2024-03-01  Glucose: 95 mg/dL",
    "2021-02-01  Glucose: 90 mg/dL"
  ])
  assert.lengthOf(lines, 3)
  assert.match(lines.find((line) => line.startsWith("!"))!, /^! Observation: the record is incomplete/)
  for (const [category, line] of [["exam", "Pain: 3 (preliminary)"], ["survey", "Smoker: Never (entered-in-error)"]]) {
    const found = await app!.newest(category!, 2)
    assert.deepStrictEqual(found.filter((line) => !line.startsWith("!")), [`without a date  ${line}`])
  }
  assert.deepStrictEqual(
    (await app!.newest("imaging", 2)).filter((line) => !line.startsWith("!")),
    ["none in this record; ask the patient"]
  )
})
