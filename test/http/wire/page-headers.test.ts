import { assert, test } from "vitest"
import { type Answer, call } from "../../support/Client.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { ask, begin, parametersOf, post, proved, registerApp, registerVeteran, submit } from "../oauth/Asking.ts"

const { database, service } = await openJudgedApp()

const app = await registerApp(await database.connect("owner"))

const veteran = await registerVeteran(service)

const { browser, page: consent } = await proved(service, app, veteran.email)

const docs = (method: string, headers: Record<string, string> = {}) => call(service, method, "/api/docs", { headers })

/** Each kind of answer that a browser shows as a page of the API's origin. */
const pages: Readonly<Record<string, readonly [status: number, answer: () => Promise<Answer>]>> = {
  "the documentation": [200, () => docs("GET")],
  "the documentation's head": [200, () => docs("HEAD")],
  "the documentation, unchanged": [
    304,
    async () => docs("GET", { "if-none-match": (await docs("HEAD")).headers.get("etag")! })
  ],
  "the page that asks for the e-mail": [200, () => ask(service, parametersOf(app))],
  "the page that asks for the code": [200, async () => submit(service, "email", await begin(service, app), veteran)],
  "the consent page": [200, async () => consent],
  "the page of an ended request": [
    200,
    () => submit(service, "decision", { ...browser, request: "x".repeat(43) }, { decision: "deny" })
  ],
  "the page for an unknown app": [400, () => ask(service, { ...parametersOf(app), client_id: "nobody" })],
  "the page for what cannot be read": [400, () => call(service, "GET", "/api/oauth/authorize?x=%ff")],
  "the page for a form of another site": [
    403,
    () => post(service, "decision", browser, { decision: "approve" }, { origin: "https://evil.example" })
  ],
  "the page for a large form": [413, () => post(service, "email", browser, { email: "x".repeat(9_000) })]
}

test.each(Object.entries(pages))("No window, page or script of elsewhere reaches %s", async (_, [expected, answer]) => {
  const { headers, status } = await answer()
  assert.strictEqual(status, expected)
  assert.match(headers.get("content-type")!, /^text\/html/)
  const names = ["cross-origin-opener-policy", "cross-origin-resource-policy", "permissions-policy"]
  assert.deepStrictEqual(
    names.map((name) => headers.get(name)),
    ["same-origin", "same-origin", "camera=(), microphone=(), geolocation=()"]
  )
  const policy = headers.get("content-security-policy")!.split("; ")
  assert.includeMembers(policy, ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
  const scripts = policy.find((directive) => directive.startsWith("script-src")) ?? ""
  assert.match(scripts, /^(script-src( 'sha256-[\w+/]{43}=')+)?$/)
})

test("The table lists the routes that answer with a page, apart from those of uploaded files, which are downloads", async () => {
  const { paths } = (await call(service, "GET", "/api/openapi.json")).json
  const answering = Object.entries<Record<string, any>>(paths).filter(([, operations]) =>
    Object.values(operations).some(({ responses }) =>
      Object.values<any>(responses).some(({ content = {} }) => "text/html" in content)
    )
  ).map(([path]) => path)
  assert.deepStrictEqual(answering.filter((path) => !/^\/api\/oauth\/authorize(\/|$)/.test(path)), [])
})
