import { Effect, Layer } from "effect"
import { assert, test } from "vitest"
import { VeteranId } from "../../../src/domain/Id.ts"
import { Crypto } from "../../../src/services/platform/Crypto.ts"
import type { Place } from "../../../src/services/platform/Envelope.ts"
import { placeOf, sealedColumns } from "../../../src/services/platform/SealedColumns.ts"
import { openDatabase } from "../../support/App.ts"
import { settingsOf } from "../../support/SettingsOf.ts"

const superuser = await (await openDatabase()).connect("superuser")

const veteran = VeteranId.make("0190a000-0000-7000-8000-000000000001")

const id = "0190a000-0000-7000-8000-000000000002"

/** The word "sealed", as an earlier release encrypted it for a row of each column. */
const sealed: ReadonlyArray<readonly [place: Place, envelope: string]> = [
  [
    placeOf("health_record_items", "raw_ciphertext", veteran, "Condition", "c-1"),
    "AQNvbGQacsxyL/lwO2jfqse1q37sv687sb9GFC43pFdp84iPDqoC"
  ],
  [
    placeOf("self_reported_entries", "body_ciphertext", veteran, id),
    "AQNvbGSCiBk01EHv0zh8dn+a9CkMwTTxsrEKqsDegnmweCfmyIpC"
  ],
  [placeOf("provider_notes", "body_ciphertext", veteran, id), "AQNvbGTcfJ1Psc/QIGsu4+rNaF7lYWhN+MhXwW3rWgxnO2tDVynp"],
  [placeOf("documents", "title", veteran, id), "AQNvbGRBw7ldKdM7b27tuuHjOg9ly83lZ9juJFaqNJjLbf+/AF4a"],
  [placeOf("documents", "file_key", veteran, id), "AQNvbGTEQc6fZNwL5qQv+xwEPfTXICbsIBL9LeH0m+2+tY7ruM2m"],
  [
    placeOf("documents", "authorization_ciphertext", veteran, id),
    "AQNvbGSZ19HQHsEVBFPgvQhJOP9XUtZGt2pL6dqDiilXymFCQ71g"
  ],
  [placeOf("documents", "recipient_file_key", veteran, id), "AQNvbGRs5x7Pf5lhjLGvATm2oymUBoeuAdjLoDd+aIz5nekv6mLa"],
  [placeOf("documents", "record_file_key", veteran, id), "AQNvbGSg/gqjnuN7HV7GwD24dYghLbRIhy+MkIoPYB6sEFje0IC1"],
  [
    placeOf("secure_links", "recipient_email_ciphertext", veteran, id),
    "AQNvbGQKl//gcDoVHZrOKfPzlKSzetEe7h3CMCr7EwA0R+eG8Z/g"
  ],
  [placeOf("secure_links", "shl_file_key", veteran, id), "AQNvbGSIK+l4tTrC6ou1ll1r0rX7iIRNlFIzqp/nDfI2Mo8Kh6Kx"],
  [
    placeOf("secure_links", "claimed_recipient_ciphertext", veteran, id),
    "AQNvbGRvJ+mh7oQOskINSMuI51OFf+yU4u/6IaWRDO6JSuIMrOGZ"
  ],
  [
    placeOf("veteran_sessions", "device_name_ciphertext", veteran, id),
    "AQNvbGRwjQQRRoVdn+dF5SZ3DuqWBm0i81g/oUcYRjdOjnkjYFP1"
  ],
  [
    placeOf("veteran_passkeys", "name_ciphertext", veteran, id),
    "AQNvbGSaPED67VVehy2rR3Hcb4rocX7CD4REb6rvhq0SQoGV5isk"
  ],
  [placeOf("proofs", "leaf_ciphertext", veteran, id), "AQNvbGTdSGBc7qSA2xEyi8NhnvtomPuVMDbTL61CfRdqA+phjuWh"]
]

const keyring = Crypto.layer.pipe(
  Layer.provide(settingsOf({ TOKEN_ENCRYPTION_KEY: `old:${Buffer.alloc(32, 1).toString("base64")}` }))
)

test.each(sealed)("A value from an earlier release still opens at %o", async (place, envelope) => {
  const open = Crypto.use((crypto) => crypto.open(place, Buffer.from(envelope, "base64")))
  assert.strictEqual((await Effect.runPromise(Effect.provide(open, keyring))).toString(), "sealed")
})

const listed = Object.entries(sealedColumns).flatMap(([table, { columns, row }]) =>
  columns.map((column) => ({ table, column, row }))
)

test("A value from an earlier release is tested for every sealed column", () => {
  assert.deepStrictEqual(
    sealed.map(([{ column, table }]) => `${table}.${column}`),
    listed.map(({ column, table }) => `${table}.${column}`)
  )
})

test("Every column of bytes is sealed and listed, or is a hash", async () => {
  const { rows } = await superuser.query(
    `select format('%s.%s', table_name, column_name) as name from information_schema.columns
     where table_schema in ('public', 'app') and data_type = 'bytea' and table_name !~ '_[0-9]{2}$'`
  )
  const hashes = [
    "documents.authorization_sha256",
    "documents.recipient_sha256",
    "documents.record_sha256",
    "documents.sha256",
    "email_changes.code_hash",
    "google_sign_ins.code_hash",
    "google_sign_ins.hash",
    "health_record_items.content_mac",
    "identity_assertions.hash",
    "known_networks.network",
    "oauth_clients.secret_hash",
    "oauth_codes.hash",
    "oauth_refresh_tokens.family",
    "oauth_refresh_tokens.token_hash",
    "oauth_requests.code_hash",
    "oauth_requests.cookie_hash",
    "oauth_requests.hash",
    "proof_checkpoints.root_hash",
    "proof_tiles.hashes",
    "proofs.leaf_hash",
    "proofs.provider_hash",
    "proofs.subject_hashes",
    "provider_invitations.code_hash",
    "provider_password_links.token_hash",
    "rate_limit_spendings.key",
    "secure_link_otps.code_hash",
    "secure_link_view_sessions.session_hash",
    "secure_links.recipient_hash",
    "secure_links.shl_hash",
    "secure_links.shl_sha256",
    "secure_links.token_hash",
    "spent_tokens.hash",
    "veteran_identities.subject_hash",
    "veteran_networks.network",
    "veteran_pairings.code_hash",
    "veteran_pairings.key_thumbprint",
    "veteran_pairings.subject_hash",
    "veteran_pairings.va_patient_hash",
    "veteran_sessions.key_thumbprint",
    "veterans.pairing_code_hash"
  ]
  // This value is sealed as that of the session which the pairing becomes. It lives for ten minutes, so no rotation
  // reseals it.
  const brief = ["veteran_pairings.device_name_ciphertext"]
  const publicKeys = ["veteran_passkeys.credential_id", "veteran_passkeys.public_key"]
  assert.deepStrictEqual(
    rows.map(({ name }) => name).sort(),
    [...hashes, ...brief, ...publicKeys, ...listed.map(({ column, table }) => `${table}.${column}`)].sort()
  )
})

test.each(listed)("$table has a unique key of the veteran and the columns that name a row", async ({ row, table }) => {
  const { rows } = await superuser.query(
    `select array(select attname::text from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any (i.indkey)
       order by 1) as columns
     from pg_index i where i.indrelid = $1::regclass and i.indisunique and i.indpred is null`,
    [table]
  )
  const names = row.map(String)
  // A key without `veteran_id` is also enough: what is unique in the table is unique among a veteran's rows.
  const keys = [names, [...names, "veteran_id"]].map((key) => key.sort().join())
  assert.isTrue(rows.some(({ columns }) => keys.includes(columns.join())), JSON.stringify(rows))
})
