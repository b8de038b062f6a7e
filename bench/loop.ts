import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { PNG } from "pngjs"
import { freePort } from "../src/layers/EmbeddedPostgres.ts"
import { release, upload } from "../test/http/release/Releases.ts"
import {
  asAdmin,
  call,
  giveGrant,
  providerPassword,
  registerVeterans,
  type SignedIn,
  signInProvider,
  signInVeteran
} from "../test/support/Client.ts"
import { median, open, resources, syncBody } from "./Bench.ts"
import type { Held } from "./loop-probe.ts"

const aim = 20

/** The longest that the heaviest request of each kind of route holds the event loop. */
export const benchLoop = Effect.gen(function*() {
  const port = yield* Effect.promise(freePort)
  const { owner, service } = yield* open({
    NODE_OPTIONS: `--import=${new URL("loop-probe.ts", import.meta.url).href}`,
    LOOP_PROBE_PORT: `${port}`
  })
  const held = async () => await (await fetch(`http://127.0.0.1:${port}`)).json() as Held

  const measure = async (route: string, ask: () => Promise<unknown>, rounds = 5) => {
    const all: Array<Held> = []
    for (let round = 0; round < rounds + 1; round++) {
      await setTimeout(100)
      await held()
      await ask()
      // The first round finds code that has never run.
      if (round > 0) all.push(await held())
    }
    const longest = all.reduce((most, one) => one.worked > most.worked ? one : most)
    console.log(
      `${route.padEnd(44)} ${longest.worked.toFixed(0).padStart(4)} ms  median ${
        median(all.map(({ worked }) => worked)).toFixed(0).padStart(3)
      }, of it garbage ${longest.garbage.toFixed(0).padStart(3)}, by the wall ${
        Math.max(...all.map(({ wall }) => wall)).toFixed(0).padStart(3)
      }${longest.worked > aim ? "  <- above" : ""}`
    )
  }

  const expect = async (status: number, method: string, path: string, request: Parameters<typeof call>[3] = {}) => {
    const answer = await call(service, method, path, request)
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
    return answer
  }
  const get = (who: Pick<SignedIn, "headers">, path: string) => expect(200, "GET", path, { headers: who.headers })
  const post = (who: Pick<SignedIn, "headers">, path: string, body: unknown, status = 201) =>
    expect(status, "POST", path, { headers: who.headers, body })
  const sync = (who: SignedIn, body: Buffer) => post(who, "/api/veteran/me/health-record/sync", body, 200)
  const veterans = () => signInVeteran(service)

  yield* Effect.promise(async () => {
    console.log(`\nthe event loop's longest hold, five requests each, aim ${aim} ms\n`)
    await measure("nothing, 1 s", () => setTimeout(1000))
    await measure("GET /health", () => expect(200, "GET", "/health"))
    await measure("GET /api/docs", () => expect(200, "GET", "/api/docs"))
    await measure("GET /api/openapi.json", () => expect(200, "GET", "/api/openapi.json"))

    const veteran = await veterans()
    const provider = await signInProvider(service)
    await giveGrant(service, veteran, provider)

    const drawn = PNG.sync.write(new PNG({ width: 2000, height: 2000 })).toString("base64")
    const text = "Ångström and ﬁne cafés, Việt Nam. ".repeat(280).slice(0, 9500)
    const heaviest = release({
      recipient: { name: text, organization: text, email: "ada.gray@clinic.example" },
      purpose: { code: "other", text },
      signature: { ...release().signature, signerRole: "representative", authority: text, drawnPng: drawn }
    })
    await measure("POST roi, 4 million pixels, longest texts", () => post(veteran, "/api/veteran/me/roi", heaviest))
    await measure(
      "POST roi, refused for each text",
      () =>
        post(veteran, "/api/veteran/me/roi", { ...heaviest, disclosingParty: { name: "\u{1F642}".repeat(1000) } }, 400)
    )

    const file = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(25 * 1024 * 1024 - 9)])
    let document = ""
    await measure("POST documents, 25 MiB", async () => {
      document = (await upload(service, veteran, file, "a.pdf")).json.id
    })
    await measure("GET documents/{id}/content, 25 MiB", async () => {
      const answer = await fetch(`${service.url}/api/veteran/me/documents/${document}/content`, {
        headers: veteran.headers
      })
      if ((await answer.arrayBuffer()).byteLength !== file.length) throw new Error("not all of it")
    })

    const real = resources(3000)
    await sync(veteran, syncBody(real))
    await measure("POST sync, 3,000 resources again", () => sync(veteran, syncBody(real)), 3)
    await measure("GET health-record, 4 MB", () => get(veteran, "/api/veteran/me/health-record?limit=1000"))
    await measure("GET record, of 3,000", () => get(provider, `/api/provider/patients/${veteran.id}/record?limit=1000`))
    await measure("GET health-record/manifest and alerts", async () => {
      await get(veteran, "/api/veteran/me/health-record/manifest")
      await get(veteran, "/api/veteran/me/alerts")
    })

    const large = await veterans()
    for (
      const [what, data] of [
        ["noise", randomBytes(15e6).toString("base64")],
        ["text", "a sentence that is said again. ".repeat(20e6 / 31)]
      ] as const
    ) {
      const resource = JSON.stringify({
        resourceType: "DocumentReference",
        id: "large",
        content: [{ attachment: { data } }]
      })
      await sync(large, syncBody(new Map([["DocumentReference", [resource]]])))
      await measure(`GET health-record, one of 20 MB, ${what}`, () => get(large, "/api/veteran/me/health-record"))
    }
    await giveGrant(service, large, provider)
    await measure("GET record, one of 20 MB, text", () => get(provider, `/api/provider/patients/${large.id}/record`))

    const copies = Math.floor(60e6 / syncBody(real).length)
    const many = syncBody(
      new Map([...real].map(([type, texts]) => [
        type,
        Array.from(
          { length: copies },
          (_, n) =>
            texts.map((text) => text.replace(/"id":"/, `"id":"m${n}-`).replace(/("id":"[^"]{64})[^"]*"/, "$1\""))
        )
          .flat()
      ]))
    )
    await measure(`POST sync, ${(many.length / 1e6).toFixed(0)} MB`, async () => sync(await veterans(), many), 2)

    const deep = "[".repeat(64) + "]".repeat(64)
    const nested = `{"category":"note","text":"x","extra":[${
      Array.from({ length: Math.floor(64_000 / 129) }, () => deep.slice(2, -2)).join(",")
    }]}`
    await measure(
      "POST, 64 KiB of JSON, 64 levels",
      () => post(veteran, "/api/veteran/me/self-reported-entries", nested, 400)
    )
    await measure(
      "POST, 64 KiB of unknown members",
      () =>
        post(
          veteran,
          "/api/veteran/me/self-reported-entries",
          `{${Array.from({ length: 6000 }, (_, n) => `"m${n}":1`).join(",")}}`,
          400
        )
    )

    for (let n = 0; n < 200; n++) {
      await post(veteran, "/api/veteran/me/self-reported-entries", { category: "note", text: "é".repeat(10_000) })
    }
    await measure(
      "GET self-reported-entries, 200 of the longest",
      () => get(veteran, "/api/veteran/me/self-reported-entries?limit=200")
    )
    for (let n = 0; n < 200; n++) {
      await post(provider, `/api/provider/patients/${veteran.id}/notes`, { text: "é".repeat(20_000) })
    }
    await measure(
      "GET provider-notes, 200 of the longest",
      () => get(veteran, "/api/veteran/me/provider-notes?limit=200")
    )
    await measure(
      "GET record, 200 of the longest of each",
      () => get(provider, `/api/provider/patients/${veteran.id}/record?limit=1000`)
    )
    await measure("GET documents, 200", () => get(veteran, "/api/veteran/me/documents?limit=200"))
    await registerVeterans(owner, 200)
    await measure(
      "GET admin/veterans, 200",
      () => expect(200, "GET", "/api/admin/veterans?limit=200", { headers: asAdmin })
    )
    await measure("POST provider/login, 16 at once", () =>
      Promise.all(Array.from({ length: 16 }, async () => {
        const body = { email: (await signInProvider(service)).email, password: providerPassword }
        await expect(200, "POST", "/api/provider/login", { body })
      })))
  })
})
