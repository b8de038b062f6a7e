import { randomBytes } from "node:crypto"
import { assert, onTestFinished, test } from "vitest"
import { connectApp, get } from "../http/fhir/Apps.ts"
import { drain } from "../http/ledger/Drained.ts"
import { createLink, mailsOf, step } from "../http/link/Links.ts"
import { sign } from "../http/release/Releases.ts"
import { openDatabase } from "../support/App.ts"
import { call, giveGrant, signInProvider, signInVeteran } from "../support/Client.ts"
import { type Service, startService } from "../support/Service.ts"
import { resource, sync } from "../support/Sync.ts"
import { until } from "../support/Until.ts"
import { explainAll, explainedSince, logged, nodesOf } from "./Explained.ts"

/** The tables that grow with the veterans and their acts. */
const growing = [
  "consent_grants",
  "documents",
  "health_record_counts",
  "health_record_items",
  "health_record_sizes",
  "health_record_tombstones",
  "outbox",
  "proofs",
  "record_looks",
  "secure_links",
  "veterans"
]

/** A statement may read these whole indexes of each part, because they hold only waiting rows. */
const queues = /^proofs_\d\d_seq_idx1?$/

/** The name of the table to which a part belongs. */
const wholeOf = (name = "") => name.replace(/_\d\d$/, "")

/** The drain makes leaves of all veterans' events, and metrics count the rest. Any other statement asks one part. */
const ofAll =
  /^(select p\.veteran_id, p\.id, p\.kind|update public\.proofs p set event = null|(held|seconds|set_aside) :=)/

/** The metrics count all waiting rows with this statement, so it may read all of them. */
const counting = "select count(*)::int as mails"

const database = await openDatabase()

const superuser = await database.connect("superuser")

/** Inserts rows of 10,000 other veterans without the triggers, whose effects do not matter here. */
await superuser.query(`
  set session_replication_role = replica;
  create temporary table others as
    select n, gen_random_uuid() as veteran, gen_random_uuid() as provider, gen_random_uuid() as document
    from generate_series(1, 10000) n;
  insert into veterans (id, va_patient_id, call_sign, email)
    select veteran, 'other-' || n, 'Other', n || '@other.example' from others;
  insert into providers (id, email, password_hash, display_name, organization)
    select provider, n || '@other.example', 'none', 'Dr. Other', 'Other' from others;
  insert into consent_grants (id, veteran_id, provider_id, sensitive_categories, include_self_reported, include_documents,
      purpose, expires_at)
    select gen_random_uuid(), veteran, provider, '{}', true, true, 'treatment', now() + interval '1 day'
    from others, generate_series(1, 3);
  insert into health_record_items (id, veteran_id, resource_type, fhir_id, raw_ciphertext, content_mac, sensitive_categories)
    select gen_random_uuid(), veteran, type, gen_random_uuid()::text, decode(repeat('00', 100), 'hex'),
      decode(repeat('00', 32), 'hex'), '{}'
    from others, unnest(array['Condition', 'Observation', 'Immunization', 'Procedure', 'Encounter']) type;
  insert into health_record_counts
    select veteran_id, resource_type, 0, count(*) from health_record_items group by 1, 2;
  insert into health_record_sizes select veteran, 5000, 0 from others;
  insert into record_looks (veteran_id, provider_id, looked_at, seen_until)
    select veteran, provider, now(), now() from others, generate_series(1, 1);
  insert into health_record_tombstones (veteran_id, resource_type, fhir_id, sensitive_categories)
    select veteran, 'Condition', n::text, '{hiv}' from others;
  insert into documents (id, veteran_id, kind, title, content_type, byte_size, sha256, storage_key, file_key)
    select case k when 1 then document else gen_random_uuid() end, veteran, 'upload', '\\x00', 'text/plain', 1,
      decode(repeat('00', 32), 'hex'), gen_random_uuid()::text, '\\x00'
    from others, generate_series(1, 2) k;
  insert into secure_links (veteran_id, id, document_id, recipient_name, recipient_email_ciphertext, token_hash, expires_at)
    select veteran, gen_random_uuid(), document, 'Jane', '\\x00', sha256(gen_random_uuid()::text::bytea), now() + interval '1 day'
    from others;
  insert into outbox (kind, subject_id, veteran_id, due_at)
    select kind, gen_random_uuid(), veteran, now() + interval '1 day'
    from others, unnest(array['link_opened', 'record_updated']) kind where n <= 5000;
  insert into proofs (veteran_id, id, kind, at, leaf_hash, leaf_ciphertext, tree_index)
    select veteran, gen_random_uuid(), 'document_read', now(), sha256('leaf'), '\\x00', 1000000000 + 3 * n + k
    from others, generate_series(1, 3) k;
  reset session_replication_role;
  drop table others`)

await superuser.query("analyze")

/** Sends the frequent requests of a client, a provider, an app, a recipient and the drainer. */
const useAll = async (service: Service) => {
  const veteran = await signInVeteran(service)
  const provider = await signInProvider(service)
  await giveGrant(service, veteran, provider)
  const app = await connectApp(service, superuser, veteran)
  const ids = Array.from({ length: 40 }, (_, n) => `c${n}`)
  const types = { Condition: "complete", Observation: "complete" }
  const texts = (version: number, some: ReadonlyArray<string>) => ({
    Condition: some.map((id, n) => resource("Condition", id, { version: n < 3 ? version : 0 })),
    Observation: [resource("Observation", "o", { categories: ["hiv"] })]
  })
  // The four syncs send new items, the same items, fewer items with some changed, and the removed items again.
  await sync(service, veteran, types, texts(1, ids))
  await sync(service, veteran, types, texts(1, ids))
  await sync(service, veteran, types, texts(2, ids.slice(0, 30)))
  await sync(service, veteran, types, texts(2, ids))
  // Each of these syncs makes room by removing the items that the previous sync left inactive.
  for (const letter of ["a", "b"]) {
    const text = randomBytes(700_000).toString("base64")
    await sync(service, veteran, { Basic: "complete" }, {
      Basic: [JSON.stringify({ resourceType: "Basic", id: letter, text })]
    })
  }
  const read = async (who: Parameters<typeof call>[3], path: string) => {
    const { status, text } = await call(service, "GET", path, who)
    assert.strictEqual(status, 200, text)
  }
  const record = `/api/provider/patients/${veteran.id}/record`
  for (
    const path of ["", "/consent-grants", "/documents", "/health-record", "/health-record/manifest", "/disclosures"]
  ) {
    await read(veteran, `/api/veteran/me${path}`)
  }
  for (
    const path of ["/api/provider/patients", record, `${record}?resourceType=Condition&limit=5`, `${record}/changes`,
      `${record}/changes?since=2020-01-01T00:00:00Z&limit=5`]
  ) {
    await read(provider, path)
  }
  for (const path of [`/Patient/${veteran.id}`, `/Patient/${veteran.id}/$everything`, "/Condition", "/Condition/c1"]) {
    assert.strictEqual((await get(service, app, path)).status, 200)
  }
  const documentId = (await sign(service, veteran)).json.document.id
  const { token } = await createLink(service, veteran, { documentId })
  assert.strictEqual((await step(service, "open", { token })).status, 200)
  await drain(service)
  await until("the outbox was worked off", async () => (await mailsOf(service)).length > 0)
}

/** Starts a service of which the database logs each statement with its plan. */
const startExplained = async (mode: string) => {
  await explainAll(superuser, database, mode)
  const service = await startService(database, { RECORD_LIMIT_MB: "1" })
  onTestFinished(async () => void await service.stop())
  return service
}

// PostgreSQL plans a statement for its values up to five times, and may then keep one plan for all values.
test.each(["force_custom_plan", "force_generic_plan"])(
  "No statement of a request reads the rows of other veterans (plan_cache_mode %s)",
  async (mode) => {
    const service = await startExplained(mode)
    const from = await logged(superuser)
    await useAll(service)
    const explained = await explainedSince(superuser, from)
    const scans = explained.flatMap((statement) =>
      statement["Query Text"].startsWith(counting) ?
        [] :
        nodesOf(statement.Plan).flatMap((node) =>
          growing.includes(wholeOf(node["Relation Name"])) && node["Node Type"].endsWith("Scan")
            ? [{ statement, node }]
            : []
        )
    )
    assert.deepStrictEqual([...new Set(scans.map(({ node }) => wholeOf(node["Relation Name"])))].toSorted(), growing)
    const passing = scans.filter(({ node }) =>
      node["Node Type"] !== "Bitmap Heap Scan" && node["Index Cond"] === undefined &&
      !queues.test(node["Index Name"] ?? "")
    )
    const told = passing.map(({ node, statement }) =>
      `${node["Node Type"]} by ${node["Index Name"]} of ${node["Relation Name"]}: ${
        statement["Query Text"].replaceAll(/\s+/g, " ")
      }`
    )
    assert.deepStrictEqual([...new Set(told)], [])
    const spread = explained.filter((statement) => {
      const asked = nodesOf(statement.Plan).filter((node) => node["Actual Loops"] > 0)
      const parts = new Set(
        asked.flatMap((node) => node["Relation Name"] ?? []).filter((name) => name !== wholeOf(name))
      )
      return parts.size > new Set(Array.from(parts, wholeOf)).size && !ofAll.test(statement["Query Text"])
    }).map((statement) => statement["Query Text"].replaceAll(/\s+/g, " ").slice(0, 60))
    assert.deepStrictEqual([...new Set(spread)].sort(), [])
  }
)

test("A search asks once for the record's Patient, however often it names a patient", async () => {
  const service = await startExplained("auto")
  const veteran = await signInVeteran(service)
  const app = await connectApp(service, superuser, veteran)
  const from = await logged(superuser)
  const { json, status } = await get(
    service,
    app,
    `/Condition?${Array.from({ length: 99 }, () => "patient=x").join("&")}`
  )
  assert.deepStrictEqual([status, json.total], [200, 0])
  const asked = (await explainedSince(superuser, from))
    .filter((statement) => /resource_type = 'Patient'/.test(statement["Query Text"]))
  assert.strictEqual(asked.length, 1)
})
