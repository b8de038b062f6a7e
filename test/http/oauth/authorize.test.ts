import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { boxes, proved, registerApp, registerVeteran, submit, toldTo } from "./Asking.ts"

const { database, service } = await openApp()
const owner = await database.connect("owner")
const app = await registerApp(owner)
const issuer = `${service.url}/api/oauth`

test("A veteran lets an app read: e-mail, code, consent, and back with a code", async () => {
  const { email, id } = await registerVeteran(service)
  const { browser, page } = await proved(service, app, email)
  assert.strictEqual(page.status, 200)
  const types = boxes(page.text, "type")
  const answer = await submit(service, "decision", browser, [
    ["decision", "approve"],
    ["days", "30"],
    ...types.map(([type]) => ["type", type] as const)
  ])
  const { code, ...told } = toldTo(app, answer)
  assert.deepStrictEqual(told, { state: "a state, with & marks", iss: issuer })
  assert.match(code!, /^[\w-]{43}$/)
  const { rows } = await owner.query(
    "select scope, resource_types, sensitive_categories from consent_grants where veteran_id = $1",
    [id]
  )
  assert.deepStrictEqual(rows, [{
    scope: "launch/patient patient/*.rs offline_access",
    resource_types: null,
    sensitive_categories: []
  }])
})
