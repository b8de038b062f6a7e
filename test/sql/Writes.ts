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

/** A statement with its result: the number of touched rows, or the SQLSTATE that refuses it. */
type Case = readonly [statement: string, becomes: number | string]

/** The role has no right to these, for any actor. */
const refused: ReadonlyArray<Case> = [
  `delete from health_record_items where veteran_id = '${veterans.A}'`,
  "delete from health_record_counts",
  tombstone(veterans.A),
  "update health_record_tombstones set removed_at = now()",
  "delete from health_record_tombstones",
  "update documents set title = 'y'",
  `insert into proofs (veteran_id, id, kind, at) values ('${veterans.A}', '${fresh}', 'sync_stored', now())`,
  "update proofs set event = null",
  "delete from proofs",
  "update provider_notes set created_at = now()",
  "delete from provider_notes",
  look(veterans.A),
  "update record_looks set looked_at = now()",
  "delete from record_looks",
  "delete from self_reported_entries",
  session(veterans.A),
  "update veteran_sessions set ended_at = null",
  "delete from veteran_sessions",
  passkey(veterans.A),
  "update veteran_passkeys set public_key = 'y'",
  "delete from veteran_passkeys",
  identity(veterans.A),
  "update veteran_identities set how = 'mail'",
  "delete from veteran_identities",
  "insert into veteran_notices (veteran_id) values (gen_random_uuid())",
  "update veteran_notices set sent = 0",
  "delete from veteran_notices",
  ...closedTables.flatMap((table) => [
    `select from ${table}`,
    `update ${table} set veteran_id = veteran_id`,
    `delete from ${table}`
  ]),
  `insert into veteran_deletions values ('${veterans.A}', now(), now())`,
  ...protectedTables.map((table) => `truncate ${table} cascade`)
].map((statement) => [statement, denied])

/** Policies refuse these to everybody but A. Rows that the actor does not see are not touched. */
const onA: ReadonlyArray<Case> = [
  [item(veterans.A), denied],
  [`update health_record_items set content_mac = ${hash} where veteran_id = '${veterans.A}'`, 0],
  ["update health_record_items set active = false, deactivated_at = now()", 0],
  [count(veterans.A), denied],
  ["update health_record_counts set items = 0", 0],
  [document(veterans.A), denied],
  ["delete from documents", 0],
  [entry(veterans.A), denied],
  ["update self_reported_entries set deleted_at = now()", 0],
  ["update veteran_notices set looks = 'off'", 0],
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

const a = veteran("A")

const byA: ReadonlyArray<readonly [what: string, ...Case]> = [
  ["sets what they are told", "update veteran_notices set looks = 'off'", 1],
  ["stores an item", item(veterans.A), 1],
  ["stores an item for another", item(veterans.B), denied],
  ["stores a count for another", count(veterans.B), denied],
  [
    "gives their counts away",
    `update health_record_counts set veteran_id = '${veterans.B}', resource_type = 'Moved'`,
    denied
  ],
  ["changes the other's counts", `update health_record_counts set items = 0 where veteran_id = '${veterans.B}'`, 0],
  ["stores an item for another with RETURNING", `${item(veterans.B)} returning *`, denied],
  [
    "stores an item for another onto the other's key",
    `${item(veterans.B, "Condition")} on conflict (veteran_id, resource_type, fhir_id) do update set active = true`,
    denied
  ],
  [
    "stores an item for another onto the other's key, with nothing done on conflict",
    `${item(veterans.B, "Condition")} on conflict do nothing`,
    denied
  ],
  [
    "moves an item of their own onto the other's key",
    `${item(veterans.A, "Condition")} on conflict (veteran_id, resource_type, fhir_id)
       do update set veteran_id = '${veterans.B}'`,
    denied
  ],
  [
    "gives their items away",
    `update health_record_items set veteran_id = '${veterans.B}', fhir_id = 'moved ' || fhir_id`,
    denied
  ],
  ["gives their entries away", `update self_reported_entries set veteran_id = '${veterans.B}'`, denied],
  ["touches items without a condition", "update health_record_items set synced_at = now()", 8],
  [
    "changes the other's item",
    `update health_record_items set active = active where veteran_id = '${veterans.B}'`,
    0
  ],
  ["stores a document", document(veterans.A), 1],
  ["stores a document for another", `${document(veterans.B)} returning id`, denied],
  // If ids were unique across veterans, this write would fail and so reveal the other veteran's row.
  ["stores a document with the id of another veteran's document", document(veterans.A, rows.get("B upload")), 1],
  ["stores an entry with the id of another veteran's entry", entry(veterans.A, rows.get("B entry")), 1],
  [
    "removes their documents that are not in force",
    `delete from documents
     where not coalesce(app.in_force(documents), false) and id <> '${rows.get("A release viewed")}'`,
    4
  ],
  [
    "removes a release that a recipient was shown",
    `delete from documents where id = '${rows.get("A release viewed")}'`,
    "23000"
  ],
  ["removes a release that is kept", `delete from documents where id = '${rows.get("A release kept")}'`, 0],
  ["removes a release in force", "delete from documents", "23000"],
  ["writes an entry for another", entry(veterans.B), denied],
  ["writes a note", note(veterans.A, providers.everything), denied]
]

const dead = ["nothing", "expired", "revoked", "markedExpired", "disabled", "ofB"] as const

const run = (actors: Readonly<Record<string, Stated>>, cases: ReadonlyArray<Case>) =>
  Object.entries(actors).flatMap(([who, stated]) =>
    cases.map(([statement, becomes]): Write => ({ what: `${who} runs: ${statement}`, stated, statement, becomes }))
  )

/** What policies and functions allow and refuse. */
const allowed: ReadonlyArray<Write> = [
  ...run({ nobody: {}, "a veteran": a, "a recipient": recipient("live") }, linkWrites),
  ...run(strangers, onA),
  ...Object.entries(strangers).filter(([who]) => !who.includes("of everything")).map(([who, stated]): Write => ({
    what: `${who} writes a note`,
    stated,
    statement: note(veterans.A, stated.provider_id ?? providers.everything),
    becomes: denied
  })),
  ...byA.map(([what, statement, becomes]): Write => ({ what: `a veteran ${what}`, stated: a, statement, becomes })),
  {
    what: "a veteran writes a note as a provider with a grant",
    stated: { ...provider("everything"), actor: "veteran" },
    statement: note(veterans.A, providers.everything),
    becomes: denied
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

export const writes = [...allowed, ...run({ ...strangers, "a veteran": a }, refused)]

/** Writes that notice each change of a policy or right. A right is the role's for any actor, so these are of three. */
export const tellingWrites = [
  ...allowed,
  ...run({ nobody: {}, "a veteran": a, "a provider with a grant": provider("everything") }, refused)
]
