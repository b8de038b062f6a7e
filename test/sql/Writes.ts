import {
  linkIds,
  protectedTables,
  provider,
  providers,
  recipient,
  rows,
  type Stated,
  veteran,
  veterans
} from "./Rows.ts"

/** Each case says what becomes of a write: this is the meaning of the policies and rights. */

interface Write {
  readonly what: string
  readonly stated: Stated
  readonly statement: string
  /** The number of rows that are touched, or the SQLSTATE with which the write is refused. */
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

const document = (owner: string, id = fresh) =>
  `insert into documents (id, veteran_id, kind, title, content_type, byte_size, sha256, storage_key, file_key)
   values ('${id}', '${owner}', 'upload', 'x', 'x', 1, ${hash}, 'A upload', ${sealed})`

const entry = (owner: string, id = fresh) =>
  `insert into self_reported_entries (id, veteran_id, category, body_ciphertext) values ('${id}', '${owner}', 'note', ${sealed})`

const note = (owner: string, author: string) =>
  `insert into provider_notes (id, veteran_id, provider_id, body_ciphertext) values ('${fresh}', '${owner}', '${author}', ${sealed})`

/** Every verb on each table, aimed at A's rows: rows that are not seen are not touched. */
const onA: ReadonlyArray<readonly [statement: string, becomes: number | string]> = [
  [item(veterans.A), denied],
  [`update health_record_items set content_mac = ${hash} where veteran_id = '${veterans.A}'`, 0],
  ["update health_record_items set active = false, deactivated_at = now()", 0],
  [`delete from health_record_items where veteran_id = '${veterans.A}'`, denied],
  [count(veterans.A), denied],
  ["update health_record_counts set items = 0", 0],
  ["delete from health_record_counts", denied],
  [document(veterans.A), denied],
  ["update documents set title = 'y'", denied],
  ["delete from documents", 0],
  ["update provider_notes set created_at = now()", denied],
  ["delete from provider_notes", denied],
  [entry(veterans.A), denied],
  ["update self_reported_entries set deleted_at = now()", 0],
  ["delete from self_reported_entries", denied],
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
  "a provider without a grant": provider("nothing"),
  "a recipient with a live link": recipient("live")
}

/** What the steps of a link count, spend and note is written by the steps alone, whoever is stated (findings L9). */
const onLinks: ReadonlyArray<readonly [statement: string, becomes: number | string]> = [
  ...["wrong_codes = 0", "viewed_at = null", "opened_at = null", "code_sent_at = null", "notified_at = null",
    "expires_at = 'infinity'", "token_hash = token_hash", "document_id = null"].map((change) =>
      [`update secure_links set ${change}`, denied] as const
    ),
  ...["tries = 0", "ended_at = null", "created_at = now()", "code_hash = code_hash"].map((change) =>
    [`update secure_link_otps set ${change}`, denied] as const
  ),
  ...["consumed_at = null", "transfer_id = null", "sent_bytes = 0", "created_at = now()"].map((change) =>
    [`update secure_link_view_sessions set ${change}`, denied] as const
  ),
  ["delete from secure_links", denied],
  ["delete from secure_link_otps", denied],
  ["delete from secure_link_view_sessions", denied],
  ["select from secure_link_otps", denied],
  [
    `insert into secure_links (veteran_id, id, recipient_name, recipient_email_ciphertext, token_hash, expires_at, viewed_at)
     values ('${veterans.A}', '${fresh}', 'x', 'x', ${hash}, now(), now())`,
    denied
  ],
  [
    `insert into secure_link_otps (veteran_id, link_id, id, code_hash)
     values ('${veterans.A}', '${linkIds.live}', '${fresh}', ${hash})`,
    denied
  ],
  [
    `insert into secure_link_view_sessions (veteran_id, link_id, session_hash)
     values ('${veterans.A}', '${linkIds.live}', ${hash})`,
    denied
  ],
  [`select from app.lock_link(${hash})`, denied],
  [`update secure_links set status = 'active' where id = '${linkIds.live}'`, 1],
  ["update secure_links set status = 'active' where status = 'disabled'", "23514"],
  ["update secure_links set status = 'active' where status = 'expired'", "23514"],
  ["update secure_links set disabled_at = now() where status = 'disabled'", "23514"]
]

const dead = ["nothing", "expired", "revoked", "markedExpired", "disabled", "ofB"] as const

const [a, b] = [veteran("A"), veteran("B")]

export const writes: ReadonlyArray<Write> = [
  ...Object.entries({ nobody: {}, "a veteran": a, "a recipient": recipient("live") }).flatMap(([who, stated]) =>
    onLinks.map(([statement, becomes]): Write => ({ what: `${who} runs: ${statement}`, stated, statement, becomes }))
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
    what: "a veteran stores an item for another onto the other's key, or else nothing",
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
  // A key that were unique across veterans would tell that the other's row is there.
  {
    what: "a veteran's document may have an id of the other's",
    stated: a,
    statement: document(veterans.A, rows.get("B upload")),
    becomes: 1
  },
  {
    what: "a veteran's entry may have an id of the other's",
    stated: a,
    statement: entry(veterans.A, rows.get("B entry")),
    becomes: 1
  },
  {
    what: "a veteran removes their documents that are not in force",
    stated: a,
    statement: "delete from documents where not coalesce(app.in_force(documents), false)",
    becomes: 3
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
