import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { PNG } from "pngjs"
import { freePort } from "../src/postgres/EmbeddedPostgres.ts"
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
import { expecting, open, resources, syncBody, syncPath, type Tree } from "./Bench.ts"
import { benchmark, type Figure } from "./Figure.ts"
import type { Held } from "./loop-probe.ts"
import { largeBody } from "./sync.ts"

/** Opens a service that reports, on a separate port, how long its event loop was blocked since the last report. */
export const openHeld = Effect.fnUntraced(function*(tree: Tree, settings: Record<string, string> = {}) {
  const port = yield* Effect.promise(freePort)
  const bench = yield* open(tree, {
    ...settings,
    NODE_OPTIONS: `--import=${new URL("loop-probe.ts", import.meta.url).href}`,
    LOOP_PROBE_PORT: `${port}`
  })
  return { ...bench, held: async () => await (await fetch(`http://127.0.0.1:${port}`)).json() as Held }
})

/** The heaviest request of each kind of route. */
const routes = {
  nothing: "nothing, 1 s",
  health: "GET /health",
  docs: "GET /api/docs",
  openapi: "GET /api/openapi.json",
  roi: "POST roi, 4 million pixels, longest texts",
  upload: "POST documents, 25 MiB",
  download: "GET documents/{id}/content, 25 MiB",
  syncAgain: "POST sync, 3,000 resources again",
  ownRecord: "GET health-record, 4 MB",
  record: "GET record, of 3,000",
  manifest: "GET health-record/manifest and alerts",
  noise: "GET health-record, one of 20 MB, noise",
  text: "GET health-record, one of 20 MB, text",
  recordOfText: "GET record, one of 20 MB, text",
  largeSync: "POST sync, 60 MB",
  deep: "POST, 64 KiB of JSON, 64 levels",
  unknown: "POST, 64 KiB of unknown members",
  entries: "GET self-reported-entries, 200 of the longest",
  notes: "GET provider-notes, 200 of the longest",
  longest: "GET record, 200 of the longest of each",
  documents: "GET documents, 200",
  veterans: "GET admin/veterans, 200",
  logins: "POST provider/login, 16 at once"
}

type Route = keyof typeof routes

const figures = Object.fromEntries(
  Object.entries(routes).map((
    [key, name]
  ) => [key, { name: `event loop held: ${name}`, unit: "ms", goal: { atMost: 20 } }])
) as Record<Route, Figure>

/** The main thread's longest work between two turns of the event loop, without the time of other programs. */
export const loop = benchmark<Route>({
  rounds: 5,
  figures,
  open: Effect.fnUntraced(function*(tree) {
    const { held, owner, service } = yield* openHeld(tree)
    const requests = yield* Effect.promise(() => prepared({ owner, service }))
    const measured = async (ask: () => Promise<unknown>) => {
      await setTimeout(100)
      await held()
      await ask()
      const { garbage, wall, worked } = await held()
      return { ours: worked, detail: `of it garbage ${garbage.toFixed(0)} ms; by the wall ${wall.toFixed(0)}` }
    }
    return async () => {
      await owner.query("delete from rate_limit_spendings")
      const samples = []
      for (const [route, ask] of Object.entries(requests)) samples.push([route, await measured(ask)] as const)
      return Object.fromEntries(samples) as Record<Route, (typeof samples)[0][1]>
    }
  })
})

type Prepared = Pick<Effect.Success<ReturnType<typeof openHeld>>, "owner" | "service">

const prepared = async ({ owner, service }: Prepared): Promise<Record<Route, () => Promise<unknown>>> => {
  const expect = async (status: number, ...[method, path, request]: Asked) =>
    expecting(status, await call(service, method, path, request))
  const get = ({ headers }: Pick<SignedIn, "headers">, path: string) => expect(200, "GET", path, { headers })
  const post = ({ headers }: Pick<SignedIn, "headers">, path: string, body: unknown, status = 201) =>
    expect(status, "POST", path, { headers, body })
  const sync = (who: SignedIn, body: Buffer) => post(who, syncPath, body, 200)

  const [veteran, large, other] = [
    await signInVeteran(service),
    await signInVeteran(service),
    await signInVeteran(service)
  ]
  const provider = await signInProvider(service)
  for (const one of [veteran, large]) await giveGrant(service, one, provider)

  const drawn = PNG.sync.write(new PNG({ width: 2000, height: 2000 })).toString("base64")
  const text = "Ångström and ﬁne cafés, Việt Nam. ".repeat(280).slice(0, 9500)
  const heaviest = release({
    recipient: { name: text, organization: text, email: "ada.gray@clinic.example" },
    purpose: { code: "other", text },
    signature: { ...release().signature, signerRole: "representative", authority: text, drawnPng: drawn }
  })
  const file = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(25 * 1024 * 1024 - 9)])
  let document = ""

  const real = syncBody(resources(3000))
  await sync(veteran, real)
  const ofOne = (data: string) => {
    const resource = { resourceType: "DocumentReference", id: "large", content: [{ attachment: { data } }] }
    return syncBody(new Map([["DocumentReference", [JSON.stringify(resource)]]]))
  }
  await sync(large, ofOne("a sentence that is said again. ".repeat(20e6 / 31)))
  await sync(other, ofOne(randomBytes(15e6).toString("base64")))
  const many = largeBody(60e6)

  const entriesPath = "/api/veteran/me/self-reported-entries"
  const deep = "[".repeat(64) + "]".repeat(64)
  const levels = Array.from({ length: Math.floor(64_000 / 129) }, () => deep.slice(2, -2)).join(",")
  const nested = `{"category":"note","text":"x","extra":[${levels}]}`
  const unknown = `{${Array.from({ length: 6000 }, (_, n) => `"m${n}":1`).join(",")}}`
  const record = `/api/provider/patients/${veteran.id}`
  for (let n = 0; n < 200; n++) {
    if (n % 50 === 0) await owner.query("delete from rate_limit_spendings")
    await post(veteran, entriesPath, { category: "note", text: "é".repeat(10_000) })
    await post(provider, `${record}/notes`, { text: "é".repeat(20_000) })
  }
  await registerVeterans(owner, 200)
  return {
    nothing: () => setTimeout(1000),
    health: () => expect(200, "GET", "/health"),
    docs: () => expect(200, "GET", "/api/docs"),
    openapi: () => expect(200, "GET", "/api/openapi.json"),
    roi: () => post(veteran, "/api/veteran/me/roi", heaviest),
    upload: async () => document = (await upload(service, veteran, file, "a.pdf")).json.id,
    download: async () => {
      const answer = await fetch(`${service.url}/api/veteran/me/documents/${document}/content`, veteran)
      if ((await answer.arrayBuffer()).byteLength !== file.length) throw new Error("not all of it")
    },
    syncAgain: () => sync(veteran, real),
    ownRecord: () => get(veteran, "/api/veteran/me/health-record?limit=1000"),
    record: () => get(provider, `${record}/record?limit=1000`),
    manifest: async () => {
      await get(veteran, "/api/veteran/me/health-record/manifest")
      await get(veteran, "/api/veteran/me/alerts")
    },
    noise: () => get(other, "/api/veteran/me/health-record"),
    text: () => get(large, "/api/veteran/me/health-record"),
    recordOfText: () => get(provider, `/api/provider/patients/${large.id}/record`),
    largeSync: async () => sync(await signInVeteran(service), many),
    deep: () => post(veteran, entriesPath, nested, 400),
    unknown: () => post(veteran, entriesPath, unknown, 400),
    entries: () => get(veteran, `${entriesPath}?limit=200`),
    notes: () => get(veteran, "/api/veteran/me/provider-notes?limit=200"),
    longest: () => get(provider, `${record}/record?limit=1000`),
    documents: () => get(veteran, "/api/veteran/me/documents?limit=200"),
    veterans: () => expect(200, "GET", "/api/admin/veterans?limit=200", { headers: asAdmin }),
    logins: () =>
      Promise.all(Array.from({ length: 16 }, async () => {
        const body = { email: (await signInProvider(service)).email, password: providerPassword }
        await expect(200, "POST", "/api/provider/login", { body })
      }))
  }
}

type Asked = Parameters<typeof call> extends [unknown, ...infer Rest] ? Rest : never
