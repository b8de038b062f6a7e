-- A secure link may be a SMART Health Link too (contract, part 13): a health app opens it with the mailed code. The link's key
-- is stored nowhere, so that what is stored of the link's bundle opens for nobody here.

-- A file whose row has ended is removed from the disk, and then this row.
alter table stored_files add column ended_at timestamptz;
create index stored_files_ended on stored_files (ended_at) where ended_at is not null;

alter table secure_links
  -- Only a SMART Health Link has it: the keyed hash of the id in its address.
  add column shl_hash bytea unique check (octet_length(shl_hash) = 32),
  -- The bundle, encrypted under the link's key and then sealed as each stored file is. Null once the link has ended.
  add column shl_storage_key text references stored_files,
  add column shl_file_key bytea,
  add column shl_byte_size bigint,
  add column shl_sha256 bytea check (octet_length(shl_sha256) = 32),
  -- Who uses the app that viewed it last, as the app says.
  add column claimed_recipient_ciphertext bytea,
  -- How it was viewed first.
  add column viewed_via text check (viewed_via in ('page', 'app')),
  add constraint secure_links_bundle check (num_nulls(shl_storage_key, shl_file_key, shl_byte_size, shl_sha256) in (0, 4)),
  add constraint secure_links_bundle_of_app check (shl_hash is not null or shl_storage_key is null);
create index secure_links_bundles on secure_links (shl_storage_key) where shl_storage_key is not null;

update secure_links set viewed_via = 'page' where viewed_at is not null;

grant insert (shl_hash, shl_storage_key, shl_file_key, shl_byte_size, shl_sha256) on secure_links to vrss_runtime;
grant select (shl_file_key, claimed_recipient_ciphertext), update (shl_file_key, claimed_recipient_ciphertext) on secure_links
  to vrss_rotation;

-- Who made the view session: the link's page, or an app. An app's session is the ticket of a file.
alter table secure_link_view_sessions add column via text not null default 'page' check (via in ('page', 'app'));

grant select (via) on secure_link_view_sessions to vrss_runtime;

-- Whatever ends a link takes the key of its file in the same step. The file goes right after it.
create function app.end_bundle() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update public.stored_files set ended_at = clock_timestamp() where storage_key = old.shl_storage_key;
  if tg_op = 'DELETE' then return old; end if;
  new.shl_storage_key := null;
  new.shl_file_key := null;
  new.shl_byte_size := null;
  new.shl_sha256 := null;
  return new;
end $$;

create trigger ended_links_lose_bundles before update of status on secure_links
  for each row when (old.shl_storage_key is not null and new.status <> 'active') execute function app.end_bundle();
create trigger deleted_links_lose_bundles before delete on secure_links
  for each row when (old.shl_storage_key is not null) execute function app.end_bundle();

-- A link that expired is marked later (migrations/024), but its bundle goes at once.
create function app.end_expired_bundles(most int) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ended pg_catalog.text[];
begin
  with due as (
    select l.id, l.shl_storage_key from public.secure_links l
    where l.shl_storage_key is not null and app.link_status(l) <> 'active'
    limit least(most, 1000) for no key update of l skip locked
  ), emptied as (
    update public.secure_links l
    set shl_storage_key = null, shl_file_key = null, shl_byte_size = null, shl_sha256 = null
    from due where l.id = due.id returning due.shl_storage_key
  )
  select array_agg(shl_storage_key) into ended from emptied;
  update public.stored_files set ended_at = clock_timestamp() where storage_key = any (ended);
  return coalesce(cardinality(ended), 0);
end $$;

-- The code that is out, if one is.
create function app.code_out(link secure_links, expires_in int, tries_per_code int) returns uuid language sql stable as $$
  select otp.id from public.secure_link_otps otp
  where otp.veteran_id = link.veteran_id and otp.link_id = link.id and otp.ended_at is null and otp.tries < tries_per_code
    and otp.created_at > clock_timestamp() - make_interval(secs => expires_in)
$$;

-- What a request by an app is about. `challenge` is the code that is out, if one is. No row: no link has this id.
create function app.passcode_state(shl bytea, expires_in int, tries_per_code int)
  returns table (status text, veteran_id uuid, link_id uuid, token_hash bytea, challenge uuid, wrong_codes int,
    created_at timestamptz, byte_size int)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select app.link_status(l), l.veteran_id, l.id, l.token_hash, app.code_out(l, expires_in, tries_per_code), l.wrong_codes,
      l.created_at, l.shl_byte_size::pg_catalog.int4
    from public.secure_links l where l.shl_hash = shl
  $$;

-- Tries the code that is out, as the link's page does (migrations/015). 'none': it is no longer out, and nothing was tried. The
-- right one makes a view session for an app, and keeps whom the app names.
create function app.try_passcode(token bytea, challenge uuid, code bytea, view_session bytea, claimed bytea,
    expires_in int, tries_per_code int, wrong_codes_per_link int)
  returns table (status text, wrong_codes int)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  link public.secure_links := app.lock_link(token);
begin
  if link.id is null then return; end if;
  status := app.link_status(link);
  if status = 'active' then
    if app.code_out(link, expires_in, tries_per_code) is distinct from challenge then
      status := 'none';
    else
      status := (select tried.status from app.try_code(token, challenge, code, view_session, expires_in, tries_per_code,
        wrong_codes_per_link) tried);
    end if;
    if status = 'right' then
      update public.secure_link_view_sessions set via = 'app' where session_hash = view_session;
      update public.secure_links l set claimed_recipient_ciphertext = claimed where l.id = link.id;
    end if;
  end if;
  wrong_codes := (select l.wrong_codes from public.secure_links l where l.id = link.id);
  return next;
end $$;

-- As before (migrations/015), but that the view says whether an app was shown the bundle or the page the document.
create or replace function app.begin_transfer(view_session bytea, transfer uuid, resume_at bigint, size bigint, gone boolean,
    expires_in int, resume_for int, resume_bytes int)
  returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  link public.secure_links := app.lock_link((
    select token_hash from public.secure_links
    where id = (select link_id from public.secure_link_view_sessions where session_hash = view_session)
  ));
  session public.secure_link_view_sessions;
  status pg_catalog.text;
begin
  if link.id is null then return 'view_session_expired'; end if;
  status := app.link_status(link);
  if status <> 'active' then return status; end if;
  select * into session from public.secure_link_view_sessions where session_hash = view_session;
  if session.consumed_at is null then
    if session.created_at <= clock_timestamp() - make_interval(secs => expires_in) then return 'view_session_expired'; end if;
    if resume_at > 0 then return 'not_sent_so_far'; end if;
    perform app.write_proof(link.veteran_id, 'link_viewed', 'recipient', null,
      jsonb_build_object('linkId', link.id, 'documentId', link.document_id, 'via', session.via));
    if link.viewed_at is null then
      update public.secure_links set viewed_at = clock_timestamp(), viewed_via = session.via where id = link.id;
      insert into public.outbox (kind, subject_id) values ('link_viewed', link.id);
    end if;
  else
    if resume_at is null or session.is_over then return 'view_session_used'; end if;
    if resume_at >= size then return 'not_sent_so_far'; end if;
    if session.transfer_id is not null and not gone then
      perform pg_notify('transfers_ended', session.transfer_id::pg_catalog.text);
      return 'running';
    end if;
    -- A transfer whose end nobody noted may have sent everything.
    if resume_at < (case when session.transfer_id is null then session.sent_bytes else size end) - resume_bytes
      or coalesce(session.broke_at, session.consumed_at) <= clock_timestamp() - make_interval(secs => resume_for)
    then
      return 'view_session_used';
    end if;
  end if;
  update public.secure_link_view_sessions
  set consumed_at = coalesce(consumed_at, clock_timestamp()), transfer_id = transfer,
    -- Nobody notes the end of a transfer that is taken over, so it counts as having sent everything.
    sent_bytes = case when transfer_id is null then sent_bytes else size end
  where session_hash = view_session;
  return 'active';
end $$;

-- As before (migrations/037), but that it says which link an app can open.
create or replace function app.prove_link() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_service pg_catalog.bool := tg_op = 'UPDATE' and (new.wrong_codes > old.wrong_codes or app.by_service());
begin
  perform app.write_proof(new.veteran_id, case new.status when 'active' then 'link_created' else 'link_revoked' end,
    case when by_service then 'service' else 'veteran' end, case when not by_service then new.veteran_id end,
    jsonb_build_object('linkId', new.id, 'documentId', new.document_id)
      || case when tg_op = 'INSERT' and new.shl_hash is not null then '{"shl": true}'::jsonb else '{}' end
      || case when tg_op = 'UPDATE' and app.by_service() then '{"how": "operator"}'::jsonb else '{}' end);
  return null;
end $$;

revoke all on function app.end_bundle, app.end_expired_bundles, app.passcode_state, app.code_out, app.try_passcode
  from public;
grant execute on function app.end_expired_bundles, app.passcode_state, app.try_passcode to vrss_runtime;
