import { linkWrites } from "./LinkWrites.ts"
import { closedTables, protectedTables, providers, rows, veterans } from "./Rows.ts"
import { app, provider, recipient, release, type Stated, veteran } from "./Stated.ts"

/** Each case says what a write does. Together they define the policies and rights. */

interface Write {
  readonly what: string
  readonly stated: Stated
  readonly statement: string
  /** The number of touched rows, or the SQLSTATE that refuses the write. */
  readonly becomes: number | string
}

const denied = "42501"

const sealed = "decode(repeat('00', 40), 'hex')"

const hash = "decode(repeat('00', 32), 'hex')"

const fresh = "00000000-0000-7000-8000-ffffffffffff"

const item = (owner: string, fhirId = "fresh") =>
  `insert into health_record_items (id, veteran_id, resource_type, fhir_id, raw_ciphertext, content_mac, sensitive_categories)
   values ('${fresh}', '${owner}', 'Condition', '${fhirId}', ${sealed}, ${hash}, '{}')`

const count = (owner: string) => `insert into health_record_counts values ('${owner}', 'Fresh', 0, 1)`

const tombstone = (owner: string) =>
  `insert into health_record_tombstones values ('${owner}', 'Condition', 'fresh', '{hiv}', now())`

const look = (owner: string) =>
  `insert into record_looks (veteran_id, provider_id, looked_at, seen_until)
   values ('${owner}', '${providers.everything}', now(), now())`

const session = (owner: string) =>
  `insert into veteran_sessions (veteran_id, id, key_thumbprint, how, network, expires_at)
   values ('${owner}', '${fresh}', ${hash}, 'va', 'x', now() + interval '1 hour')`

const passkey = (owner: string) =>
  `insert into veteran_passkeys (veteran_id, id, credential_id, public_key, algorithm, name_ciphertext)
   values ('${owner}', '${fresh}', 'fresh', 'x', -7, ${sealed})`

const identity = (owner: string) =>
  `insert into veteran_identities (veteran_id, id, issuer, subject_hash, how)
   values ('${owner}', '${fresh}', 'fresh', ${hash}, 'mail')`

const document = (owner: string, id = fresh) =>
  `insert into documents (id, veteran_id, kind, title, content_type, byte_size, sha256, storage_key, file_key)
   values ('${id}', '${owner}', 'upload', 'x', 'x', 1, ${hash}, 'A upload', ${sealed})`

const entry = (owner: string, id = fresh) =>
  `insert into self_reported_entries (id, veteran_id, category, body_ciphertext) values ('${id}', '${owner}', 'note', ${sealed})`

export const note = (owner: string, author: string) =>
  `insert into provider_notes (id, veteran_id, provider_id, body_ciphertext) values ('${fresh}', '${owner}', '${author}', ${sealed})`

/** Every verb on each table, aimed at A's rows. Rows that the actor does not see are not touched. */
const onA: ReadonlyArray<readonly [statement: string, becomes: number | string]> = [
  [item(veterans.A), denied],
  [`update health_record_items set content_mac = ${hash} where veteran_id = '${veterans.A}'`, 0],
  ["update health_record_items set active = false, deactivated_at = now()", 0],
  [`delete from health_record_items where veteran_id = '${veterans.A}'`, denied],
  [count(veterans.A), denied],
  ["update health_record_counts set items = 0", 0],
  ["delete from health_record_counts", denied],
  [tombstone(veterans.A), denied],
  ["update health_record_tombstones set removed_at = now()", denied],
  ["delete from health_record_tombstones", denied],
  [document(veterans.A), denied],
  ["update documents set title = 'y'", denied],
  ["delete from documents", 0],
  [`insert into proofs (veteran_id, id, kind, at) values ('${veterans.A}', '${fresh}', 'sync_stored', now())`, denied],
  ["update proofs set event = null", denied],
  ["delete from proofs", denied],
  ["update provider_notes set created_at = now()", denied],
  ["delete from provider_notes", denied],
  [look(veterans.A), denied],
  ["update record_looks set looked_at = now()", denied],
  ["delete from record_looks", denied],
  [entry(veterans.A), denied],
  ["update self_reported_entries set deleted_at = now()", 0],
  ["delete from self_reported_entries", denied],
  [session(veterans.A), denied],
  ["update veteran_sessions set ended_at = null", denied],
  ["delete from veteran_sessions", denied],
  [passkey(veterans.A), denied],
  ["update veteran_passkeys set public_key = 'y'", denied],
  ["delete from veteran_passkeys", denied],
  [identity(veterans.A), denied],
  ["update veteran_identities set how = 'mail'", denied],
  ["delete from veteran_identities", denied],
  ["insert into veteran_notices (veteran_id) values (gen_random_uuid())", denied],
  ["update veteran_notices set looks = 'off'", 0],
  ["update veteran_notices set sent = 0", denied],
  ["delete from veteran_notices", denied],
  ...closedTables.flatMap((table) =>
    [`select from ${table}`, `update ${table} set veteran_id = veteran_id`, `delete from ${table}`].map((statement) =>
      [statement, denied] as const
    )
  ),
  [`insert into veteran_deletions values ('${veterans.A}', now(), now())`, denied],
  ...protectedTables.map((table) => [`truncate ${table} cascade`, denied] as const),
  ["select from health_record_items for update", 0],
  ["select from self_reported_entries for no key update", 0]
]

const strangers: Record<string, Stated> = {
  nobody: {},
  "an actor of another kind": { ...provider("everything"), actor: "system" },
  "a veteran without an id": { actor: "veteran", veteran_id: "" },
  "a provider with a grant of everything": provider("everything"),
  "a provider with a grant of B": provider("ofB"),
  "an app with a grant of everything": app("everything"),
  "a provider without a grant": provider("nothing"),
  "a recipient with a live link": recipient("live"),
  "a release of everything": release("Condition,Observation", "alcohol_abuse,hiv")
}

const dead = ["nothing", "expired", "revoked", "markedExpired", "disabled", "ofB"] as const

const [a, b] = [veteran("A"), veteran("B")]

export const writes: ReadonlyArray<Write> = [
  ...Object.entries({ nobody: {}, "a veteran": a, "a recipient": recipient("live") }).flatMap(([who, stated]) =>
    linkWrites.map(([statement, becomes]): Write => ({ what: `${who} runs: ${statement}`, stated, statement, becomes }))
  ),
  ...Object.entries(strangers).flatMap(([who, stated]) =>
    onA.map(([statement, becomes]): Write => ({ what: `${who} runs: ${statement}`, stated, statement, becomes }))
  ),
  ...Object.entries(strangers).filter(([who]) => !who.includes("of everything")).map(([who, stated]): Write => ({
    what: `${who} writes a note`,
    stated,
    statement: note(veterans.A, stated.provider_id ?? providers.everything),
    becomes: denied
  })),

  { what: "a veteran changes their proofs", stated: a, statement: "update proofs set event = null", becomes: denied },
  { what: "a veteran removes their proofs", stated: a, statement: "delete from proofs", becomes: denied },
  { what: "a veteran writes a provider's look", stated: a, statement: look(veterans.A), becomes: denied },
  { what: "a veteran makes a session", stated: a, statement: session(veterans.A), becomes: denied },
  {
    what: "a veteran brings an ended session back",
    stated: a,
    statement: "update veteran_sessions set ended_at = null",
    becomes: denied
  },
  { what: "a veteran makes a passkey", stated: a, statement: passkey(veterans.A), becomes: denied },
  { what: "a veteran pairs an account", stated: a, statement: identity(veterans.A), becomes: denied },
  { what: "a veteran removes an account", stated: a, statement: "delete from veteran_identities", becomes: denied },
  {
    what: "a veteran sets what they are told",
    stated: a,
    statement: "update veteran_notices set looks = 'off'",
    becomes: 1
  },
  {
    what: "a veteran forgets what they were told",
    stated: a,
    statement: "update veteran_notices set sent = 0",
    becomes: denied
  },
  ...closedTables.map((table) => ({
    what: `a veteran reads ${table}`,
    stated: a,
    statement: `select from ${table}`,
    becomes: denied
  })),
  { what: "a veteran leaves a tombstone", stated: a, statement: tombstone(veterans.A), becomes: denied },
  {
    what: "a veteran removes their tombstones",
    stated: a,
    statement: "delete from health_record_tombstones",
    becomes: denied
  },
  { what: "a veteran stores an item", stated: a, statement: item(veterans.A), becomes: 1 },
  { what: "a veteran stores an item for another", stated: a, statement: item(veterans.B), becomes: denied },
  { what: "a veteran stores a count for another", stated: a, statement: count(veterans.B), becomes: denied },
  {
    what: "a veteran gives their counts away",
    stated: a,
    statement: `update health_record_counts set veteran_id = '${veterans.B}', resource_type = 'Moved'`,
    becomes: denied
  },
  {
    what: "a veteran changes the other's counts",
    stated: a,
    statement: `update health_record_counts set items = 0 where veteran_id = '${veterans.B}'`,
    becomes: 0
  },
  {
    what: "a veteran stores an item for another with RETURNING",
    stated: a,
    statement: `${item(veterans.B)} returning *`,
    becomes: denied
  },
  {
    what: "a veteran stores an item for another onto the other's key",
    stated: a,
    statement: `${
      item(veterans.B, "Condition")
    } on conflict (veteran_id, resource_type, fhir_id) do update set active = true`,
    becomes: denied
  },
  {
    what: "a veteran stores an item for another onto the other's key, with nothing done on conflict",
    stated: a,
    statement: `${item(veterans.B, "Condition")} on conflict do nothing`,
    becomes: denied
  },
  {
    what: "a veteran moves an item of their own onto the other's key",
    stated: a,
    statement: `${
      item(veterans.A, "Condition")
    } on conflict (veteran_id, resource_type, fhir_id) do update set veteran_id = '${veterans.B}'`,
    becomes: denied
  },
  {
    what: "a veteran gives their items away",
    stated: a,
    statement: `update health_record_items set veteran_id = '${veterans.B}', fhir_id = 'moved ' || fhir_id`,
    becomes: denied
  },
  {
    what: "a veteran gives their entries away",
    stated: a,
    statement: `update self_reported_entries set veteran_id = '${veterans.B}'`,
    becomes: denied
  },
  {
    what: "a veteran touches items without a condition",
    stated: b,
    statement: "update health_record_items set synced_at = now()",
    becomes: 8
  },
  {
    what: "a veteran changes the other's item",
    stated: a,
    statement: `update health_record_items set active = active where veteran_id = '${veterans.B}'`,
    becomes: 0
  },
  { what: "a veteran stores a document", stated: a, statement: document(veterans.A), becomes: 1 },
  {
    what: "a veteran stores a document for another",
    stated: a,
    statement: `${document(veterans.B)} returning id`,
    becomes: denied
  },
  // If ids were unique across veterans, this write would fail and so reveal the other veteran's row.
  {
    what: "a veteran stores a document with the id of another veteran's document",
    stated: a,
    statement: document(veterans.A, rows.get("B upload")),
    becomes: 1
  },
  {
    what: "a veteran stores an entry with the id of another veteran's entry",
    stated: a,
    statement: entry(veterans.A, rows.get("B entry")),
    becomes: 1
  },
  {
    what: "a veteran removes their documents that are not in force",
    stated: a,
    statement: `delete from documents
      where not coalesce(app.in_force(documents), false) and id <> '${rows.get("A release viewed")}'`,
    becomes: 4
  },
  {
    what: "a veteran removes a release that a recipient was shown",
    stated: a,
    statement: `delete from documents where id = '${rows.get("A release viewed")}'`,
    becomes: "23000"
  },
  {
    what: "a veteran removes a release that is kept",
    stated: a,
    statement: `delete from documents where id = '${rows.get("A release kept")}'`,
    becomes: 0
  },
  {
    what: "the retention forgets what ended six years ago",
    stated: { actor: "retention" },
    statement: "delete from documents where app.may_forget(documents)",
    becomes: 3
  },
  {
    what: "the retention forgets what ended lately",
    stated: { actor: "retention" },
    statement: `delete from documents where id = '${rows.get("A release kept")}'`,
    becomes: "23000"
  },
  {
    what: "the retention stores a document",
    stated: { actor: "retention", veteran_id: veterans.A },
    statement: document(veterans.A),
    becomes: denied
  },
  { what: "a veteran removes a release in force", stated: a, statement: "delete from documents", becomes: "23000" },
  { what: "a veteran writes an entry for another", stated: a, statement: entry(veterans.B), becomes: denied },
  { what: "a veteran writes a note", stated: a, statement: note(veterans.A, providers.everything), becomes: denied },
  {
    what: "a veteran writes a note as a provider with a grant",
    stated: { ...provider("everything"), actor: "veteran" },
    statement: note(veterans.A, providers.everything),
    becomes: denied
  },

  {
    what: "a provider writes a note",
    stated: provider("noTypes"),
    statement: `${note(veterans.A, providers.noTypes)} returning *`,
    becomes: 1
  },
  {
    what: "a provider writes a note as another",
    stated: provider("everything"),
    statement: note(veterans.A, providers.hiv),
    becomes: denied
  },
  {
    what: "a provider writes a note for B while stating A",
    stated: provider("everything"),
    statement: note(veterans.B, providers.everything),
    becomes: denied
  },
  ...dead.map((name): Write => ({
    what: `a provider whose grant is '${name}' writes a note`,
    stated: provider(name),
    statement: note(veterans.A, providers[name]),
    becomes: denied
  }))
]
