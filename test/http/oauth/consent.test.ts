import { assert, describe, test } from "vitest"
import { assertion } from "../../support/Assertions.ts"
import { letPermitsAge, spendPermits } from "../../support/Permits.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { approval, begin, boxes, over, post, proved, registerApp, registerVeteran, submit, toldTo } from "./Asking.ts"

const { database, service } = await openJudgedApp()
const owner = await database.connect("owner")
const app = await registerApp(owner)
const iss = `${service.url}/api/oauth`
const state = "a state, with & marks"

const grantsOf = async ({ id }: { readonly id: string }) =>
  (await owner.query(
    "select scope, resource_types, sensitive_categories from consent_grants where veteran_id = $1",
    [id]
  )).rows

describe("A veteran", () => {
  test("cannot switch the language from a page of another site, and a switch after the end decides nothing", async () => {
    const veteran = await registerVeteran(service)
    const { browser, page } = await proved(service, app, veteran.email)
    const choice = approval(page.text).map(([name, value]) => [name, name === "decision" ? "es" : value] as const)
    const foreign = await submit(service, "decision", browser, choice, { origin: "https://evil.example" })
    assert.strictEqual(foreign.status, 403)
    const switched = await post(service, "decision", browser, choice)
    assert.strictEqual(switched.status, 303)
    assert.match(switched.headers.get("location")!, /^\/api\/oauth\/authorize\/page\?step=consent&request=[\w-]+$/)
    assert.deepStrictEqual(await grantsOf(veteran), [])
    toldTo(app, await submit(service, "decision", browser, { decision: "deny" }))
    const ended = await submit(service, "decision", browser, choice)
    assert.strictEqual(ended.status, 200)
    assert.include(ended.text, "<html lang=\"es-US\">")
    assert.deepStrictEqual(await grantsOf(veteran), [])
  })

  test("allows everything: the scope is what the app requested, and covers every type", async () => {
    const veteran = await registerVeteran(service)
    const { browser, page } = await proved(service, app, veteran.email)
    assert.strictEqual(page.status, 200)
    assert.deepStrictEqual(boxes(page.text, "category"), [
      ["drug_abuse", false],
      ["alcohol_abuse", false],
      ["hiv", false],
      ["sickle_cell", false]
    ])
    assert.isTrue(boxes(page.text, "type").every(([, ticked]) => ticked))
    assert.match(page.text, /name="days" value="90" checked>/)
    const { code, ...told } = toldTo(app, await submit(service, "decision", browser, approval(page.text)))
    assert.deepStrictEqual(told, { state, iss })
    assert.match(code!, /^[\w-]{45}$/)
    assert.deepStrictEqual(await grantsOf(veteran), [
      { scope: "launch/patient patient/*.rs offline_access", resource_types: null, sensitive_categories: [] }
    ])
    const { rows } = await owner.query("select kind from proofs where veteran_id = $1", [veteran.id])
    assert.deepStrictEqual(rows, [{ kind: "oauth_access_granted" }])
  })

  test("unticks a type, ticks a category and chooses a time", async () => {
    const veteran = await registerVeteran(service)
    const scope = "record:read:Goal patient/Condition.rs patient/Observation.rs?category=a|laboratory offline_access"
    const { browser, page } = await proved(service, app, veteran.email, scope)
    assert.deepStrictEqual(boxes(page.text, "type").map(([type]) => type), ["Condition", "Observation", "Goal"])
    assert.include(page.text, "Only what is marked laboratory")
    const answer = await submit(service, "decision", browser, [
      ["decision", "approve"],
      ["days", "365"],
      ["type", "Condition"],
      ["type", "Observation"],
      ["category", "hiv"]
    ])
    assert.isString(toldTo(app, answer)["code"])
    assert.deepStrictEqual(await grantsOf(veteran), [{
      scope: "patient/Condition.rs patient/Observation.rs?category=a|laboratory offline_access",
      resource_types: ["Condition", "Observation"],
      sensitive_categories: ["hiv"]
    }])
    const { rows } = await owner.query(
      "select round(extract(epoch from access_until - created_at) / 86400)::int as days, offline from oauth_codes where veteran_id = $1",
      [veteran.id]
    )
    assert.deepStrictEqual(rows, [{ days: 365, offline: true }])
  })

  test("sees a US Core category of a type in words", async () => {
    const veteran = await registerVeteran(service)
    const scope = [
      "patient/DocumentReference.rs?category=" +
      "http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category|clinical-note",
      "patient/ServiceRequest.rs?category=http://snomed.info/sct|363679005",
      "patient/ServiceRequest.rs?category=http://app.example|363679005"
    ].join(" ")
    const { page } = await proved(service, app, veteran.email, scope)
    assert.include(page.text, "<small>Only what is marked clinical note</small>")
    assert.include(page.text, "<small>Only what is marked imaging or 363679005</small>")
  })

  test("unticks one box of a scope for every type: the granted scope lists the types of the other boxes", async () => {
    const veteran = await registerVeteran(service)
    const { browser, page } = await proved(service, app, veteran.email, "patient/*.read")
    assert.include(page.text, "One hour. After that, Heart Diary has to ask you again.")
    assert.notInclude(page.text, "name=\"days\"")
    const kept = boxes(page.text, "type").flatMap(([types]) => types === "Condition" ? [] : types.split("."))
    assert.isAbove(kept.length, 20)
    toldTo(app, await submit(service, "decision", browser, approval(page.text, ["Condition"])))
    assert.deepStrictEqual(await grantsOf(veteran), [{
      scope: kept.map((type) => `patient/${type}.read`).join(" "),
      resource_types: kept,
      sensitive_categories: []
    }])
  })

  test("may refuse before or after entering the code, and the app receives the refusal each time", async () => {
    const veteran = await registerVeteran(service)
    const early = await begin(service, app)
    const { browser: late } = await proved(service, app, veteran.email)
    for (const browser of [early, late]) {
      for (let times = 0; times < 2; times++) {
        const answer = await submit(service, "decision", browser, { decision: "deny" })
        assert.deepStrictEqual(toldTo(app, answer), { error: "access_denied", state, iss })
      }
      over(await submit(service, "decision", browser, { decision: "approve", type: "Goal", days: "30" }))
    }
    const { rows } = await owner.query("select kind from proofs where veteran_id = $1", [veteran.id])
    assert.deepStrictEqual(rows, [{ kind: "oauth_access_denied" }])
    assert.deepStrictEqual(await grantsOf(veteran), [])
  })

  test("is told which choice is invalid, and keeps the other ticks", async () => {
    const { email } = await registerVeteran(service)
    const { browser } = await proved(service, app, email, "patient/Goal.rs patient/Condition.rs offline_access")
    for (
      const [fields, words] of [
        [[["decision", "approve"], ["days", "30"]], "Tick at least one kind of information"],
        [[["decision", "approve"], ["days", "30"], ["type", "Procedure"]], "Choose among the boxes"],
        [[["decision", "approve"], ["days", "30"], ["type", "Goal"], ["category", "all"]], "Choose among the boxes"],
        [[["decision", "approve"], ["days", "31"], ["type", "Goal"]], "Choose how long"],
        [[["decision", "approve"], ["type", "Goal"]], "Choose how long"],
        [[["decision", "approve"], ["days", "30"], ["days", "90"], ["type", "Goal"]], "Choose how long"],
        [[["days", "30"], ["type", "Goal"], ["category", "hiv"]], "Choose Allow or Do not allow."],
        [[["decision", "approve"], ["decision", "deny"], ["type", "Goal"]], "Choose Allow or Do not allow."]
      ] as ReadonlyArray<readonly [ReadonlyArray<readonly [string, string]>, string]>
    ) {
      const { status, text } = await submit(service, "decision", browser, fields)
      assert.strictEqual(status, 400)
      assert.include(text, words)
      const sent = fields.filter(([name]) => name === "type").map(([, type]) => type)
      assert.deepStrictEqual(boxes(text, "type").filter(([, ticked]) => ticked).map(([type]) => type), [
        ...["Condition", "Goal"].filter((type) => sent.includes(type))
      ])
    }
  })

  test("gets the same code after submitting the form twice, and only one grant is made", async () => {
    const veteran = await registerVeteran(service)
    const { browser, page } = await proved(service, app, veteran.email)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => submit(service, "decision", browser, approval(page.text)))
    )
    const codes = answers.map((answer) => toldTo(app, answer)["code"])
    assert.lengthOf([...new Set(codes)], 1)
    assert.lengthOf(await grantsOf(veteran), 1)
    over(await submit(service, "decision", browser, { decision: "deny" }))
    over(await submit(service, "email", browser, { email: veteran.email }))
  })

  test("can go back and allow again: the grant stays, and the spent code is not sent again", async () => {
    const veteran = await registerVeteran(service)
    const { browser, page } = await proved(service, app, veteran.email)
    await submit(service, "decision", browser, approval(page.text))
    await owner.query("update oauth_codes set spent_at = now() where veteran_id = $1", [veteran.id])
    over(await submit(service, "decision", browser, approval(page.text)))
    assert.lengthOf(await grantsOf(veteran), 1)
  })

  test("can go back and send the code again, and sees the consent page", async () => {
    const { email } = await registerVeteran(service)
    const { browser } = await proved(service, app, email)
    const again = await submit(service, "code", browser, { code: "00000000" })
    assert.include(again.text, "<h1>What may Heart Diary read?</h1>")
  })

  const approving = (veteran: { readonly vaPatientId: string }) => async () => {
    const browser = await begin(service, app)
    const token = await assertion({ sub: veteran.vaPatientId, aud: browser.request })
    const page = await submit(service, "email", browser, { email: token })
    return { browser, page, answer: await submit(service, "decision", browser, approval(page.text)) }
  }

  test("connects 50 apps a day: then the page says in how many hours, and the same request goes on afterwards", async () => {
    const veteran = await registerVeteran(service)
    const approve = approving(veteran)
    const first = await approve()
    assert.strictEqual(first.answer.status, 303)
    await spendPermits(owner, 48)
    assert.strictEqual((await submit(service, "decision", first.browser, approval(first.page.text))).status, 303)
    assert.strictEqual((await approve()).answer.status, 303)
    await letPermitsAge(owner, 20)
    const { answer, browser, page } = await approve()
    const { headers, status, text } = answer
    assert.strictEqual(status, 429)
    assert.include(text, "<h1>That is enough for today</h1>")
    assert.include(text, "Try again in 4 hours: go back to the app and connect again.")
    assert.closeTo(Number(headers.get("retry-after")), 4 * 3600 - 300, 300)
    assert.lengthOf(await grantsOf(veteran), 2)
    await letPermitsAge(owner, 4)
    assert.strictEqual((await submit(service, "decision", browser, approval(page.text))).status, 303)
  })

  test("is told when the limit of grants is reached", async () => {
    const approve = approving(await registerVeteran(service))
    for (let times = 0; times < 5; times++) assert.strictEqual((await approve()).answer.status, 303)
    const { answer: { status, text } } = await approve()
    assert.strictEqual(status, 409)
    assert.include(text, "<h1>There are too many connections</h1>")
  })
})
