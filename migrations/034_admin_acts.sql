-- What an operator did, by which key, and to whom. A row is written in the transaction of the act. It holds ids and no name:
-- a reason is for the operator to word, and no person belongs in it.
create table admin_acts (
  id uuid primary key,
  at timestamptz not null default clock_timestamp(),
  act text not null,
  target_kind text not null check (target_kind in ('veteran', 'provider', 'app', 'waitlist_signup')),
  target_id uuid not null,
  key text not null,
  request_id uuid not null,
  reason text check (char_length(reason) between 1 and 200)
);

create index admin_acts_target on admin_acts (target_id, id);

grant select, insert on admin_acts to vrss_runtime;
grant select on admin_acts to vrss_backup;

-- The owner too can only add rows, unless the trigger is dropped first, which the doctor reports.
create function app.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are only added', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
revoke all on function app.refuse_change from public;

create trigger admin_acts_are_only_added before update or delete on admin_acts
  for each row execute function app.refuse_change();
create trigger admin_acts_are_never_emptied before truncate on admin_acts
  for each statement execute function app.refuse_change();

alter table proofs drop constraint proofs_kind_check, add constraint proofs_kind_check
  check (kind in ('sync_stored', 'grant_given', 'grant_revoked', 'record_viewed', 'record_saved', 'note_written',
    'document_stored', 'document_read', 'roi_signed', 'link_created', 'link_opened', 'link_code_sent',
    'link_code_failed', 'link_viewed', 'link_revoked', 'oauth_access_granted', 'oauth_access_denied',
    'oauth_token_refreshed', 'oauth_access_used', 'oauth_access_revoked', 'oauth_code_replayed',
    'oauth_refresh_replayed', 'session_started', 'session_ended', 'passkey_added', 'passkey_removed', 'identity_paired',
    'identity_removed', 'email_changed', 'export_made', 'deletion_asked', 'deletion_cancelled', 'deletion_done'));

alter table outbox
  -- Where the message goes if not to its subject's present address: an address that was changed, or that is about to be removed.
  -- It leaves with the row, when the message was sent or given up.
  add column address text,
  -- What the message says besides, such as a day or a number. It holds no name and no health data.
  add column facts jsonb,
  drop constraint outbox_kind_check, add constraint outbox_kind_check
  check (kind in ('link_opened', 'link_viewed', 'link_locked', 'waitlist_joined', 'checkpoint_signed', 'app_connected',
    'app_replayed', 'grant_revoked', 'grant_expired', 'record_updated', 'pairing_code', 'new_device', 'identity_added',
    'identity_removed', 'password_link', 'password_changed', 'provider_email_changed', 'veteran_email_changed',
    'email_code', 'access_ended', 'export_made', 'deletion_asked', 'deletion_cancelled', 'deletion_done', 'notice'));
