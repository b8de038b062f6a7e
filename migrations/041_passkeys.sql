-- Passkeys (Web Authentication), by which a veteran comes back without the VA. A passkey proves no more than the pairing that it was
-- made under: it starts none, and opens nothing for a veteran without an account of the VA. The service checks signatures before it
-- calls these functions. They decide by the database's clock, and spend what counts once.

create table veteran_passkeys (
  veteran_id uuid not null references veterans,
  id uuid not null,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- SubjectPublicKeyInfo in DER.
  public_key bytea not null check (octet_length(public_key) between 1 and 1024),
  -- Of COSE: ES256 or RS256.
  algorithm int not null check (algorithm in (-7, -257)),
  name_ciphertext bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  primary key (veteran_id, id)
);

alter table veteran_passkeys enable row level security;
alter table veteran_passkeys force row level security;

create policy veteran_reads on veteran_passkeys for select to vrss_runtime
  using ((select app.actor()) = 'veteran' and veteran_id = (select app.actor_veteran()));
create policy functions_keep on veteran_passkeys to current_role using (true) with check (true);
create policy rotation_reseals on veteran_passkeys to vrss_rotation using (true);
create policy backup_reads on veteran_passkeys for select to vrss_backup using (true);

grant select on veteran_passkeys to vrss_runtime;
grant select (veteran_id, id, name_ciphertext), update (name_ciphertext) on veteran_passkeys to vrss_rotation;

create trigger need_their_veteran before insert on veteran_passkeys
  for each row execute function app.require_veteran();

-- A session that began at the VA may be confirmed by a passkey, and the other way round. Null: as it began.
alter table veteran_sessions add column confirmed_how text check (confirmed_how in ('va', 'passkey'));

alter table outbox drop constraint outbox_kind_check, add constraint outbox_kind_check
  check (kind in ('link_opened', 'link_viewed', 'link_locked', 'waitlist_joined', 'checkpoint_signed', 'app_connected',
    'app_replayed', 'grant_revoked', 'grant_expired', 'record_updated', 'pairing_code', 'new_device', 'identity_added',
    'identity_removed', 'password_link', 'password_changed', 'provider_email_changed', 'veteran_email_changed',
    'email_code', 'access_ended', 'export_made', 'deletion_asked', 'deletion_cancelled', 'deletion_done', 'notice',
    'passkey_added', 'passkey_removed'));

-- As before (migrations/032), but that the session may begin by a passkey.
create function app.open_session_by(how_begun text, veteran uuid, session uuid, thumbprint bytea, device_name bytea,
    from_network text, most int, idle int, seconds int)
  returns void language plpgsql as $$
declare
  is_new pg_catalog.bool := not exists (
    select from public.veteran_sessions s where s.veteran_id = veteran and s.key_thumbprint = thumbprint
  );
begin
  perform app.end_sessions(veteran, array(
    select s.id from public.veteran_sessions s where s.veteran_id = veteran and app.is_live(s, idle)
    order by s.created_at desc offset most - 1
  ), idle, false);
  insert into public.veteran_sessions (veteran_id, id, key_thumbprint, how, device_name_ciphertext, network, expires_at,
    confirmed_at)
  values (veteran, session, thumbprint, how_begun, device_name, from_network,
    clock_timestamp() + make_interval(secs => seconds), clock_timestamp());
  perform app.write_proof(veteran, 'session_started', 'veteran', veteran, jsonb_build_object('how', how_begun));
  if is_new then insert into public.outbox (kind, subject_id) values ('new_device', veteran); end if;
end $$;

create or replace function app.open_session(veteran uuid, session uuid, thumbprint bytea, device_name bytea,
    from_network text, most int, idle int, seconds int)
  returns void language sql as $$
    select app.open_session_by('va', veteran, session, thumbprint, device_name, from_network, most, idle, seconds)
  $$;

-- The passkey of a credential, and the last name of the device whose key asks, which is sealed for the named session. Nobody is
-- signed in yet. Answers no row for a credential that is not known.
create function app.passkey_of(credential bytea, thumbprint bytea)
  returns table (veteran_id uuid, id uuid, public_key bytea, algorithm int, named_session uuid, device_name bytea)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select p.veteran_id, p.id, p.public_key, p.algorithm, s.id, s.device_name_ciphertext
    from public.veteran_passkeys p left join lateral (
      select n.id, n.device_name_ciphertext from public.veteran_sessions n
      where n.veteran_id = p.veteran_id and n.key_thumbprint = thumbprint and n.device_name_ciphertext is not null
      order by n.created_at desc limit 1
    ) s on true
    where p.credential_id = credential;
end $$;

-- Notes that a passkey was used. False if it was removed, or if no account of the VA opens the veteran's record any more. The
-- caller has the veteran's turn.
create function app.use_passkey(veteran uuid, passkey uuid) returns boolean language plpgsql as $$
begin
  update public.veteran_passkeys p set last_used_at = clock_timestamp()
  where p.veteran_id = veteran and p.id = passkey
    and exists (select from public.veteran_identities i where i.veteran_id = veteran);
  return found;
end $$;

-- A passkey's signature was checked, and a proof of the device's key. 'passkey': it opens nothing any more.
create function app.begin_passkey_session(proof bytea, proof_end timestamptz, challenge bytea, challenge_end timestamptz,
    veteran uuid, passkey uuid, thumbprint bytea, new_id uuid, device_name bytea, from_network text, most int, idle int,
    seconds int, confirmed_seconds int)
  returns table (status text, veteran_id uuid, call_sign text, session_ends_at timestamptz, seconds_left int,
    previous_session_at timestamptz, confirmed_until timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Before anything is spent, as in app.add_passkey: one challenge may be used for both at the same moment.
  perform app.lock_sessions(veteran);
  if not app.spend_token(proof, proof_end) then
    status := 'proof';
  elsif not app.spend_token(challenge, challenge_end) then
    status := 'challenge';
  elsif not app.use_passkey(veteran, passkey) then
    status := 'passkey';
  else
    perform app.open_session_by('passkey', veteran, new_id, thumbprint, device_name, from_network, most, idle, seconds);
    return query select 'begun', a.* from app.veteran_access(veteran, new_id, confirmed_seconds) a;
    return;
  end if;
  return next;
end $$;

-- Confirms by a passkey that the veteran is there, as app.confirm_veteran_session does by the VA. 'token': the challenge was used.
create function app.confirm_by_passkey(proof bytea, proof_end timestamptz, challenge bytea, challenge_end timestamptz,
    veteran uuid, session uuid, thumbprint bytea, passkey uuid, idle int, confirmed_seconds int)
  returns table (status text, confirmed_until timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app.lock_sessions(veteran);
  status := app.check_device(proof, proof_end, challenge, challenge_end, veteran, session, thumbprint, null, idle);
  if status = 'live' then
    if not app.use_passkey(veteran, passkey) then
      status := 'passkey';
    else
      confirmed_until := app.note_confirmed(veteran, session, 'passkey', idle, confirmed_seconds);
      status := case when confirmed_until is null then 'ended' else 'confirmed' end;
    end if;
  end if;
  return next;
end $$;

-- Answers until when the session is confirmed, or null if it is over.
create function app.note_confirmed(veteran uuid, session uuid, by_what text, idle int, confirmed_seconds int)
  returns timestamptz language plpgsql as $$
declare
  until pg_catalog.timestamptz;
begin
  update public.veteran_sessions s set confirmed_at = clock_timestamp(), confirmed_how = by_what
  where s.veteran_id = veteran and s.id = session and app.is_live(s, idle)
  returning s.confirmed_at + make_interval(secs => confirmed_seconds) into until;
  return until;
end $$;

-- As before (migrations/033), but that it says by what the session was confirmed.
create or replace function app.confirm_veteran_session(proof bytea, proof_end timestamptz, token bytea,
    token_end timestamptz, veteran uuid, session uuid, thumbprint bytea, of_issuer text, of_subject bytea, patient text,
    idle int, confirmed_seconds int)
  returns table (status text, confirmed_until timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  status := app.check_device(proof, proof_end, token, token_end, veteran, session, thumbprint, patient, idle);
  if status = 'live' and not exists (
    select from public.veteran_identities i
    where i.veteran_id = veteran and i.issuer = of_issuer and i.subject_hash = of_subject
  ) then
    status := 'other';
  elsif status = 'live' then
    confirmed_until := app.note_confirmed(veteran, session, 'va', idle, confirmed_seconds);
    status := case when confirmed_until is null then 'ended' else 'confirmed' end;
  end if;
  return next;
end $$;

create or replace function app.prove_document() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  about pg_catalog.jsonb := jsonb_build_object('documentId', new.id);
begin
  if new.kind = 'roi' then
    about := about || coalesce((
      select jsonb_build_object('how', coalesce(s.confirmed_how, s.how),
        'confirmedAt', to_char(s.confirmed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from public.veteran_sessions s where s.veteran_id = new.veteran_id and s.id = app.actor_session()
    ), '{}');
  end if;
  perform app.write_proof(new.veteran_id, case new.kind when 'roi' then 'roi_signed' else 'document_stored' end,
    'veteran', new.veteran_id, about);
  return null;
end $$;

-- Adds a passkey from a confirmed session. 'full': there are as many as there may be. 'taken': the credential is known already, of
-- this veteran or another.
create function app.add_passkey(challenge bytea, challenge_end timestamptz, veteran uuid, session uuid, passkey uuid,
    credential bytea, key bytea, of_algorithm int, name bytea, most int, idle int, confirmed_seconds int)
  returns table (status text, created_at timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app.lock_sessions(veteran);
  status := case
    when not app.is_confirmed(veteran, session, idle, confirmed_seconds) then 'unconfirmed'
    when not app.spend_token(challenge, challenge_end) then 'challenge'
    when (select count(*) from public.veteran_passkeys p where p.veteran_id = veteran) >= most then 'full'
  end;
  if status is null then
    insert into public.veteran_passkeys as p (veteran_id, id, credential_id, public_key, algorithm, name_ciphertext)
    values (veteran, passkey, credential, key, of_algorithm, name)
    on conflict (credential_id) do nothing
    returning p.created_at into created_at;
    status := case when created_at is null then 'taken' else 'added' end;
  end if;
  if status = 'added' then
    perform app.write_proof(veteran, 'passkey_added', 'veteran', veteran, '{}');
    insert into public.outbox (kind, subject_id) values ('passkey_added', veteran);
  end if;
  return next;
end $$;

-- Removes passkeys of a veteran, all if none is named, each with a proof. Answers how many.
create function app.end_passkeys(veteran uuid, named uuid, by_veteran boolean) returns int language plpgsql as $$
declare
  passkey pg_catalog.uuid;
  removed pg_catalog.int4 := 0;
begin
  for passkey in
    delete from public.veteran_passkeys p where p.veteran_id = veteran and (named is null or p.id = named) returning p.id
  loop
    removed := removed + 1;
    perform app.write_proof(veteran, 'passkey_removed', case when by_veteran then 'veteran' else 'service' end,
      case when by_veteran then veteran end, '{}');
  end loop;
  return removed;
end $$;

-- Removes a passkey of the stated veteran. False if there is no such passkey.
create function app.remove_passkey(passkey uuid) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  veteran pg_catalog.uuid := app.actor_veteran();
begin
  if app.actor() is distinct from 'veteran' or passkey is null then return false; end if;
  perform app.lock_sessions(veteran);
  if app.end_passkeys(veteran, passkey, true) = 0 then return false; end if;
  insert into public.outbox (kind, subject_id) values ('passkey_removed', veteran);
  return true;
end $$;

-- As before (migrations/033), but that the passkeys go too: whoever had the account may have made one. A number that the operator
-- changes takes this way as well, because a passkey does not ask the VA for the number.
create or replace function app.note_identity_removed(veteran uuid, by_veteran boolean, idle int) returns void
  language plpgsql as $$
begin
  perform app.write_proof(veteran, 'identity_removed', case when by_veteran then 'veteran' else 'service' end,
    case when by_veteran then veteran end, '{}');
  perform app.end_all_tokens(veteran, idle, by_veteran);
  perform app.end_passkeys(veteran, null, by_veteran);
end $$;

-- As before (migrations/037), but that the passkeys go too: the phone that was lost may hold one.
create or replace function app.end_access(veteran uuid, idle int)
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
  perform app.end_passkeys(veteran, null, false);
  insert into public.outbox (kind, subject_id) values ('access_ended', veteran);
  return next;
end $$;

revoke all on function app.open_session_by, app.passkey_of, app.use_passkey, app.begin_passkey_session, app.confirm_by_passkey,
  app.note_confirmed, app.add_passkey, app.end_passkeys, app.remove_passkey from public;
grant execute on function app.passkey_of, app.begin_passkey_session, app.confirm_by_passkey, app.add_passkey, app.remove_passkey
  to vrss_runtime;
