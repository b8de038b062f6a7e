import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { randomUUID } from "node:crypto"
import { assert, test } from "vitest"
import { Api } from "../../src/http/Api.ts"
import { subjectHashes } from "../../src/services/ledger/SubjectHashes.ts"
import { Crypto } from "../../src/services/platform/Crypto.ts"
import { within } from "../http/document/Copies.ts"
import { connectApp } from "../http/fhir/Apps.ts"
import { openDatabase, openService } from "../support/App.ts"
import { registerProvider, signInProvider } from "../support/Client.ts"
import { signInDevice } from "../support/Device.ts"
import { appEnvironment } from "../support/Passkeys.ts"
import { sync } from "../support/Sync.ts"
import { openVaIssuer } from "../support/VaIssuer.ts"
import { everyRequest } from "./EveryRequest.ts"
import { explainAll, type Explained, explainedSince, logged, nodesOf } from "./Explained.ts"
import { analyzeAsOneOfMany, historyReleases, historyRows, insertHistory } from "./History.ts"

/** A statement may read this many rows for each that it returns, and this many besides. */
const perRow = 50

/** Statements that may read more, each up to `rows` rows. */
const exceptions: ReadonlyArray<{ readonly says: RegExp; readonly rows: number; readonly why: string }> = [
  {
    says: /^select \* from \( select d\.id, d\.authorization_ciphertext/,
    rows: 2 * historyReleases + 100,
    why: "Whether a release is in force is in another table. RELEASE_LIMIT_MB bounds the releases."
  },
  {
    says: /^select known\.place from \( select s\.key_thumbprint/,
    rows: 1000 + 100,
    why: "A device is known by its place among a veteran's oldest sessions, of which 1,000 are looked at."
  },
  {
    says: /^exists \( select from public\.documents r where .* document = any \(r\.released_documents\)/,
    rows: historyReleases + 100,
    why: "A document that a release in force names is not deleted. RELEASE_LIMIT_MB bounds the releases."
  },
  {
    says: /^insert into public\.roi_revocations .* select .* app\.in_force\(d\)/,
    rows: historyReleases + 100,
    why: "Stopping everything ends each release in force. RELEASE_LIMIT_MB bounds the releases."
  },
  {
    says: /^select (resource_type, fhir_id, synced_at, octet_length|count\(i\.fhir_id\))/,
    rows: historyRows + 100,
    why: "A search by what an item says, or by its time, looks at each item. RECORD_LIMIT_MB bounds them."
  }
]

/** Metrics count the messages of everybody that wait, and a guard compares the schema. No request waits for these. */
const background = /^select count\(\*\)::int as mails| from pg_class c /

/** Routes whose requests this test does not send. */
const untried = new Map([
  ["POST /api/veteran/:veteranId/exports", "It reads everything once, in pages by the statements of the lists."]
])

const openWorld = async () => {
  const va = await openVaIssuer()
  const database = await openDatabase()
  const superuser = await database.connect("superuser")
  const service = await openService(database, {
    ...va.environment,
    ...appEnvironment,
    NODE_OPTIONS: `--import=${new URL("../support/without-jobs.ts", import.meta.url).href}`
  })
  const { device, headers, person } = await signInDevice(service, va, "Phone")
  const veteran = { id: person.id, headers, token: "" }
  const provider = await signInProvider(service)
  const { id: otherProvider } = await registerProvider(service)
  const { clientId } = await connectApp(service, superuser, veteran)
  const old = { grantId: randomUUID(), documentId: randomUUID(), clientId }
  const hashes = await within(
    service,
    Effect.gen(function*() {
      const { hashOf } = yield* subjectHashes
      return {
        provider: (yield* Crypto).keyedHash("proof-provider")(provider.id),
        grant: hashOf("grantId", old.grantId),
        document: hashOf("documentId", old.documentId),
        client: hashOf("clientId", clientId)
      }
    })
  )
  await insertHistory(superuser, {
    veteran: veteran.id,
    provider: provider.id,
    otherProvider,
    client: clientId,
    hashes
  })
  const texts = Array.from(
    { length: historyRows },
    (_, n) => `{"resourceType":"Observation","id":"o${n}","status":"final"}`
  )
  await sync(service, veteran, { Observation: "complete" }, { Observation: texts })
  const app = await connectApp(service, superuser, veteran, { categories: ["hiv"] })
  return { database, superuser, world: { service, va, veteran, person, device, provider, app, old, texts } }
}

/** Rows that a statement read from tables, and rows that it returned, or changed. */
const costOf = ({ Plan: plan }: Explained) => {
  const scans = nodesOf(plan).filter((node) =>
    node["Relation Name"] !== undefined && node["Node Type"].endsWith("Scan")
  )
  const { "Node Type": type, Plans: [changed] = [] } = plan
  return {
    read: scans.reduce(
      (sum, node) =>
        sum + node["Actual Loops"] * (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) +
            (node["Rows Removed by Index Recheck"] ?? 0)),
      0
    ),
    returned: (type === "ModifyTable" && changed !== undefined ? changed : plan)["Actual Rows"]
  }
}

const spoken = ({ "Query Text": text }: Explained) => text.replaceAll(/\s+/g, " ").trim()

// PostgreSQL plans a statement for its values up to five times, and may then keep one plan for all values.
test.each(["force_custom_plan", "force_generic_plan"])(
  `No statement of a request reads more than ${perRow} times the rows that it returns (plan_cache_mode %s)`,
  async (mode) => {
    const { database, superuser, world } = await openWorld()
    await analyzeAsOneOfMany(superuser, database)
    await explainAll(superuser, database, mode)
    // A connection takes up these settings when it opens.
    await superuser.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
      [database.name]
    )
    const dear = new Set<string>()
    const excepted = new Set<RegExp>()
    let statements = 0
    for (const [route, send] of Object.entries(everyRequest(world))) {
      const from = await logged(superuser)
      await send()
      for (const explained of await explainedSince(superuser, from)) {
        statements++
        const { read, returned } = costOf(explained)
        if (read <= perRow * (Math.max(1, returned) + 1)) continue
        const text = spoken(explained)
        if (background.test(text)) continue
        const exception = exceptions.find(({ says }) => says.test(text))
        if (exception !== undefined) excepted.add(exception.says)
        if (exception === undefined || read > exception.rows) {
          dear.add(`${route} read ${Math.round(read)} rows for ${returned}: ${text.slice(0, 2000)}`)
        }
      }
    }
    assert.deepStrictEqual([...dear], [])
    assert.isAbove(statements, 1000)
    assert.deepStrictEqual(exceptions.filter(({ says }) => !excepted.has(says)), [], "not needed any more")
  }
)

test("Each route of a signed-in person is tried", () => {
  const routes: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, middlewares, path } }) => {
      const isSignedIn = Array.from(middlewares, ({ key }) => key)
        .some((key) => /(Veteran|Provider|App)Authorization$/.test(key))
      if (isSignedIn) routes.push(`${method} ${path}`)
    }
  })
  const tried = Object.keys(everyRequest({} as Parameters<typeof everyRequest>[0]))
  assert.deepStrictEqual(routes.toSorted(), [...tried, ...untried.keys()].toSorted())
})
