import { ConfigProvider, Effect, Layer, Logger, ManagedRuntime } from "effect"
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose"
import { createHash, randomBytes } from "node:crypto"
import { connect } from "node:net"
import { assert, describe, test } from "vitest"
import { SandboxVa } from "../../src/layers/SandboxVa.ts"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { Settings } from "../../src/services/platform/Settings.ts"
import { atEnd } from "../support/App.ts"

const app = "http://localhost:8082/"

const clientId = "sandbox-veteran-app"

const open = async (environment: Record<string, string> = {}) => {
  const port = await freePort()
  const provider = ConfigProvider.fromUnknown({ SANDBOX_VA_PORT: `${port}`, ...environment })
  const runtime = ManagedRuntime.make(SandboxVa.pipe(
    Layer.provide(Settings.layer),
    Layer.provide(ConfigProvider.layer(provider)),
    Layer.provide(Logger.layer([]))
  ))
  await runtime.runPromise(Effect.void)
  atEnd(() => runtime.dispose())
  return `http://localhost:${port}`
}

const va = await open()

const begin = () => {
  const verifier = randomBytes(32).toString("base64url")
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") }
}

const authorize = (challenge: string, changes: Record<string, string> = {}, at = va) => {
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: app,
    scope: "openid launch/patient patient/Condition.read",
    state: "a-state",
    nonce: "a-nonce",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changes
  }
  const given = Object.entries(parameters).filter(([, value]) => value !== "")
  return fetch(`${at}/oauth2/health/v1/authorization?${new URLSearchParams(given)}`, { redirect: "manual" })
}

/** The address to which the page links this text. */
const linkOf = (page: string, text: string) => {
  const [, href] = new RegExp(`<a href="([^"]*)">${text}</a>`).exec(page) ?? []
  return new URL(href!.replaceAll("&amp;", "&"))
}

const codeFor = async (name: string, challenge: string, changes: Record<string, string> = {}, at = va) =>
  linkOf(await (await authorize(challenge, changes, at)).text(), name).searchParams.get("code")!

const token = (form: Record<string, string>, at = va) =>
  fetch(`${at}/oauth2/health/v1/token`, {
    method: "POST",
    headers: { origin: "http://localhost:8082" },
    body: new URLSearchParams({ client_id: clientId, redirect_uri: app, grant_type: "authorization_code", ...form })
  })

const signIn = async (name: string, changes: Record<string, string> = {}, at = va) => {
  const { challenge, verifier } = begin()
  const code = await codeFor(name, challenge, changes, at)
  return (await token({ code, code_verifier: verifier }, at)).json() as Promise<Record<string, any>>
}

const search = (accessToken: string, query: string, at = va) =>
  fetch(`${at}/services/fhir/v0/r4/${query}`, { headers: { authorization: `Bearer ${accessToken}` } })

const patients = { eagle: "1012845672V157064", hawk: "1010101010V202020", robin: "1012666073V986500" }

describe("The sandbox VA's sign-in", () => {
  test("asks who the person is, and takes them back with a code or a refusal", async () => {
    const answer = await authorize(begin().challenge)
    assert.strictEqual(answer.status, 200)
    const page = await answer.text()
    assert.include(page, "<h1>Sandbox VA: who are you?</h1>")
    for (const name of ["Eagle One", "Hawk Two", "Robin Three"]) {
      const { href, searchParams } = linkOf(page, name)
      assert.isTrue(href.startsWith(`${app}?`))
      assert.strictEqual(searchParams.get("state"), "a-state")
      assert.lengthOf(searchParams.get("code")!, 43)
    }
    assert.strictEqual(linkOf(page, "Do not connect").search, "?error=access_denied&state=a-state")
    const style = createHash("sha256").update(/<style>([^<]*)<\/style>/.exec(page)![1]!).digest("base64")
    assert.strictEqual(
      answer.headers.get("content-security-policy"),
      `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; frame-ancestors 'none'`
    )
  })

  test.each([{ client_id: "other" }, { redirect_uri: "https://elsewhere.example/" }, { redirect_uri: `${app}more` }])(
    "sends nobody to an address that is not registered: %j",
    async (changes) => {
      const answer = await authorize(begin().challenge, changes as Record<string, string>)
      assert.deepStrictEqual([answer.status, answer.headers.get("location")], [400, null])
    }
  )

  test.each([
    [{ code_challenge_method: "plain" }, "error=invalid_request&state=a-state"],
    [{ code_challenge: "" }, "error=invalid_request&state=a-state"],
    [{ response_type: "token" }, "error=invalid_request&state=a-state"],
    [{ state: "" }, "error=invalid_request"],
    [{ scope: "openid patient/*.read" }, "error=invalid_scope&state=a-state"]
  ])("refuses %j", async (changes, query) => {
    const answer = await authorize(begin().challenge, changes as Record<string, string>)
    assert.deepStrictEqual([answer.status, answer.headers.get("location")], [302, `${app}?${query}`])
  })

  test("gives an id_token for the nonce, with the patient beside it, to any page", async () => {
    const { challenge, verifier } = begin()
    const answer = await token({ code: await codeFor("Eagle One", challenge), code_verifier: verifier })
    assert.strictEqual(answer.headers.get("access-control-allow-origin"), "http://localhost:8082")
    const { access_token, id_token, state, ...rest } = await answer.json() as any
    assert.isString(state)
    assert.deepStrictEqual(rest, {
      token_type: "Bearer",
      expires_in: 3600,
      scope: "openid launch/patient patient/Condition.read",
      patient: patients.eagle
    })
    assert.lengthOf(access_token, 43)
    const keys = await (await fetch(`${va}/oauth2/health/v1/keys`)).json() as JSONWebKeySet
    const { payload } = await jwtVerify(id_token, createLocalJWKSet(keys), {
      issuer: `${va}/okta`,
      audience: clientId,
      algorithms: ["RS256"]
    })
    assert.deepStrictEqual([payload.sub, payload["nonce"], payload.aud], ["00usandboxeagle", "a-nonce", clientId])
    assert.isUndefined(payload["patient"])
  })

  test("takes a code once, in parallel too, and only with its verifier, address and client", async () => {
    const { challenge, verifier } = begin()
    const code = await codeFor("Eagle One", challenge)
    const answers = await Promise.all(Array.from({ length: 8 }, () => token({ code, code_verifier: verifier })))
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(400)])
    for (const changes of [{ code_verifier: begin().verifier }, { redirect_uri: "https://elsewhere.example/" }]) {
      const another = await codeFor("Eagle One", challenge)
      const refused = await token({ code: another, code_verifier: verifier, ...changes as Record<string, string> })
      assert.deepStrictEqual([refused.status, await refused.json()], [400, { error: "invalid_grant" }])
      // The refused code is spent.
      assert.strictEqual((await token({ code: another, code_verifier: verifier })).status, 400)
    }
    assert.strictEqual((await token({ code: "x", client_id: "other" })).status, 401)
    assert.strictEqual((await token({ grant_type: "password" })).status, 400)
  })

  test("rotates a refresh token, which only offline_access gives", async () => {
    assert.notProperty(await signIn("Eagle One"), "refresh_token")
    const first = await signIn("Eagle One", { scope: "openid launch/patient offline_access" })
    const renew = () => token({ grant_type: "refresh_token", refresh_token: first["refresh_token"] })
    const [one, other] = await Promise.all([renew(), renew()])
    assert.deepStrictEqual([one.status, other.status].sort(), [200, 400])
  })

  test("forgets the oldest of many codes, and goes on", async () => {
    const { challenge, verifier } = begin()
    const code = await codeFor("Eagle One", challenge)
    // Each page makes three codes, and 1,000 are kept.
    for (let round = 0; round < 34; round++) {
      await Promise.all(Array.from({ length: 10 }, async () => (await authorize(challenge)).text()))
    }
    assert.strictEqual((await token({ code, code_verifier: verifier })).status, 400)
    assert.isString((await signIn("Eagle One"))["access_token"])
  })

  test("allows no page to load its keys, as at the VA", async () => {
    const headers = { origin: "http://localhost:8082" }
    for (const method of ["GET", "OPTIONS"]) {
      const answer = await fetch(`${va}/oauth2/health/v1/keys`, { method, headers })
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), null)
    }
  })
})

describe("The sandbox VA's records", () => {
  test("come in pages of at most 100, with absolute links, to any page with a token of this person", async () => {
    const { access_token: accessToken } = await signIn("Hawk Two")
    const read = async (query: string) => {
      const answer = await search(accessToken, query)
      assert.deepStrictEqual([answer.status, answer.headers.get("access-control-allow-origin")], [200, "*"])
      return answer.json() as any
    }
    const first = await read(`Observation?patient=${patients.hawk}&_count=1000`)
    assert.lengthOf(first.entry, Math.min(100, first.total))
    const second = await read(`Observation?patient=${patients.hawk}&_count=10`)
    assert.lengthOf(second.entry, 10)
    assert.strictEqual(
      second.link.find(({ relation }: any) => relation === "next").url,
      `${va}/services/fhir/v0/r4/Observation?patient=${patients.hawk}&_count=10&page=2`
    )
    assert.lengthOf((await read(`Observation?patient=${patients.hawk}`)).entry, Math.min(30, first.total))
  })

  test("may count more than they give", async () => {
    const { access_token: accessToken } = await signIn("Eagle One")
    const answer = await search(accessToken, `Observation?patient=${patients.eagle}&_count=100`)
    const { entry, link, total } = await answer.json() as any
    assert.deepStrictEqual([entry.length, total], [30, 76])
    assert.isUndefined(link.find(({ relation }: any) => relation === "next"))
  })

  test("may be empty", async () => {
    const { access_token: accessToken } = await signIn("Robin Three")
    const { entry, total } = await (await search(accessToken, `Condition?patient=${patients.robin}`)).json() as any
    assert.deepStrictEqual([entry, total], [undefined, 0])
  })

  test("are not for others, and not at any other address", async () => {
    const { access_token: accessToken } = await signIn("Hawk Two")
    const queries = [`Condition?patient=${patients.eagle}`, "Condition", `condition?patient=${patients.hawk}`,
      `../x?patient=${patients.hawk}`, `Condition?patient=${patients.hawk}&_count=0`,
      `Condition?patient=${patients.hawk}&page=x`]
    const answers = await Promise.all(queries.map((query) => search(accessToken, query)))
    assert.deepStrictEqual(answers.map(({ status }) => status), [403, 403, 404, 404, 400, 400])
    assert.strictEqual((await search("x", `Condition?patient=${patients.hawk}`)).status, 401)
  })

  test("are limited to a number of requests a minute, by all people together", async () => {
    const limited = await open({ SANDBOX_VA_LIMIT: "5" })
    const tokens = [await signIn("Hawk Two", {}, limited), await signIn("Eagle One", {}, limited)]
    const answers = []
    for (let index = 0; index < 12; index++) {
      answers.push(await search(tokens[index % 2]!["access_token"], "Condition?patient=x", limited))
    }
    // A minute may end among these requests, and then five more are answered.
    const refused = answers.filter(({ status }) => status === 429)
    assert.isAtLeast(refused.length, 2)
    assert.deepStrictEqual(await refused[0]!.json(), { message: "API rate limit exceeded" })
  })
})

describe("A stranger at the sandbox VA", () => {
  test("is refused a long form before it is read", async () => {
    assert.strictEqual((await token({ code: "x".repeat(20_000) })).status, 413)
  })

  test("does no harm by another method or by what is no request", async () => {
    assert.strictEqual((await fetch(`${va}/oauth2/health/v1/token`, { method: "PUT" })).status, 405)
    for (const path of ["//", "/%", "http://x:99999999/"]) {
      await new Promise<void>((done) => {
        const socket = connect(Number(new URL(va).port), "127.0.0.1", () => {
          socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
        })
        socket.resume().once("close", () => done()).once("error", () => done())
      })
    }
    assert.isString((await signIn("Eagle One"))["access_token"])
  })
})
