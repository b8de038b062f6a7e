import type { ServerResponse } from "node:http"
import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { operatorCode } from "../../support/Device.ts"
import { until } from "../../support/Until.ts"
import { button, heading } from "../Portal.ts"
import { codeTo, wrong } from "./Account.ts"
import { inspectTab } from "./Inspected.ts"
import { sentBy } from "./Sent.ts"
import { stored } from "./Stored.ts"
import { tokenPath } from "./TestVa.ts"
import {
  atConnect,
  atLocked,
  enterVeteranApp,
  newUnpaired,
  newVeteran,
  openVeteranApp,
  signInAtVa
} from "./VeteranApp.ts"

const app = await openVeteranApp()
const superuser = await app.database.connect("superuser")

// An address may begin 30 sign-ins in 15 minutes, and all browsers have one address.
beforeEach(async () => void await superuser.query("truncate rate_limit_spendings"))

const openApp = async (path = "") => {
  const tab = await inspectTab()
  await tab.page.goto(`${app.url}/${path}`)
  return tab
}

const says = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor()

const account = (page: Page) => page.getByRole("link", { name: "Account" })

/** Lets the VA's token endpoint answer in this way until the test ends. */
const answerTokenBy = (answer: (response: ServerResponse) => void) => {
  app.va.answerBy((request, response) => {
    if (request.url !== tokenPath || request.method !== "POST") return false
    answer(response)
    return true
  })
}

const cors = { "access-control-allow-origin": "*" }

const asJson = (body: unknown) => (response: ServerResponse) =>
  void response.writeHead(200, { ...cors, "content-type": "application/json" }).end(JSON.stringify(body))

describe("A sign-in at the VA", () => {
  test("leads home with a clean address, keeps a key and an id on the device alone, and the VA's token between it and the page", async () => {
    const veteran = await newVeteran(app)
    const { context, page } = await openApp()
    const sent = sentBy(page)
    const tokens = new Set<string>()
    app.va.answerBy(({ headers: { authorization = "" } }) => {
      tokens.add(authorization.replace("Bearer ", ""))
      return false
    })
    await atConnect(page)
    assert.deepStrictEqual((await stored(page)).databases, {})
    await signInAtVa(page, veteran)
    await heading(page, `Hello, ${veteran.name}`).waitFor()
    assert.strictEqual(page.url(), `${app.url}/`)
    const { cached, databases, ...others } = await stored(page)
    assert.deepStrictEqual(others, { local: {}, session: {}, cookie: "", history: "null" })
    const { key, session, ...more } = databases["vrss-device"]!
    assert.deepStrictEqual([Object.keys(databases), key, more], [["vrss-device"], "extractable: false", {}])
    assert.match(String(session), /^[0-9a-f-]{36}$/)
    assert.deepStrictEqual(cached.filter((path) => !/^\/(assets\/|manifest\.webmanifest)?/.test(path)), [])
    assert.deepStrictEqual(await context.cookies(), [])
    // The VA's code stays between the VA and the page, and the service gets no token of the VA but the id_token.
    const [redeemed] = await sent.to(app.va.tokenUrl)
    const code = /&code=([^&]+)/.exec(redeemed!)![1]!
    const toService = await sent.to(app.service.url)
    assert.isAbove(toService.length, 1)
    assert.notInclude(toService.join("\n"), code)
    const verifier = /code_verifier=([^&]+)/.exec(redeemed!)![1]!
    assert.notInclude(toService.join("\n"), verifier)
    const withIdToken = toService.filter((text) => text.includes("idToken"))
    assert.strictEqual(withIdToken.length, 1)
    assert.include(withIdToken[0], "POST http://localhost")
    const [asked] = await sent.to(app.va.authorizationUrl)
    const query = new URL(asked!.split("\n", 1)[0]!.slice("GET ".length)).searchParams
    assert.deepStrictEqual(
      [query.get("code_challenge_method"), query.get("redirect_uri"), query.get("scope")],
      ["S256", `${app.url}/`, app.va.scopes]
    )
    assert.notMatch(query.get("scope")!, /\*|offline_access|profile/)

    await page.getByRole("link", { name: "Get my record from VA" }).click()
    await page.getByText(/^Updated\./).waitFor()
    app.va.answerBy(undefined)
    const [token = ""] = [...tokens].filter((one) => one !== "")
    assert.lengthOf(token, 43)
    assert.deepStrictEqual((await sent.to(app.service.url)).filter((text) => text.includes(token)), [])
    assert.deepStrictEqual((await sent.to(app.url)).filter((text) => text.includes(token)), [])
    assert.notInclude(JSON.stringify(await stored(page)), token)
  })

  test("takes a desk's code out of the address first, and brings it to the share", async () => {
    const veteran = await newVeteran(app)
    const { look, page, requests } = await openApp("#invite=ABCDE-12345")
    await atConnect(page)
    assert.strictEqual(page.url(), `${app.url}/#/share`)
    await says(page, "Connect first. Then you can share with the clinic.")
    await look("S1 with a desk's code")
    await signInAtVa(page, veteran)
    await until(
      "the directory is asked for the code",
      async () => requests.some((request) => request.includes("provider-directory?invitation=ABCDE-12345"))
    )
    assert.deepStrictEqual((await stored(page)).session, {})
    assert.notInclude(page.url(), "ABCDE")
  })

  test("that did not start here is refused, nothing is sent anywhere, and one that the veteran refuses saves nothing", async () => {
    const { context, look, lookAtWords, order, page, requests } = await openApp(
      "?code=a-planted-code&state=a-planted-state"
    )
    await says(page, "That sign-in did not start here. Start again.")
    await lookAtWords("S1 planted")
    assert.strictEqual(page.url(), `${app.url}/`)
    assert.deepStrictEqual(requests.filter((request) => request.startsWith("POST")), [])
    // A state that is not this tab's is refused too, and the begun sign-in cannot be finished any more.
    await button(page, "Connect to VA").click()
    await page.getByRole("link", { name: "Do not connect" }).waitFor()
    const begun = requests.length
    await page.goto(`${app.url}/?code=a-planted-code&state=another`)
    await says(page, "That sign-in did not start here. Start again.")
    assert.deepStrictEqual(requests.slice(begun).filter((request) => request.startsWith("POST")), [])
    assert.deepStrictEqual((await stored(page)).session, {})
    await button(page, "Connect to VA").click()
    await page.getByRole("link", { name: "Do not connect" }).click()
    await says(page, "You chose not to connect. Nothing was saved.")
    await atConnect(page)
    assert.strictEqual(page.url(), `${app.url}/`)
    const { databases, session } = await stored(page)
    assert.deepStrictEqual([databases, session], [{}, {}])
    await look("S1 denied")

    // The first screen, and what it says without a connection.
    await page.reload()
    await atConnect(page)
    assert.deepStrictEqual(await order(), ["link Skip to main content", "button Connect to VA",
      "button Open with face or fingerprint", "DisclosureTriangle What we keep", "combobox Language, idioma"])
    await page.getByText("What we keep").click()
    await look("S1 first screen")
    await context.setOffline(true)
    await page.getByText("You are offline.", { exact: true }).first().waitFor()
    await look("S1 offline")
  })

  test("comes back to the address where it began, is not ended by a planted one, and makes room for another veteran", async () => {
    const [ann, bob] = [await newVeteran(app), await newVeteran(app)]
    const { page } = await enterVeteranApp(app, ann, { route: "#/sharing" })
    await heading(page, "Who has my record now").waitFor()
    assert.strictEqual(page.url(), `${app.url}/#/sharing`)
    await page.goto(`${app.url}/?error=access_denied&state=a-planted-state`)
    await says(page, "That sign-in did not start here. Start again.")
    await account(page).waitFor()
    assert.strictEqual(page.url(), `${app.url}/`)
    await account(page).click()
    await button(page, "Sign out").click()
    await atLocked(page)
    await signInAtVa(page, bob)
    await heading(page, `Hello, ${bob.name}`).waitFor()
    assert.notInclude(await page.content(), ann.name)
  })
})

describe("An account that is not paired", () => {
  test("is paired by the code of the mail, and wrong codes are counted", async () => {
    const veteran = await newUnpaired(app)
    const { look, order, page } = await openApp()
    await signInAtVa(page, veteran)
    await heading(page, "One time only: prove that this record is yours").waitFor()
    const code = await codeTo(app, veteran.email)
    const field = page.getByLabel("Code from the e-mail")
    assert.deepStrictEqual(await order(), [
      "link Skip to main content",
      "textbox Code from the e-mail",
      "button Go on",
      "button I have a code on paper",
      "DisclosureTriangle No mail after 5 minutes?",
      "button Stop and go back",
      "combobox Language, idioma"
    ])
    await page.getByText("No mail after 5 minutes?").click()
    await look("S2")
    await field.fill("123")
    await button(page, "Go on").click()
    await says(page, "Enter the 8 digits of the e-mail.")
    await field.fill(wrong(code))
    await button(page, "Go on").click()
    await says(page, "That code is not right. 4 tries left.")
    await look("S2 wrong code")
    await field.fill(code)
    await button(page, "Go on").click()
    await heading(page, `Hello, ${veteran.name}`).waitFor()
    // The grant of the sign-in is still there: the update does not go to the VA again.
    await page.getByRole("link", { name: "Get my record from VA" }).click()
    await page.getByText(/^Updated\./).waitFor()
    // Paired once, it needs no code on another device.
    await enterVeteranApp(app, veteran)
  })

  test("begins anew after five wrong codes, and is paired by a code on paper", async () => {
    const veteran = await newUnpaired(app)
    const { look, page } = await openApp()
    await signInAtVa(page, veteran)
    const code = await codeTo(app, veteran.email)
    const field = page.getByLabel("Code from the e-mail")
    for (const left of ["4 tries", "3 tries", "2 tries", "1 try"]) {
      await field.fill(wrong(code))
      await button(page, "Go on").click()
      await says(page, `That code is not right. ${left} left.`)
    }
    await button(page, "Go on").click()
    await says(page, "That code no longer works. Start again.")
    await button(page, "Start again").click()
    await atConnect(page)
    // The key opened nothing, and is not kept.
    await until("the key is gone", async () => Object.keys((await stored(page)).databases).length === 0)
    await signInAtVa(page, veteran)
    await button(page, "I have a code on paper").click()
    await button(page, "Go on").click()
    await page.getByText("Enter the 12 letters and numbers of the paper.").waitFor()
    await look("S2 code on paper")
    await page.getByLabel("Code on paper").fill(await operatorCode(app.service, veteran.id))
    await button(page, "Go on").click()
    await heading(page, `Hello, ${veteran.name}`).waitFor()
  })

  test("can join the waitlist, and is not told who is registered", async () => {
    const stranger = app.va.addPerson()
    const { page } = await openApp()
    await signInAtVa(page, stranger)
    await says(page, "If you are registered here, we sent a code to your e-mail.")
    await page.getByText("No mail after 5 minutes?").click()
    await page.getByLabel("Your e-mail").fill("stranger@example.org")
    await button(page, "Join the waitlist").click()
    await says(page, "You are on the waitlist. We will write to you.")
  })
})

describe("An answer of the VA that is not right", () => {
  const unfinished = "VA did not finish. Start again."
  const nobody = "VA did not say whose record this is. Call VA 800-698-2411."

  const whole = { access_token: "a", token_type: "Bearer", id_token: "b", patient: "p" }

  const answers: ReadonlyArray<readonly [what: string, words: string, answer: (response: ServerResponse) => void]> = [
    ["without a patient", nobody, asJson({ access_token: "a", token_type: "Bearer", id_token: "b" })],
    ["without an id_token", nobody, asJson({ access_token: "a", token_type: "Bearer", patient: "p" })],
    ["without an access token", unfinished, asJson({ id_token: "b", token_type: "Bearer", patient: "p" })],
    ["that is a list", unfinished, asJson([])],
    ["of another kind of token", unfinished,
      asJson({ access_token: "a", token_type: "mac", id_token: "b", patient: "p" })],
    ["that is HTML", unfinished,
      (response) =>
        void response.writeHead(200, { ...cors, "content-type": "text/html" }).end("<script>alert(1)</script>")],
    ["with the type of a page", unfinished,
      (response) => void response.writeHead(200, { ...cors, "content-type": "text/html" }).end(JSON.stringify(whole))],
    ["that is no JSON", unfinished,
      (response) =>
        void response.writeHead(200, { ...cors, "content-type": "application/json" }).end("{\"access_token\": ")],
    ["with status 500", unfinished, (response) => void response.writeHead(500, cors).end("{}")],
    ["that leads elsewhere", unfinished,
      (response) => void response.writeHead(307, { ...cors, location: `${app.service.url}/health` }).end()],
    ["that is too large", unfinished, (response) => {
      response.writeHead(200, { ...cors, "content-type": "application/json" })
      const more = () => {
        while (!response.destroyed && response.write(" ".repeat(65_536)));
      }
      response.on("drain", more).on("error", () => {})
      more()
    }],
    ["that breaks off", unfinished, (response) => void response.destroy()]
  ]

  test("is refused in words and keeps nothing, until there is one that is right", async () => {
    const { context, expect, page, requests } = await openApp()
    expect(/40[19]|500|ERR_|content security|policy: connect-src|Fetch API cannot load|Failed to load/i)
    const asked = () => requests.filter((request) => request.endsWith("/app/session"))
    for (const [what, words, answer] of answers) {
      answerTokenBy(answer)
      await signInAtVa(page, app.va.addPerson())
      await says(page, words)
      await atConnect(page)
      assert.deepStrictEqual(asked(), [], what)
      assert.deepStrictEqual((await stored(page)).databases, {}, what)
    }

    // The service refuses an id_token.
    answerTokenBy(asJson({ access_token: "a", token_type: "bearer", id_token: "a.b.c", patient: "p", more: { x: 1 } }))
    await signInAtVa(page, app.va.addPerson())
    await says(page, "That sign-in could not be checked. Start again.")
    app.va.answerBy(undefined)

    // The VA names another patient than before.
    const moved = await newVeteran(app)
    app.va.people.splice(app.va.people.findIndex(({ subject }) => subject === moved.subject), 1, {
      ...moved,
      patientId: "another"
    })
    await signInAtVa(page, moved)
    await says(page, "VA's number for you has changed. Call us: we will look.")

    // The service, which checks a right one, is away.
    const veteran = await newVeteran(app)
    await context.route("**/app/session", (route) => route.abort())
    await signInAtVa(page, veteran)
    await says(page, unfinished)
    await context.unroute("**/app/session")
    await signInAtVa(page, veteran)
    await heading(page, `Hello, ${veteran.name}`).waitFor()
  })

  test("that never comes is given up after 20 seconds", async () => {
    const person = app.va.addPerson()
    const { page } = await openApp()
    await page.clock.install()
    let asked = false
    answerTokenBy((response) => {
      asked = true
      response.writeHead(200, { ...cors, "content-type": "application/json" }).write(" ")
    })
    await signInAtVa(page, person)
    await until("the VA is asked", async () => asked)
    await page.getByText("Finishing sign-in").or(page.getByRole("heading", { name: "Veteran Records" })).first()
      .waitFor()
    await page.clock.fastForward(21_000)
    await says(page, unfinished)
    app.va.answerBy(undefined)
  })
})
