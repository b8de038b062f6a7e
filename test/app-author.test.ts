import { createHash, randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { Webhook } from "standardwebhooks"
import { assert, describe, test } from "vitest"
import { codeFor, registerVeteran } from "./http/oauth/Asking.ts"
import { openOwnApp } from "./support/App.ts"
import { type Answer, call, setCookieOf, signIn } from "./support/Client.ts"
import { Names, parseExamples } from "./support/Examples.ts"
import { differencesOf, isForApps, operationsOf, sendExample } from "./support/RunExamples.ts"
import { adminSecret } from "./support/Service.ts"
import { sync } from "./support/Sync.ts"

const page = await readFile(new URL("../docs/app-author.md", import.meta.url), "utf8")

const examples = parseExamples(page)

const { service } = await openOwnApp()

const veteran = await registerVeteran(service)

await sync(service, await signIn(service, veteran), { Observation: "complete" }, {
  Observation: ["a1c-1", "a1c-2"].map((id, index) =>
    JSON.stringify({
      resourceType: "Observation",
      id,
      status: "final",
      category: [{ coding: [{ code: "laboratory" }] }],
      code: { coding: [{ system: "http://loinc.org", code: index === 0 ? "4548-4" : "2093-3" }] },
      effectiveDateTime: "2015-03-01"
    })
  )
})

const verifier = randomBytes(32).toString("base64url")

/** The cookies that the browser keeps. */
let cookie = ""

let request = ""

const look = (answer: Answer) => {
  if (answer.headers.has("set-cookie")) cookie = setCookieOf(answer)
  request = /name="request" value="([^"]*)"/.exec(answer.text)?.[1] ?? request
}

const names = new Names(async (name) => {
  const known: Readonly<Record<string, string>> = {
    adminSecret,
    base: service.url,
    verifier,
    challenge: createHash("sha256").update(verifier).digest("base64url"),
    veteranEmail: veteran.email,
    veteranId: veteran.id,
    issuer: encodeURIComponent(`${service.url}/api/oauth`),
    cookie,
    request
  }
  return name === "mailedCode" ? await codeFor(service, veteran.email) : known[name]
})

describe("The page for the author of an app", () => {
  test("shows each operation of apps in exactly one example", async () => {
    const { json } = await call(service, "GET", "/api/openapi.json")
    const operations = Object.entries<object>(json.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "{}")}`)
    )
    // The examples name the type Observation where the contract has a parameter.
    const shown = operationsOf(examples).map((operation) =>
      operation.replace(/(\/R4|\/Patient\/\{\})\/Observation/, "$1/{}")
    )
    assert.deepStrictEqual(shown.toSorted(), operations.filter(isForApps).toSorted())
  })
})

describe("The service answers as the page shows", () => {
  test.for(examples)("line $line: $method $target", async (example) => {
    for (const name of ["base", "issuer"]) await names.fill(`{${name}}`)
    const answer = await sendExample(service, names, example)
    look(answer)
    assert.strictEqual(answer.status, example.answer.status, answer.text)
    assert.deepStrictEqual(differencesOf(names, example, answer), [], answer.text)
  })

  test("with a webhook key that standardwebhooks accepts, and with the grant's id in the token", async () => {
    const key = new Webhook(await names.fill("{webhookSecret}"))
    assert.match(key.sign("id", new Date(), "{}"), /^v1,/)
    const [, payload] = (await names.fill("{accessToken}")).split(".")
    assert.match(JSON.parse(Buffer.from(payload!, "base64url").toString()).gid, /^[0-9a-f-]{36}$/)
  })
})
