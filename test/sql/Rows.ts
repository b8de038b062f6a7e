import { createHash } from "node:crypto"
import type pg from "pg"

/** Rows of the protected tables, their owners and the grants on them, for the tests of row-level security. */

export const protectedTables = [
  "documents",
  "email_changes",
  "endings_told",
  "health_record_counts",
  "health_record_items",
  "health_record_tombstones",
  "looks_untold",
  "proofs",
  "provider_notes",
  "record_looks",
  "self_reported_entries",
  "veteran_deletions",
  "veteran_identities",
  "veteran_notices",
  "veteran_pairings",
  "veteran_passkeys",
  "veteran_sessions"
]

/** Only functions reach these tables: the runtime role has no right to them. */
export const closedTables = ["email_changes", "endings_told", "looks_untold", "veteran_deletions", "veteran_pairings"]

let made = 0

const newId = () => `00000000-0000-7000-8000-${`${++made}`.padStart(12, "0")}`

/** Their rows are in one part of each table of parts. So policies refuse to move a row, and not the parts. */
export const veterans = { A: "019f0000-0000-7000-8000-000000000121", B: "019f0000-0000-7000-8000-000000000152" }

export type Owner = keyof typeof veterans

interface Grant {
  readonly owner?: Owner
  readonly types?: ReadonlyArray<string> | null
  readonly categories?: ReadonlyArray<string>
  readonly selfReported?: boolean
  readonly documents?: boolean
  readonly status?: string
  readonly isExpired?: boolean
}

const all = { categories: ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"], selfReported: true, documents: true }

/**
 * One provider for each state of consent, so that all cases exist together. Each has written a note for A and for B.
 */
const grants = {
  everything: [all],
  nothing: [],
  expired: [{ ...all, isExpired: true }],
  revoked: [{ ...all, status: "revoked" }],
  markedExpired: [{ ...all, status: "expired" }],
  disabled: [all],
  ofB: [{ ...all, owner: "B" }],
  conditions: [{ types: ["Condition"] }],
  noTypes: [{ types: [] }],
  hiv: [{ categories: ["hiv"] }],
  hivAndAlcohol: [{ categories: ["hiv", "alcohol_abuse"] }],
  twoGrants: [{ types: ["Condition"], categories: ["hiv"] }, { types: ["Observation"], categories: ["alcohol_abuse"] }],
  selfReported: [{ types: [], selfReported: true }],
  documents: [{ types: [], documents: true }]
} satisfies Record<string, ReadonlyArray<Grant>>

export type Provider = keyof typeof grants

const providerNames = Object.keys(grants) as ReadonlyArray<Provider>

export const providers = Object.fromEntries(providerNames.map((name) => [name, newId()])) as Record<Provider, string>

/** One grant to an app for each state of consent. Each app is a different client. */
const appGrants = {
  everything: all,
  expired: { ...all, isExpired: true },
  revoked: { ...all, status: "revoked" },
  markedExpired: { ...all, status: "expired" },
  disabled: all,
  ofB: { ...all, owner: "B" },
  conditions: { types: ["Condition"] },
  noTypes: { types: [] },
  hiv: { categories: ["hiv"] }
} satisfies Record<string, Grant>

export type AppGrant = keyof typeof appGrants

const appNames = Object.keys(appGrants) as ReadonlyArray<AppGrant>

export const appGrantIds = Object.fromEntries(appNames.map((name) => [name, newId()])) as Record<AppGrant, string>

/** The id of the grant of the provider `everything`. */
export const providerGrantId = newId()

/** The name of an active item consists of its type and its categories. */
const items = [
  "Condition",
  "Condition hiv",
  "Condition alcohol_abuse",
  "Condition alcohol_abuse hiv",
  "Observation",
  "Observation alcohol_abuse",
  "Observation hiv",
  "Condition inactive"
]

/** Items are counted by type and categories. Each active item is the only one of its type and categories. */
const counts = items.filter((name) => !name.endsWith(" inactive")).map((name) => `count of ${name}`)

const categorySets = new Map(counts.map((name) => {
  const [, , type, ...categories] = name.split(" ")
  const bits = categories.map((category) =>
    1 << ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"].indexOf(category)
  )
  return [name, `${type} ${bits.reduce((set, bit) => set | bit, 0)}`]
}))

const past = new Date(0)

const future = new Date("2200-01-01")

/** A time so recent that a release which ended then must still be kept. */
const lately = new Date(Date.now() - 3_600_000)

/** The ends of releases; an upload has none. */
const documents: Record<string, Date | null> = {
  "upload": null,
  "roi": past,
  "release": future,
  "release other": future,
  "release revoked": future,
  "release shared": future,
  "release shared and revoked by B": future,
  "release viewed": lately,
  "release kept": lately,
  "release kept too long": past,
  "release hidden": future,
  "release shared and kept by B": future,
  "release shared and kept too long by B": past
}

/** Returns whether this release was shown to a recipient and then deleted by the veteran. */
const isKept = (owner: string, name: string) =>
  /^release (hidden|kept)/.test(name) || / kept (too long )?by (?<owner>.)$/.exec(name)?.groups?.["owner"] === owner

interface Link {
  readonly owner?: Owner
  readonly document: string
  readonly status?: string
  readonly expires?: Date
  readonly viewed?: boolean
}

/**
 * One link for each way to end, and some active links. `fill` inserts them after the revocations, because a revocation
 * ends the links that exist.
 */
const links = {
  live: { document: "release" },
  shared: { document: "release shared" },
  sharedRevoked: { document: "release shared and revoked by B" },
  ofB: { owner: "B", document: "release" },
  toUpload: { document: "upload" },
  toEnded: { document: "roi" },
  toRevoked: { document: "release revoked" },
  disabled: { document: "release", status: "disabled" },
  markedExpired: { document: "release", status: "expired" },
  expired: { document: "release", expires: past },
  viewed: { document: "release viewed", viewed: true },
  toKept: { document: "release kept", viewed: true },
  toKeptTooLong: { document: "release kept too long", viewed: true },
  toHidden: { document: "release hidden", viewed: true }
} satisfies Record<string, Link>

export type LinkName = keyof typeof links

const linkNames = Object.keys(links) as ReadonlyArray<LinkName>

export const linkIds = Object.fromEntries(linkNames.map((name) => [name, newId()])) as Record<LinkName, string>

const entries = ["entry", "entry deleted"]

const notes = providerNames.map((name) => `note ${name}`)

/** Each provider once looked at A and at B. Such a row has the provider's id. */
const lookNames = new Map(providerNames.map((name) => [`look of ${name}`, providers[name]]))

const signIns = ["identity", "passkey", "session", "session ended"]

/** The id of each row by its name, such as `A upload`, `B Condition hiv` or `A note revoked`. */
export const rows = new Map(
  (["A", "B"] as const).flatMap((owner) =>
    [...items, ...Object.keys(documents), ...entries, ...notes, ...signIns, "proof", "tombstone"].map((
      name
    ) => [`${owner} ${name}`, newId()])
  )
)

// Ids are unique only within a veteran, so another veteran's document may have the same id.
for (const name of Object.keys(documents).filter((one) => one.includes("shared"))) {
  rows.set(`B ${name}`, rows.get(`A ${name}`)!)
}

export const nameOf = new Map<string, string>([
  ...rows.entries().map(([name, id]) => [`${veterans[name[0] as Owner]} ${id}`, name] as const),
  ...(["A", "B"] as const).flatMap((owner) =>
    [...categorySets, ...lookNames, ["notices", "notices"] as const].map(([name, id]) =>
      [`${veterans[owner]} ${id}`, `${owner} ${name}`] as const
    )
  )
])

/** Names all visible rows of a veteran. With `provider`, includes only that provider's note. */
export const everything = (owner: Owner, provider?: Provider) =>
  [
    ...[...items, ...counts, ...Object.keys(documents).filter((name) => !isKept(owner, name)), ...entries, ...signIns,
      "notices", "proof", "tombstone"].map(
        (
          name
        ) => `${owner} ${name}`
      ),
    ...notes.filter((name) => provider === undefined || name === `note ${provider}`).map((name) => `${owner} ${name}`)
  ].sort()

/** Fills a database as a superuser. */
export const fill = async (client: pg.Client) => {
  const insert = (table: string, row: Record<string, unknown>) => {
    const columns = Object.keys(row)
    const values = columns.map((_, index) => `$${index + 1}`)
    return client.query(`insert into ${table} (${columns.join()}) values (${values.join()})`, Object.values(row))
  }
  const body_ciphertext = Buffer.alloc(40, 1)
  const sha256 = Buffer.alloc(32, 1)
  for (const provider of providerNames) {
    const disabled_at = provider === "disabled" ? new Date() : null
    const row = { id: providers[provider], email: provider, password_hash: "x", display_name: "x", organization: "x" }
    await insert("providers", { ...row, disabled_at })
  }
  for (const [owner, veteran_id] of Object.entries(veterans)) {
    const row = (name: string) => ({ veteran_id, id: rows.get(`${owner} ${name}`) })
    await insert("veterans", { id: veteran_id, va_patient_id: owner, call_sign: "x", email: "x" })
    for (const name of items) {
      const [resource_type, ...rest] = name.split(" ")
      const inactive = rest.includes("inactive")
      await insert("health_record_items", {
        ...row(name),
        resource_type,
        fhir_id: name,
        raw_ciphertext: body_ciphertext,
        content_mac: sha256,
        sensitive_categories: inactive ? [] : rest,
        active: !inactive,
        deactivated_at: inactive ? new Date() : null
      })
    }
    await insert("health_record_tombstones", {
      veteran_id,
      resource_type: "Condition",
      fhir_id: row("tombstone").id,
      sensitive_categories: ["hiv"]
    })
    for (const [name, ends_at] of Object.entries(documents)) {
      const storage_key = `${owner} ${name}`
      await insert("stored_files", { storage_key })
      const file = { title: "x", content_type: "application/pdf", byte_size: 1, sha256, storage_key, file_key: "x" }
      const signed = {
        signed_at: past,
        ends_at,
        authorization_ciphertext: "x",
        authorization_sha256: sha256,
        released_documents: "{}",
        recipient_storage_key: storage_key,
        recipient_file_key: "x",
        recipient_byte_size: 1,
        recipient_sha256: sha256,
        record_storage_key: storage_key,
        record_file_key: "x",
        record_byte_size: 1,
        record_sha256: sha256
      }
      const kind = ends_at === null ? "upload" : "roi"
      await insert("documents", { ...row(name), kind, ...file, ...(kind === "roi" ? signed : {}) })
      if (name.endsWith(" revoked") || name.endsWith(` revoked by ${owner}`)) {
        await insert("roi_revocations", { veteran_id, document_id: row(name).id })
      }
      if (isKept(owner, name)) await insert("kept_releases", { veteran_id, document_id: row(name).id })
    }
    for (const name of entries) {
      const deleted_at = name === "entry" ? null : new Date()
      await insert("self_reported_entries", { ...row(name), category: "note", body_ciphertext, deleted_at })
    }
    await insert("veteran_identities", { ...row("identity"), issuer: owner, subject_hash: sha256, how: "operator" })
    for (const name of ["session", "session ended"]) {
      await insert("veteran_sessions", {
        ...row(name),
        key_thumbprint: sha256,
        how: "va",
        network: "203.0.113.0/24",
        expires_at: future,
        ended_at: name === "session" ? null : past
      })
    }
    await insert("veteran_passkeys", {
      ...row("passkey"),
      credential_id: `credential of ${owner}`,
      public_key: "x",
      algorithm: -7,
      name_ciphertext: "x"
    })
    await insert("veteran_pairings", {
      id: newId(),
      veteran_id,
      issuer: owner,
      subject_hash: sha256,
      va_patient_hash: sha256,
      key_thumbprint: sha256,
      tries_left: 5,
      expires_at: future
    })
    for (const provider of providerNames) {
      await insert("provider_notes", { ...row(`note ${provider}`), provider_id: providers[provider], body_ciphertext })
      await insert("record_looks", { veteran_id, provider_id: providers[provider], looked_at: past, seen_until: past })
    }
  }
  const giveGrant = (id: string, to: Readonly<Record<string, unknown>>, grant: Grant) =>
    insert("consent_grants", {
      id,
      veteran_id: veterans[grant.owner ?? "A"],
      resource_types: grant.types ?? null,
      sensitive_categories: grant.categories ?? [],
      include_self_reported: grant.selfReported ?? false,
      include_documents: grant.documents ?? false,
      purpose: "x",
      status: grant.status ?? "active",
      expires_at: new Date(Date.now() + (grant.isExpired === true ? -1 : 3_600_000)),
      revoked_at: grant.status === "revoked" ? new Date() : null,
      ...to
    })
  for (const provider of providerNames) {
    for (const grant of grants[provider]) {
      await giveGrant(
        provider === "everything" ? providerGrantId : newId(),
        { provider_id: providers[provider] },
        grant
      )
    }
  }
  for (const name of appNames) {
    const id = newId()
    const disabled_at = name === "disabled" ? new Date() : null
    await insert("oauth_clients", { id, name: "x", redirect_uris: [], scopes: [], disabled_at })
    const toApp = { client_id: id, scope: "x", include_self_reported: false, include_documents: false }
    await giveGrant(appGrantIds[name], toApp, appGrants[name])
  }
  for (const name of linkNames) {
    const { document, expires, owner = "A", status, viewed }: Link = links[name]
    await insert("secure_links", {
      veteran_id: veterans[owner],
      id: linkIds[name],
      document_id: rows.get(`${owner} ${document}`),
      recipient_name: "x",
      recipient_email_ciphertext: "x",
      token_hash: createHash("sha256").update(name).digest(),
      status: status ?? "active",
      expires_at: expires ?? future,
      viewed_at: viewed === true ? past : null
    })
  }
  // Triggers of the inserts above wrote proofs. Each veteran gets one known proof instead.
  await client.query("delete from proofs")
  for (const [owner, veteran_id] of Object.entries(veterans)) {
    await insert("proofs", { veteran_id, id: rows.get(`${owner} proof`), kind: "sync_stored", at: past, event: {} })
  }
}
