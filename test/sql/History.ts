import type pg from "pg"
import type { TestDatabase } from "../support/Database.ts"

/**
 * How many rows of a kind the veteran of these tests has. A page has at most 200, so a statement that reads a whole
 * history reads a hundred times what it returns. 300,000 rows would show the same, and take minutes.
 */
export const historyRows = 20_000

/** What the rows are about: all of them are the veteran's, older than what the test does, and have ended. */
export interface History {
  readonly veteran: string
  /** A provider with other notes, and the one who has as many patients and grants as there are rows. */
  readonly provider: string
  readonly otherProvider: string
  readonly client: string
  /** Keyed hashes of a provider, a grant, a document and an app that each have many events. */
  readonly hashes: Readonly<Record<"provider" | "grant" | "document" | "client", Uint8Array>>
}

/**
 * Inserts the history of a veteran and of a provider, without triggers. What is sealed cannot be opened, and so the
 * requests of a test ask for newer rows, which the API made. Releases are as many as storage allows, notes as many as
 * the limit allows.
 */
export const insertHistory = async (
  superuser: pg.Client,
  { client, hashes, otherProvider, provider, veteran }: History
) => {
  const quoted = (text: string) => `'${text}'::uuid`
  const bytes = (hash: Uint8Array) => `'\\x${Buffer.from(hash).toString("hex")}'::bytea`
  const [v, p, other, c] = [veteran, provider, otherProvider, client].map(quoted)
  const sealed = "decode(repeat('00', 64), 'hex')"
  const hash = "sha256(gen_random_uuid()::text::bytea)"
  await superuser.query(`
    set session_replication_role = replica;
    create temporary table old as
      select n, now() - n * interval '10 minutes' as at, app.uuid_v7(now() - n * interval '10 minutes') as id,
        gen_random_uuid() as other
      from generate_series(1, ${historyRows}) n;

    insert into veterans (id, va_patient_id, call_sign, email)
      select other, 'old-' || n, 'Other', n || '@old.example' from old;
    insert into consent_grants (id, veteran_id, provider_id, sensitive_categories, include_self_reported,
        include_documents, purpose, status, granted_at, expires_at, revoked_at)
      select id, ${v}, case n % 2 when 0 then ${p} else ${other} end, '{}', true, true, 'treatment', 'revoked', at, at, at
      from old where n % 4 > 0;
    insert into consent_grants (id, veteran_id, client_id, scope, sensitive_categories, include_self_reported,
        include_documents, purpose, status, granted_at, expires_at, revoked_at)
      select id, ${v}, ${c}, 'patient/*.rs', '{}', false, false, 'An app', 'revoked', at, at, at from old where n % 4 = 0;
    insert into consent_grants (id, veteran_id, provider_id, sensitive_categories, include_self_reported,
        include_documents, purpose, granted_at, expires_at)
      select app.uuid_v7(at), other, ${p}, '{}', true, true, 'treatment', at, now() + interval '1 day' from old;
    insert into oauth_refresh_tokens (family, token_hash, veteran_id, grant_id)
      select ${hash}, ${hash}, ${v}, id from old where n % 4 = 0;
    insert into oauth_codes (hash, veteran_id, grant_id, client_id, redirect_uri, code_challenge, offline, access_until)
      select ${hash}, ${v}, id, ${c}, 'https://app.example/cb', 'x', true, now() from old where n % 4 = 0;
    insert into oauth_requests (hash, cookie_hash, client_id, redirect_uri, scope, code_challenge, veteran_id)
      select ${hash}, ${hash}, ${c}, 'https://app.example/cb', 'patient/*.rs', 'x', ${v} from old;

    insert into proofs (veteran_id, id, kind, at, leaf_ciphertext, leaf_hash, tree_index, provider_hash, subject_hashes)
      select ${v}, id, case n % 4 when 0 then 'record_viewed' when 1 then 'oauth_access_used' else 'document_read' end,
        date_trunc('milliseconds', at), ${sealed}, sha256('leaf'), 1000000000 + n,
        case n % 4 when 0 then ${bytes(hashes.provider)} end,
        case n % 4 when 0 then ${bytes(hashes.grant)} when 1 then ${bytes(hashes.client)} || substr(${hash}, 1, 16)
          else ${bytes(hashes.document)} end
      from old;
    insert into proofs (veteran_id, id, kind, at, leaf_hash, tree_index)
      select ${v}, app.uuid_v7(at - interval '7 years'), 'document_read', at - interval '7 years', sha256('leaf'),
        2000000000 + n
      from old;
    insert into acts_noted (veteran_id, kind, subject_id, minute) select ${v}, 'record_viewed', other, at from old;
    insert into looks_counted select ${v}, id, 1, at from old;
    insert into looks_untold select ${v}, other, 1, at, array[at] from old;
    insert into endings_told select ${v}, other, at from old;
    insert into record_looks (veteran_id, provider_id, looked_at, seen_until)
      select other, ${p}, at, at from old;

    insert into documents (id, veteran_id, kind, title, content_type, byte_size, sha256, storage_key, file_key, created_at)
      select id, ${v}, 'upload', '\\x00', 'text/plain', 1, ${hash}, other::text, '\\x00', at from old;
    insert into documents (id, veteran_id, kind, title, content_type, byte_size, sha256, storage_key, file_key, created_at,
        signed_at, authorization_ciphertext, authorization_sha256, ends_at, released_documents, recipient_storage_key,
        recipient_file_key, recipient_byte_size, recipient_sha256, record_storage_key, record_file_key, record_byte_size,
        record_sha256)
      select app.uuid_v7(at), ${v}, 'roi', '\\x00', 'application/pdf', 1, ${hash}, other::text, '\\x00', at,
        at, ${sealed}, ${hash}, now() + interval '90 days', '{}', other::text, '\\x00', 1, ${hash}, other::text, '\\x00', 1,
        ${hash}
      from old where n <= ${historyReleases};
    insert into roi_revocations (veteran_id, document_id, revoked_at)
      select ${v}, id, now() from documents where veteran_id = ${v} and kind = 'roi' and created_at < now() - interval '1 minute';
    insert into secure_links (veteran_id, id, document_id, recipient_name, recipient_email_ciphertext, token_hash, status,
        created_at, expires_at, disabled_at)
      select ${v}, id, (select d.id from documents d where d.veteran_id = ${v} and d.kind = 'roi' order by d.id limit 1),
        'Jane', ${sealed}, ${hash}, 'disabled', at, now() + interval '1 day', at
      from old;
    insert into stored_files (storage_key, created_at, veteran_id) select other::text, at, ${v} from old;

    insert into health_record_tombstones (veteran_id, resource_type, fhir_id, sensitive_categories)
      select ${v}, 'Procedure', n::text, '{}' from old;
    insert into self_reported_entries (id, veteran_id, category, body_ciphertext, created_at, updated_at, deleted_at)
      select id, ${v}, 'note', ${sealed}, at, at, at from old;
    insert into self_reported_entries (id, veteran_id, category, body_ciphertext, created_at, updated_at)
      select app.uuid_v7(at), ${v}, 'note', ${sealed}, at, at from old where n < 9990;
    insert into provider_notes (id, veteran_id, provider_id, body_ciphertext, created_at)
      select id, ${v}, ${other}, ${sealed}, at from old where n < 10000;

    insert into veteran_sessions (veteran_id, id, key_thumbprint, how, network, created_at, renewed_at, expires_at, ended_at)
      select ${v}, id, ${hash}, 'va', '192.0.2.0', at, at, at, at from old;
    insert into veteran_pairings (id, issuer, subject_hash, va_patient_hash, veteran_id, key_thumbprint, tries_left, expires_at)
      select id, 'https://issuer.va.example/oauth2/default', ${hash}, ${hash}, ${v}, ${hash}, 5, at from old;
    insert into veteran_networks select ${v}, ${hash}, at from old;
    insert into outbox (kind, subject_id, veteran_id, due_at, attempts)
      select case n % 2 when 0 then 'new_device' else 'grant_revoked' end, case n % 2 when 0 then ${v} else id end, ${v},
        now() + interval '1 day', 1
      from old;

    insert into provider_sessions (id, provider_id, created_at, expires_at, revoked_at)
      select gen_random_uuid(), ${p}, at, at, at from old;
    insert into provider_invitations (id, provider_id, code_hash, created_at, expires_at)
      select id, ${p}, ${hash}, at - interval '1 day', at from old;
    insert into provider_password_links (id, provider_id, token_hash, why, created_at, expires_at)
      select id, ${p}, ${hash}, 'forgotten', at, at from old;
    insert into known_networks select ${hash}, ${p}, at from old;
    insert into google_sign_ins (hash, code_hash, challenge, provider_id) select ${hash}, ${hash}, 'x', ${p} from old;
    insert into rate_limit_spendings select ${hash}, now(), 1 from old;
    reset session_replication_role;
    drop table old`)
}

/**
 * Gathers statistics as if this veteran and this provider were two of many. Without the commonest values of their
 * columns, the planner takes each for one of 200. It has to find an index, because all rows here are theirs.
 */
export const analyzeAsOneOfMany = async (superuser: pg.Client, { name }: TestDatabase) => {
  await superuser.query(`
    do $$
    declare
      one record;
    begin
      for one in
        select a.attrelid::regclass as whole, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relkind in ('r', 'p') and a.attname in ('veteran_id', 'provider_id') and c.relnamespace <> 'pg_catalog'::regnamespace
      loop
        execute format('alter table %s alter column %I set statistics 0', one.whole, one.attname);
      end loop;
      for one in
        select c.oid::regclass as part from pg_class c
        where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'app'::regnamespace)
      loop
        execute format('alter table %s set (autovacuum_enabled = false)', one.part);
      end loop;
    end $$;
    alter database ${name} set enable_seqscan = off;
    delete from pg_statistic;
    analyze`)
}

/** RELEASE_LIMIT_MB allows about this many small releases. */
export const historyReleases = 10_000
