-- What belongs to a veteran names the veteran, so that several databases can share the veterans one day: messages that wait,
-- messages to apps, and files. Null stands for what is nobody's.

alter table outbox add column veteran_id uuid references veterans;
alter table stored_files add column veteran_id uuid references veterans;
-- A deletion and the doctor go by veteran.
create index outbox_veteran on outbox (veteran_id);
create index stored_files_veteran on stored_files (veteran_id);

-- Forced row-level security would show the owner none of the rows.
alter table documents no force row level security;
alter table email_changes no force row level security;
alter table veteran_pairings no force row level security;

update outbox o set veteran_id = case
  when o.kind in ('link_opened', 'link_viewed', 'link_locked') then (select l.veteran_id from secure_links l where l.id = o.subject_id)
  when o.kind in ('app_connected', 'app_replayed', 'grant_revoked', 'grant_expired', 'record_updated')
    then (select g.veteran_id from consent_grants g where g.id = o.subject_id)
  when o.kind = 'pairing_code' then (select p.veteran_id from veteran_pairings p where p.id = o.subject_id)
  when o.kind = 'email_code' then (select c.veteran_id from email_changes c where c.id = o.subject_id)
  else (select v.id from veterans v where v.id = o.subject_id)
end;
-- What tells of a link, a grant or an address that is gone would not be sent anyway.
delete from outbox where veteran_id is null and kind not in ('waitlist_joined', 'checkpoint_signed', 'provider_email_changed',
  'password_link', 'password_changed', 'pairing_code');
-- A pairing by a number that nobody has is answered as any other, and its message is nobody's.
alter table outbox add constraint outbox_names_veteran check (
  kind = 'pairing_code' or (veteran_id is null) = (kind in ('waitlist_joined', 'checkpoint_signed', 'provider_email_changed',
    'password_link', 'password_changed'))
);

drop index outbox_updates;
create unique index outbox_updates on outbox (veteran_id, subject_id) where kind = 'record_updated' and attempts = 0;

-- A file whose row has ended stays without a veteran. It is removed within a minute.
update stored_files f set veteran_id = d.veteran_id
from (select veteran_id, unnest(array[storage_key, recipient_storage_key, record_storage_key]) as storage_key from documents) d
where f.storage_key = d.storage_key;
update stored_files f set veteran_id = l.veteran_id from secure_links l where f.storage_key = l.shl_storage_key;

alter table documents force row level security;
alter table email_changes force row level security;
alter table veteran_pairings force row level security;

-- Each function that writes a message names the veteran behind the message's subject, and is otherwise as it was.
do $$
declare
  step record;
  before text;
  after text;
begin
  for step in
    select * from (values
      ('open_link', $said$('link_opened', link.id$said$, 'link.veteran_id'),
      ('begin_transfer', $said$('link_viewed', link.id$said$, 'link.veteran_id'),
      ('try_code', $said$('link_locked', link.id$said$, 'link.veteran_id'),
      ('tell_app', $said$('grant_' || new.status, new.id$said$, 'new.veteran_id'),
      ('tell_apps_of_sync', $said$select 'record_updated', g.id$said$, 'g.veteran_id'),
      ('begin_veteran_session', $said$('pairing_code', new_id$said$, 'named'),
      ('open_session_by', $said$('new_device', veteran$said$, 'veteran'),
      ('add_identity', $said$('identity_added', veteran$said$, 'veteran'),
      ('remove_identity', $said$('identity_removed', veteran$said$, 'veteran'),
      ('add_passkey', $said$('passkey_added', veteran$said$, 'veteran'),
      ('remove_passkey', $said$('passkey_removed', veteran$said$, 'veteran'),
      ('ask_email_change', $said$('email_code', challenge$said$, 'veteran'),
      ('change_veteran_email', $said$('veteran_email_changed', veteran$said$, 'veteran'),
      ('end_access', $said$('access_ended', veteran$said$, 'veteran'),
      ('note_deletion', $said$('deletion_asked', veteran$said$, 'veteran'),
      ('take_deletion_back', $said$('deletion_cancelled', veteran$said$, 'veteran'),
      ('forget_veteran', $said$('deletion_done', veteran$said$, 'veteran'),
      ('note_export', $said$('export_made', veteran$said$, 'veteran'),
      ('put_notice', $said$('notice', veteran$said$, 'veteran'),
      ('tell_veteran', $said$select 'notice', veteran$said$, 'veteran')
    ) as t (name, message, veteran)
  loop
    select pg_get_functiondef(p.oid) into strict before from pg_proc p
    where p.pronamespace = 'app'::regnamespace and p.proname = step.name;
    after := replace(before, step.message, step.message || ', ' || step.veteran);
    after := replace(after, 'public.outbox (kind, subject_id', 'public.outbox (kind, subject_id, veteran_id');
    after := replace(after, 'on conflict (subject_id)', 'on conflict (veteran_id, subject_id)');
    if after not like '%outbox (kind, subject_id, veteran_id%' || step.message || ', ' || step.veteran || '%' then
      raise exception 'app.% writes no message of this kind', step.name;
    end if;
    execute after;
  end loop;
end $$;

-- Messages are found by their veteran. Those to apps go last, when there is no grant any more of which they could tell. Files are
-- forgotten with their documents and links.
do $$
declare
  step record;
  before text;
begin
  for step in
    select * from (values
      ('begin_deletion', $old$ and (
    o.subject_id = veteran
    or o.subject_id in (select l.id from public.secure_links l where l.veteran_id = veteran)
    or o.subject_id in (select g.id from public.consent_grants g where g.veteran_id = veteran)
  );$old$, $new$
    and o.veteran_id = veteran;$new$),
      ('forget_rows', $old$'storage_used',
    'veteran_deletions'];$old$, $new$'storage_used',
    'stored_files', 'veteran_deletions'];$new$)
    ) as t (name, said, says)
  loop
    select pg_get_functiondef(p.oid) into strict before from pg_proc p
    where p.pronamespace = 'app'::regnamespace and p.proname = step.name;
    if position(step.said in before) = 0 then raise exception 'app.% is another', step.name; end if;
    execute replace(before, step.said, step.says);
  end loop;
end $$;

-- As before (migrations/023), but that the message names the veteran.
create or replace function app.end_app_grant(of_grant uuid, reason text) returns boolean language plpgsql as $$
declare
  veteran pg_catalog.uuid;
begin
  update public.consent_grants g set status = 'revoked', revoked_at = clock_timestamp(), ended_by = reason
  where g.id = of_grant and g.client_id is not null and g.status = 'active' and g.expires_at > clock_timestamp()
  returning g.veteran_id into veteran;
  if veteran is not null and reason <> 'app' then
    insert into public.outbox (kind, subject_id, veteran_id) values ('app_replayed', of_grant, veteran);
  end if;
  return veteran is not null;
end $$;

-- As before (migrations/037), but for the veteran to whom the page was shown: the code and the grant's id begin with their slot.
-- 'ended', too, if somebody else proved to be there meanwhile.
drop function app.approve_request;
create function app.approve_request(request bytea, cookie bytea, new_grant uuid, types text[], categories text[], told_scope text,
    is_offline boolean, access_seconds int, code bytea, code_seconds int, per_veteran int, per_client int, veteran uuid)
  returns table (status text, redirect_uri text, state text)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked public.oauth_requests := app.lock_request(request, cookie);
  refusal pg_catalog.text;
  moment pg_catalog.timestamptz;
begin
  redirect_uri := asked.redirect_uri;
  state := asked.state;
  if asked.hash is not null and asked.proved_at is not null then
    refusal := app.sharing_refusal(asked.veteran_id, asked.proved_at);
  end if;
  moment := clock_timestamp();
  if asked.hash is null or asked.proved_at is null or refusal = 'stopped'
    or asked.veteran_id is distinct from veteran
  then
    status := 'ended';
  elsif refusal is not null then
    status := 'deletion';
  elsif not app.has_room_for_grant(asked.veteran_id, asked.client_id, per_veteran, per_client) then
    status := 'full';
  else
    status := 'granted';
    insert into public.consent_grants (veteran_id, id, client_id, scope, resource_types, sensitive_categories,
      include_self_reported, include_documents, purpose, granted_at, expires_at)
    values (asked.veteran_id, new_grant, asked.client_id, told_scope, types, categories,
      false, false, 'An app that I connected', moment, moment + make_interval(secs => code_seconds));
    insert into public.oauth_codes (hash, veteran_id, grant_id, client_id, redirect_uri, code_challenge, offline, access_until,
      created_at)
    values (code, asked.veteran_id, new_grant, asked.client_id, asked.redirect_uri, asked.code_challenge, is_offline,
      moment + make_interval(secs => access_seconds), moment);
    insert into public.outbox (kind, subject_id, veteran_id) values ('app_connected', new_grant, veteran);
    update public.oauth_requests set ended_at = moment, grant_id = new_grant where hash = request;
  end if;
  return next;
end $$;
revoke all on function app.approve_request from public;
grant execute on function app.approve_request to vrss_runtime;

-- As before (migrations/035 and 038), but of the veteran whom the message names.
drop function app.pairing_addressee;
create function app.pairing_addressee(veteran uuid, pairing uuid) returns table (email text)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app.share_sessions(p.veteran_id) from public.veteran_pairings p where p.id = pairing and p.veteran_id = veteran;
  return query
    select v.email from public.veteran_pairings p join public.veterans v on v.id = p.veteran_id
    where p.id = pairing and p.veteran_id = veteran and p.code_hash is not null and p.expires_at > clock_timestamp();
end $$;

drop function app.email_addressee;
create function app.email_addressee(veteran uuid, challenge uuid, expires_in int) returns table (email text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select c.email from public.email_changes c
    where c.veteran_id = veteran and c.id = challenge and c.ended_at is null
      and c.created_at > clock_timestamp() - make_interval(secs => expires_in);
end $$;

revoke all on function app.pairing_addressee, app.email_addressee from public;
grant execute on function app.pairing_addressee, app.email_addressee to vrss_runtime;
