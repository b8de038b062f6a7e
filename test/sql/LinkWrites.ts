import { linkIds, rows, veterans } from "./Rows.ts"

const denied = "42501"

const hash = "decode(repeat('00', 32), 'hex')"

const fresh = "00000000-0000-7000-8000-ffffffffffff"

/**
 * Each row has a direct write and its result for any actor. Only the functions for a link's steps may write its codes,
 * tries and times. Only functions and triggers may write kept releases and the counts of storage.
 */
export const linkWrites: ReadonlyArray<readonly [statement: string, becomes: number | string]> = [
  ...["wrong_codes = 0", "viewed_at = null", "opened_at = null", "code_sent_at = null", "notified_at = null",
    "expires_at = 'infinity'", "token_hash = token_hash", "document_id = null", "shl_hash = null",
    "shl_storage_key = null", "shl_file_key = null", "claimed_recipient_ciphertext = null", "viewed_via = null"].map((
      change
    ) => [`update secure_links set ${change}`, denied] as const),
  ...["tries = 0", "ended_at = null", "created_at = now()", "code_hash = code_hash"].map((change) =>
    [`update secure_link_otps set ${change}`, denied] as const
  ),
  ...["consumed_at = null", "transfer_id = null", "sent_bytes = 0", "broke_at = null", "created_at = now()",
    "via = 'app'"].map((
      change
    ) => [`update secure_link_view_sessions set ${change}`, denied] as const),
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
  ["update stored_files set ended_at = now()", denied],
  // No actor may change which deleted releases are kept. The database sets the times of deletion and revocation.
  ["delete from kept_releases", denied],
  ["update kept_releases set deleted_at = now()", denied],
  [
    `insert into kept_releases (veteran_id, document_id, deleted_at)
     values ('${veterans.A}', '${rows.get("A release")}', now())`,
    denied
  ],
  [
    `insert into roi_revocations (veteran_id, document_id, revoked_at)
     values ('${veterans.A}', '${rows.get("A release")}', '1970-01-01')`,
    denied
  ],
  // Only triggers may write the counts of what a veteran has stored.
  ["update storage_used set upload_bytes = 0", denied],
  ["delete from storage_used", denied],
  [`insert into storage_used (veteran_id) values ('${veterans.A}')`, denied],
  [`update secure_links set status = 'active' where id = '${linkIds.live}'`, 1],
  ["update secure_links set status = 'active' where status = 'disabled'", "23514"],
  ["update secure_links set status = 'active' where status = 'expired'", "23514"],
  ["update secure_links set disabled_at = now() where status = 'disabled'", "23514"]
]
