-- A veteran is forgotten (contract, parts 10 and 14.3), all access ends at once, and each row is held to its veteran.

alter table veterans
  -- Since then nobody is this veteran: the row is there for the sake of what is kept, and has nothing but its id.
  add column deleted_at timestamptz;

create table veteran_deletions (
  veteran_id uuid primary key references veterans,
  asked_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null,
  -- Since then it goes on to its end, whatever stops it meanwhile.
  begun_at timestamptz,
  -- Where the last mail goes. The veteran's row has no address by then.
  address text,
  check ((begun_at is null) = (address is null))
);

create index veteran_deletions_due on veteran_deletions (ends_at);

alter table veteran_deletions enable row level security;
alter table veteran_deletions force row level security;

create policy functions_keep on veteran_deletions to current_role using (true) with check (true);
create policy backup_reads on veteran_deletions for select to vrss_backup using (true);

grant select on veteran_deletions to vrss_backup;

-- When everything that a veteran had shared was ended last.
create table veteran_sharing_ends (
  veteran_id uuid primary key references veterans,
  ended_at timestamptz not null
);

grant select on veteran_sharing_ends to vrss_backup;

-- Forced row-level security holds for the owner too, as whom the functions below run. They state this actor for as long.
create policy functions_forget on health_record_items to current_role using ((select app.actor()) = 'forgetting');
create policy functions_forget on health_record_counts to current_role using ((select app.actor()) = 'forgetting');
create policy functions_forget on provider_notes to current_role using ((select app.actor()) = 'forgetting');
create policy functions_forget on self_reported_entries to current_role using ((select app.actor()) = 'forgetting');
create policy functions_forget on documents to current_role using ((select app.actor()) = 'forgetting');

-- Whoever shares a record, and whoever ends all of it, takes turns until the transaction ends. The order of locks: first the
-- veteran's row where syncs, signatures and removals take it, then this turn, then that of the sessions, then other rows.
create function app.take_sharing_turn(veteran uuid) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('consent_grants ' || veteran, 0))
$$;

-- Says why the veteran shares nothing now. 'deletion': they are about to be forgotten. 'stopped': everything was ended since
-- what is shared was begun. Null if nothing speaks against it; then nothing is ended until the transaction has.
create function app.sharing_refusal(veteran uuid, since timestamptz default now()) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app.take_sharing_turn(veteran);
  -- Statements of their own, so that they see what the wait for the turn was for.
  if exists (select from public.veteran_deletions d where d.veteran_id = veteran)
    or exists (select from public.veterans v where v.id = veteran and v.deleted_at is not null)
  then
    return 'deletion';
  end if;
  if exists (select from public.veteran_sharing_ends e where e.veteran_id = veteran and e.ended_at >= since) then
    return 'stopped';
  end if;
  return null;
end $$;

-- The service asks before it shares. This holds for whoever does not.
create function app.refuse_sharing() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  refusal pg_catalog.text := app.sharing_refusal(new.veteran_id);
begin
  if refusal is not null then
    raise exception 'nothing is shared now: %', refusal using errcode = 'VR409';
  end if;
  return new;
end $$;

create trigger grants_may_be_refused before insert on consent_grants
  for each row execute function app.refuse_sharing();
create trigger links_may_be_refused before insert on secure_links
  for each row execute function app.refuse_sharing();

-- A release was begun when its record was read.
create function app.refuse_release() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  refusal pg_catalog.text := app.sharing_refusal(new.veteran_id, least(now(), new.signed_at));
begin
  if refusal is not null then
    raise exception 'nothing is released now: %', refusal using errcode = 'VR409';
  end if;
  return new;
end $$;

create trigger releases_may_be_refused before insert on documents
  for each row when (new.kind = 'roi') execute function app.refuse_release();

-- The end of a release takes its links with it, and so takes the turn first.
create function app.take_turn_of_end() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app.take_sharing_turn(new.veteran_id);
  return new;
end $$;

create trigger roi_revocations_take_turns before insert on roi_revocations
  for each row execute function app.take_turn_of_end();

-- As before (migrations/014), but for the turn, which comes before any link.
create or replace function app.remove_document(veteran uuid, document uuid)
  returns table (outcome text, storage_keys text[])
  language plpgsql as $$
declare
  d public.documents;
begin
  -- Whoever signs a release that names the document, or is about to send it, comes before this or after it.
  perform from public.veterans v where v.id = veteran for no key update;
  perform app.take_sharing_turn(veteran);
  perform from public.secure_links l where l.veteran_id = veteran and l.document_id = document for no key update;
  select * into d from public.documents where veteran_id = veteran and id = document;
  if not found then return; end if;
  if exists (
    select from public.documents r
    where r.veteran_id = veteran and document = any (r.released_documents) and app.in_force(r)
  ) then
    outcome := 'needed';
  elsif not app.may_forget(d) and exists (
    select from public.secure_links l
    where l.veteran_id = veteran and l.document_id = document and l.viewed_at is not null
  ) then
    outcome := 'kept';
    if app.in_force(d) then
      insert into public.roi_revocations (veteran_id, document_id) values (veteran, document) on conflict do nothing;
    end if;
    insert into public.kept_releases (veteran_id, document_id) values (veteran, document);
  elsif app.in_force(d) then
    outcome := 'needed';
  else
    outcome := 'removed';
    storage_keys := array_remove(array[d.storage_key, d.recipient_storage_key, d.record_storage_key], null);
    delete from public.documents where veteran_id = veteran and id = document;
  end if;
  return next;
end $$;

-- Nothing of a veteran who was forgotten is written by a transaction that began before. It holds off the deletion's begin, which
-- locks the veteran's row, until it has ended.
create function app.require_veteran() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from public.veterans v where v.id = new.veteran_id and v.deleted_at is null for key share;
  if not found then
    raise exception 'there is no such veteran' using errcode = 'VR401';
  end if;
  return new;
end $$;

create function app.refuse_forgotten() returns trigger language plpgsql as $$
begin
  raise exception 'there is no such veteran' using errcode = 'VR401';
end $$;

-- Nothing is written into the row that is left of a veteran.
create trigger forgotten_stay_forgotten before update on veterans
  for each row when (old.deleted_at is not null) execute function app.refuse_forgotten();

create trigger need_their_veteran before insert on documents
  for each row execute function app.require_veteran();
create trigger need_their_veteran before insert on self_reported_entries
  for each row execute function app.require_veteran();
create trigger need_their_veteran before insert on provider_notes
  for each row execute function app.require_veteran();
create trigger need_their_veteran before insert on record_looks
  for each row execute function app.require_veteran();
create trigger need_their_veteran before insert on veteran_identities
  for each row execute function app.require_veteran();
create trigger need_their_veteran before insert on veteran_sessions
  for each row execute function app.require_veteran();
create trigger need_their_veteran before insert on veteran_networks
  for each row execute function app.require_veteran();
-- Each statement that writes items writes this row too (migrations/025), so that no item has a trigger of its own.
create trigger need_their_veteran before insert on health_record_sizes
  for each row execute function app.require_veteran();
create trigger need_their_veteran before insert on proofs
  for each row when (new.kind <> 'deletion_done') execute function app.require_veteran();

-- Whether the service ends something, and not the veteran. Only functions that run as the owner state it, for as long as they run.
create function app.by_service() returns boolean language sql stable as
  $$ select coalesce(current_setting('app.by_service', true), '') = 'true' $$;

create function app.refuse_sync() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if app.sharing_refusal(new.veteran_id, 'infinity') is not null then
    raise exception 'no sync is stored now' using errcode = 'VR409';
  end if;
  return new;
end $$;

create trigger syncs_may_be_refused before insert on proofs
  for each row when (new.kind = 'sync_stored') execute function app.refuse_sync();

create or replace function app.prove_grant() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_veteran pg_catalog.bool := new.ended_by is null and not (new.status = 'revoked' and app.by_service());
begin
  if new.provider_id is not null then
    perform app.write_proof(new.veteran_id, case new.status when 'active' then 'grant_given' else 'grant_revoked' end,
      case when by_veteran then 'veteran' else 'service' end, case when by_veteran then new.veteran_id end,
      jsonb_build_object('providerId', new.provider_id, 'grantId', new.id));
  else
    perform app.write_proof(new.veteran_id,
      case
        when new.status = 'active' then 'oauth_access_granted'
        when new.ended_by = 'code_replay' then 'oauth_code_replayed'
        when new.ended_by = 'refresh_replay' then 'oauth_refresh_replayed'
        else 'oauth_access_revoked'
      end,
      case when by_veteran then 'veteran' when new.ended_by = 'app' then 'app' else 'service' end,
      case when by_veteran then new.veteran_id when new.ended_by = 'app' then new.client_id end,
      jsonb_build_object('clientId', new.client_id, 'grantId', new.id));
  end if;
  return null;
end $$;

create or replace function app.prove_link() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_service pg_catalog.bool := tg_op = 'UPDATE' and (new.wrong_codes > old.wrong_codes or app.by_service());
begin
  perform app.write_proof(new.veteran_id, case new.status when 'active' then 'link_created' else 'link_revoked' end,
    case when by_service then 'service' else 'veteran' end, case when not by_service then new.veteran_id end,
    jsonb_build_object('linkId', new.id, 'documentId', new.document_id)
      || case when tg_op = 'UPDATE' and app.by_service() then '{"how": "operator"}'::jsonb else '{}' end);
  return null;
end $$;

-- Ends every grant, link and release of a veteran whose turn the caller has, and counts those by which somebody could read.
create function app.end_sharing(veteran uuid, by_veteran boolean, out grants int, out apps int, out links int,
    out releases int)
  language plpgsql as $$
declare
  stated pg_catalog.text := app.actor();
begin
  insert into public.veteran_sharing_ends as ends values (veteran, clock_timestamp())
  on conflict (veteran_id) do update set ended_at = greatest(ends.ended_at, excluded.ended_at);
  perform set_config('app.by_service', case when by_veteran then '' else 'true' end, true);
  with ended as (
    update public.consent_grants g set status = 'revoked', revoked_at = clock_timestamp()
    where g.veteran_id = veteran and g.status = 'active' and g.expires_at > clock_timestamp()
    returning g.provider_id, g.client_id
  )
  select count(*) filter (where p.id is not null), count(*) filter (where c.id is not null) into grants, apps
  from ended e left join public.providers p on p.id = e.provider_id and p.disabled_at is null
    left join public.oauth_clients c on c.id = e.client_id and c.disabled_at is null;
  -- The links come first: the end of their release would end them uncounted.
  update public.secure_links l set status = 'disabled', disabled_at = clock_timestamp()
  where l.veteran_id = veteran and l.status = 'active' and l.expires_at > clock_timestamp();
  get diagnostics links = row_count;
  perform set_config('app.actor', 'forgetting', true);
  insert into public.roi_revocations (veteran_id, document_id)
  select d.veteran_id, d.id from public.documents d where d.veteran_id = veteran and app.in_force(d)
  on conflict do nothing;
  get diagnostics releases = row_count;
  perform set_config('app.actor', coalesce(stated, ''), true);
  perform set_config('app.by_service', '', true);
end $$;

-- The stated veteran ends all of it.
create function app.stop_sharing(out grants int, out apps int, out links int, out releases int)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if app.actor() is distinct from 'veteran' then raise exception 'no veteran is stated'; end if;
  perform app.take_sharing_turn(app.actor_veteran());
  select e.* into grants, apps, links, releases from app.end_sharing(app.actor_veteran(), true) e;
end $$;

-- The operator ends all access: what is shared, every session, and every token that has none. Answers no row if there is no such
-- veteran.
create function app.end_access(veteran uuid, idle int)
  returns table (sessions int, grants int, apps int, links int, releases int)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app.take_sharing_turn(veteran);
  -- Before any row, because who changes the veteran's number holds this turn, and waits for those who hold the veteran's row.
  perform app.lock_sessions(veteran);
  perform from public.veterans v where v.id = veteran and v.deleted_at is null;
  if not found then return; end if;
  select count(*) into sessions from public.veteran_sessions s where s.veteran_id = veteran and app.is_live(s, idle);
  select e.* into grants, apps, links, releases from app.end_sharing(veteran, false) e;
  perform app.end_all_tokens(veteran, idle, false);
  insert into public.outbox (kind, subject_id) values ('access_ended', veteran);
  return next;
end $$;

-- Notes that a veteran, whose turn the caller has, is to be forgotten in 72 hours, and ends what is shared. Asked again it changes
-- nothing, and answers the same end.
create function app.note_deletion(veteran uuid, by_veteran boolean) returns timestamptz language plpgsql as $$
declare
  ends pg_catalog.timestamptz;
begin
  insert into public.veteran_deletions (veteran_id, ends_at)
  values (veteran, date_trunc('milliseconds', clock_timestamp()) + interval '72 hours')
  on conflict (veteran_id) do nothing
  returning ends_at into ends;
  if not found then
    return (select d.ends_at from public.veteran_deletions d where d.veteran_id = veteran);
  end if;
  perform app.end_sharing(veteran, by_veteran);
  perform app.write_proof(veteran, 'deletion_asked', case when by_veteran then 'veteran' else 'service' end,
    case when by_veteran then veteran end, '{}');
  insert into public.outbox (kind, subject_id, facts)
  values ('deletion_asked', veteran, jsonb_build_object('endsAt',
    to_char(ends at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
  return ends;
end $$;

-- The stated veteran asks, in a confirmed session, and types their call sign. 'wrong': it is another one.
create function app.ask_own_deletion(typed text, idle int, confirmed_seconds int)
  returns table (status text, ends_at timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  veteran pg_catalog.uuid := case when app.actor() = 'veteran' then app.actor_veteran() end;
begin
  if veteran is null or app.actor_session() is null
    or not app.is_confirmed(veteran, app.actor_session(), idle, confirmed_seconds)
  then
    status := 'unconfirmed';
  else
    perform app.take_sharing_turn(veteran);
    perform from public.veterans v where v.id = veteran and v.deleted_at is null and v.call_sign = typed;
    status := case when found then 'asked' else 'wrong' end;
    if status = 'asked' then ends_at := app.note_deletion(veteran, true); end if;
  end if;
  return next;
end $$;

-- The operator asks. `is_new` is false where it was asked before. Answers no row if there is no such veteran.
create function app.ask_deletion(veteran uuid) returns table (is_new boolean, ends_at timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app.take_sharing_turn(veteran);
  perform from public.veterans v where v.id = veteran and v.deleted_at is null;
  if not found then return; end if;
  is_new := not exists (select from public.veteran_deletions d where d.veteran_id = veteran);
  ends_at := app.note_deletion(veteran, false);
  return next;
end $$;

-- Takes a deletion back that was not begun. 'none': there is none. 'begun': it is too late. 'unknown': there is no such veteran.
create function app.take_deletion_back(veteran uuid, by_veteran boolean) returns text language plpgsql as $$
begin
  perform app.take_sharing_turn(veteran);
  delete from public.veteran_deletions d where d.veteran_id = veteran and d.begun_at is null;
  if found then
    perform app.write_proof(veteran, 'deletion_cancelled', case when by_veteran then 'veteran' else 'service' end,
      case when by_veteran then veteran end, '{}');
    insert into public.outbox (kind, subject_id) values ('deletion_cancelled', veteran);
    return 'cancelled';
  end if;
  return case
    when exists (select from public.veteran_deletions d where d.veteran_id = veteran) then 'begun'
    when exists (select from public.veterans v where v.id = veteran and v.deleted_at is null) then 'none'
    else 'unknown'
  end;
end $$;

create function app.cancel_own_deletion() returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if app.actor() is distinct from 'veteran' then raise exception 'no veteran is stated'; end if;
  return app.take_deletion_back(app.actor_veteran(), true);
end $$;

create function app.cancel_deletion(veteran uuid) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  return app.take_deletion_back(veteran, false);
end $$;

-- When a veteran is to be forgotten. Answers no row if there is no such veteran, and null if nobody asked.
create function app.deletion_of(veteran uuid) returns table (ends_at timestamptz)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select d.ends_at from public.veterans v left join public.veteran_deletions d on d.veteran_id = v.id
    where v.id = veteran and v.deleted_at is null;
end $$;

-- Whom to forget now, in any order: those who cannot be forgotten yet keep no others waiting.
create function app.deletions_due(most int) returns table (veteran_id uuid)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select d.veteran_id from public.veteran_deletions d
    where d.begun_at is not null or d.ends_at <= clock_timestamp()
    order by random() limit most;
end $$;

-- How many veterans should have been forgotten an hour ago.
create function app.late_deletions() returns int
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select count(*) from public.veteran_deletions d where d.ends_at <= clock_timestamp() - interval '1 hour');
end $$;

-- From here on nobody can sign in as the veteran, act for them, or find them by what they were called. Fails where a transaction
-- holds the veteran's row; then it is tried again later.
create function app.begin_deletion(veteran uuid, idle int) returns void language plpgsql as $$
declare
  before public.veterans;
begin
  perform app.lock_sessions(veteran);
  perform app.end_sharing(veteran, false);
  perform app.end_all_tokens(veteran, idle, false);
  select * into before from public.veterans v where v.id = veteran for update nowait;
  delete from public.veteran_identities i where i.veteran_id = veteran;
  delete from public.veteran_pairings p where p.veteran_id = veteran;
  delete from public.outbox o where o.kind not in ('grant_revoked', 'grant_expired', 'record_updated') and (
    o.subject_id = veteran
    or o.subject_id in (select l.id from public.secure_links l where l.veteran_id = veteran)
    or o.subject_id in (select g.id from public.consent_grants g where g.veteran_id = veteran)
  );
  delete from public.waitlist_signups w where lower(w.email) = lower(before.email);
  update public.veteran_deletions d set begun_at = clock_timestamp(), address = before.email where d.veteran_id = veteran;
  update public.veterans v
  set deleted_at = clock_timestamp(), va_patient_id = 'deleted ' || gen_random_uuid(), call_sign = '', email = '',
    fhir_sync_manifest = '{}', fhir_list_hashes = '{}', pairing_code_hash = null, pairing_code_ends_at = null
  where v.id = veteran;
end $$;

-- Removes some rows of a veteran who is being forgotten. A table of which this does not know is emptied too: what is kept is named.
-- Null if nothing is left.
create function app.forget_rows(veteran uuid, bound int, out step text, out removed int, out storage_keys text[])
  language plpgsql as $$
declare
  kept pg_catalog.text[] := array['proofs', 'documents', 'roi_revocations', 'kept_releases', 'secure_links', 'storage_used',
    'veteran_deletions'];
  -- In this order, because of their foreign keys. The others need none.
  first pg_catalog.text[] := array['health_record_items', 'self_reported_entries', 'provider_notes', 'oauth_codes',
    'oauth_refresh_tokens', 'consent_grants'];
  document pg_catalog.uuid;
  outcome record;
begin
  storage_keys := '{}';
  removed := 0;
  with gone as (
    delete from public.documents d where d.veteran_id = veteran and d.id in (
      select u.id from public.documents u where u.veteran_id = veteran and u.kind = 'upload' order by u.id limit bound
    )
    returning d.storage_key
  )
  select count(*), coalesce(array_agg(g.storage_key), '{}') into removed, storage_keys from gone g;
  if removed > 0 then step := 'uploads'; end if;
  if step is null then
    -- What a recipient was shown is kept for its time, out of everybody's sight (migrations/008).
    for document in
      select d.id from public.documents d where d.veteran_id = veteran and not exists (
        select from public.kept_releases k where k.veteran_id = veteran and k.document_id = d.id
      ) order by d.id limit least(bound, 50)
    loop
      select r.* into outcome from app.remove_document(veteran, document) r;
      if outcome.outcome = 'needed' then raise exception 'a release of nobody is in force'; end if;
      removed := removed + 1;
      storage_keys := storage_keys || coalesce(outcome.storage_keys, '{}');
    end loop;
    if removed > 0 then step := 'releases'; end if;
  end if;
  delete from public.stored_files f where f.storage_key = any (storage_keys);
  if step is not null then return; end if;
  -- The links of a release that is kept say to whom it was shown.
  delete from public.secure_links where id in (
    select l.id from public.secure_links l where l.veteran_id = veteran and (l.viewed_at is null or not exists (
      select from public.kept_releases k where k.veteran_id = veteran and k.document_id = l.document_id
    )) limit bound
  );
  get diagnostics removed = row_count;
  if removed > 0 then step := 'links'; return; end if;
  for step in
    select c.relname from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'veteran_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relname <> all (kept)
    order by array_position(first, c.relname::pg_catalog.text), c.relname
  loop
    execute format(
      'delete from public.%1$I where ctid = any (array(select ctid from public.%1$I where veteran_id = $1 limit $2))', step
    ) using veteran, bound;
    get diagnostics removed = row_count;
    if removed > 0 then return; end if;
  end loop;
  step := null;
end $$;

-- Takes the next step of the deletion of a veteran who asked for it 72 hours ago, and says which: 'begin', what was removed, or
-- 'end'. It removes at most so many rows, and answers their files, which the caller removes. Answers no row if it is not due.
create function app.forget_veteran(veteran uuid, idle int, most int)
  returns table (step text, removed int, storage_keys text[])
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked public.veteran_deletions;
  stated pg_catalog.text := app.actor();
begin
  -- Whoever cancels it comes before this or after it. What has begun is cancelled by nobody.
  if not exists (select from public.veteran_deletions d where d.veteran_id = veteran and d.begun_at is not null) then
    perform app.take_sharing_turn(veteran);
  end if;
  select * into asked from public.veteran_deletions d where d.veteran_id = veteran for update;
  if asked.veteran_id is null or (asked.begun_at is null and asked.ends_at > clock_timestamp()) then return; end if;
  removed := 0;
  storage_keys := '{}';
  if asked.begun_at is null then
    step := 'begin';
    perform app.begin_deletion(veteran, idle);
    return next;
    return;
  end if;
  perform set_config('app.actor', 'forgetting', true);
  select f.* into step, removed, storage_keys from app.forget_rows(veteran, greatest(1, least(most, 1000))) f;
  perform set_config('app.actor', coalesce(stated, ''), true);
  if step is null then
    step := 'end';
    update public.storage_used u set upload_bytes = 0, entries = 0, deleted_entries = 0, notes = 0
    where u.veteran_id = veteran;
    delete from public.storage_used u where u.veteran_id = veteran and u.release_bytes = 0;
    perform app.write_proof(veteran, 'deletion_done', 'service', null, '{}');
    insert into public.outbox (kind, subject_id, address) values ('deletion_done', veteran, asked.address);
    delete from public.veteran_deletions d where d.veteran_id = veteran;
  end if;
  return next;
end $$;

-- Whoever was forgotten has no token that counts.
create or replace function app.token_counts(veteran uuid, session uuid, not_before timestamptz, idle int) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session is null then
    return exists (select from public.veterans v where v.id = veteran and v.deleted_at is null)
      and app.tokens_ended_at(veteran) is not distinct from not_before;
  end if;
  return exists (
    select from public.veteran_sessions s where s.veteran_id = veteran and s.id = session and app.is_live(s, idle)
  );
end $$;

-- As before (migrations/023), but that the veteran may share nothing now: 'deletion', or 'ended' if everything was ended since
-- they proved who they are.
create or replace function app.approve_request(request bytea, cookie bytea, new_grant uuid, types text[], categories text[], told_scope text,
    is_offline boolean, access_seconds int, code bytea, code_seconds int, per_veteran int, per_client int)
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
  if asked.hash is null or asked.proved_at is null or refusal = 'stopped' then
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
    insert into public.outbox (kind, subject_id) values ('app_connected', new_grant);
    update public.oauth_requests set ended_at = moment, grant_id = new_grant where hash = request;
  end if;
  return next;
end $$;

-- An event whose leaf is in the tree stays, whoever asks, and so does its place there. Its text is sealed anew when keys are
-- rotated, and forgotten after its time (migrations/024).
create function app.keep_leaf() returns trigger language plpgsql as $$
begin
  raise exception 'an event whose leaf is in the tree stays' using errcode = 'integrity_constraint_violation';
end $$;

create trigger leaves_stay before delete on proofs
  for each row when (old.tree_index is not null) execute function app.keep_leaf();
-- Column by column: a comparison of rows is dumped in another form than it was made, and the doctor compares the forms.
create trigger leaves_do_not_change before update on proofs
  for each row when (old.tree_index is not null and (
    old.veteran_id is distinct from new.veteran_id or old.id is distinct from new.id
    or old.kind is distinct from new.kind or old.tree_index is distinct from new.tree_index
    or old.leaf_hash is distinct from new.leaf_hash
  ))
  execute function app.keep_leaf();
create trigger proofs_are_never_emptied before truncate on proofs
  for each statement execute function app.keep_leaf();

-- How many rows hold these leaves of the tree, and how many there should be: a part at a time, because the tree only grows.
create function app.leaves_held(first bigint, most int, out expected int, out held int)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  until pg_catalog.int8 := least(first + least(most, 1000000), (app.proof_tree()).tree_size);
begin
  expected := greatest(0, until - first);
  held := (select count(*) from public.proofs p where p.tree_index >= first and p.tree_index < until);
end $$;

-- How many rows of each table belong to a veteran who is not there. It passes from veteran to veteran, and not over all rows.
create function app.rows_of_nobody() returns table (table_name text, rows bigint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  stated pg_catalog.text := app.actor();
begin
  perform set_config('app.actor', 'forgetting', true);
  for table_name in
    select c.relname from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'veteran_id' and not a.attisdropped
    where c.relkind in ('r', 'p') order by 1
  loop
    execute format(
      'with recursive ids (id) as (
         (select veteran_id from public.%1$I order by veteran_id limit 1)
         union all
         select (select t.veteran_id from public.%1$I t where t.veteran_id > ids.id order by t.veteran_id limit 1)
         from ids where ids.id is not null
       )
       select count(*) from public.%1$I where veteran_id = any (array(
         select ids.id from ids where ids.id is not null and not exists (select from public.veterans v where v.id = ids.id)
       ))', table_name
    ) into rows;
    if rows > 0 then return next; end if;
  end loop;
  perform set_config('app.actor', coalesce(stated, ''), true);
end $$;

revoke all on function app.take_sharing_turn, app.sharing_refusal, app.refuse_sharing, app.refuse_release,
  app.take_turn_of_end, app.require_veteran, app.refuse_forgotten, app.refuse_sync, app.by_service, app.end_sharing, app.stop_sharing,
  app.end_access, app.note_deletion, app.ask_own_deletion, app.ask_deletion, app.take_deletion_back,
  app.cancel_own_deletion, app.cancel_deletion, app.deletion_of, app.deletions_due, app.late_deletions, app.begin_deletion, app.forget_rows,
  app.forget_veteran, app.keep_leaf, app.leaves_held, app.rows_of_nobody from public;
grant execute on function app.take_sharing_turn, app.sharing_refusal, app.stop_sharing, app.end_access,
  app.ask_own_deletion, app.ask_deletion, app.cancel_own_deletion, app.cancel_deletion, app.deletion_of,
  app.deletions_due, app.late_deletions, app.forget_veteran, app.leaves_held, app.rows_of_nobody to vrss_runtime;

-- No row of a veteran without the veteran. The rows that are there are looked at by the next migration, while others write.
alter table health_record_items
  add constraint health_record_items_veteran_id_fkey foreign key (veteran_id) references veterans not valid;
alter table health_record_counts
  add constraint health_record_counts_veteran_id_fkey foreign key (veteran_id) references veterans not valid;
alter table health_record_sizes
  add constraint health_record_sizes_veteran_id_fkey foreign key (veteran_id) references veterans not valid;
alter table health_record_tombstones
  add constraint health_record_tombstones_veteran_id_fkey foreign key (veteran_id) references veterans not valid;
alter table proofs
  add constraint proofs_veteran_id_fkey foreign key (veteran_id) references veterans not valid;
alter table acts_noted
  add constraint acts_noted_veteran_id_fkey foreign key (veteran_id) references veterans not valid;
alter table looks_counted
  add constraint looks_counted_veteran_id_fkey foreign key (veteran_id) references veterans not valid;
alter table veteran_networks
  add constraint veteran_networks_veteran_id_fkey foreign key (veteran_id) references veterans not valid;
alter table veteran_pairings
  add constraint veteran_pairings_veteran_id_fkey foreign key (veteran_id) references veterans not valid;
alter table oauth_requests
  add constraint oauth_requests_veteran_id_fkey foreign key (veteran_id) references veterans not valid;
