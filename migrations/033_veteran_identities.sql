-- What a veteran does within a session of the app, and what the operator does with the accounts that open a record.

-- Confirms that the veteran is there: an id_token was checked that answers a new sign-in at the VA by an account of theirs. 'ended':
-- the session is over. 'key': another key than the session's asks. 'other': the account is not this veteran's, or the token names
-- another patient.
create function app.confirm_veteran_session(proof bytea, proof_end timestamptz, token bytea, token_end timestamptz,
    veteran uuid, session uuid, thumbprint bytea, of_issuer text, of_subject bytea, patient text, idle int,
    confirmed_seconds int)
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
    status := 'confirmed';
    update public.veteran_sessions s set confirmed_at = clock_timestamp()
    where s.veteran_id = veteran and s.id = session and app.is_live(s, idle)
    returning s.confirmed_at + make_interval(secs => confirmed_seconds) into confirmed_until;
    if not found then status := 'ended'; end if;
  end if;
  return next;
end $$;

-- A proof and a token count once, for a live session of this key. A token that names a patient names this veteran.
create function app.check_device(proof bytea, proof_end timestamptz, token bytea, token_end timestamptz, veteran uuid,
    session uuid, thumbprint bytea, patient text, idle int)
  returns text language plpgsql as $$
declare
  live public.veteran_sessions;
begin
  select * into live from public.veteran_sessions s
  where s.veteran_id = veteran and s.id = session and app.is_live(s, idle);
  return case
    when live.id is null then 'ended'
    when live.key_thumbprint <> thumbprint then 'key'
    when not app.spend_token(proof, proof_end) then 'proof'
    when not app.spend_token(token, token_end) then 'token'
    when patient is not null
      and not exists (select from public.veterans v where v.id = veteran and v.va_patient_id = patient) then 'other'
    else 'live'
  end;
end $$;

create function app.is_confirmed(veteran uuid, session uuid, idle int, confirmed_seconds int) returns boolean
  language plpgsql as $$
begin
  return exists (
    select from public.veteran_sessions s where s.veteran_id = veteran and s.id = session and app.is_live(s, idle)
      and s.confirmed_at > clock_timestamp() - make_interval(secs => confirmed_seconds)
  );
end $$;

-- Adds a further account, from a confirmed session. 'full': there are as many as there may be. 'taken': it is paired already, with
-- this veteran or another.
create function app.add_identity(proof bytea, proof_end timestamptz, token bytea, token_end timestamptz, veteran uuid,
    session uuid, thumbprint bytea, identity uuid, of_issuer text, of_subject bytea, patient text, most_identities int,
    idle int, confirmed_seconds int)
  returns table (status text, paired_at timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not app.is_confirmed(veteran, session, idle, confirmed_seconds) then
    status := 'unconfirmed';
    return next;
    return;
  end if;
  status := app.check_device(proof, proof_end, token, token_end, veteran, session, thumbprint, patient, idle);
  if status = 'live' then
    perform app.lock_sessions(veteran);
    status := case
      -- Meanwhile all sessions may have ended.
      when not app.is_confirmed(veteran, session, idle, confirmed_seconds) then 'unconfirmed'
      when (select count(*) from public.veteran_identities i where i.veteran_id = veteran) >= most_identities then 'full'
      when app.keep_identity(veteran, identity, of_issuer, of_subject, 'session') = 'paired' then 'paired'
      else 'taken'
    end;
  end if;
  if status = 'paired' then
    insert into public.outbox (kind, subject_id) values ('identity_added', veteran);
    select i.paired_at into paired_at from public.veteran_identities i where i.veteran_id = veteran and i.id = identity;
  end if;
  return next;
end $$;

-- Removes an account, and ends all sessions, because somebody else may have begun one with it. The caller is the veteran in a
-- confirmed session, who keeps the last account, or the operator, without a session.
create function app.remove_identity(veteran uuid, session uuid, identity uuid, idle int, confirmed_seconds int)
  returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_veteran pg_catalog.bool := session is not null;
begin
  perform app.lock_sessions(veteran);
  if by_veteran and not app.is_confirmed(veteran, session, idle, confirmed_seconds) then return 'unconfirmed'; end if;
  perform from public.veteran_identities i where i.veteran_id = veteran and i.id = identity;
  if not found then return 'unknown'; end if;
  if by_veteran and (select count(*) from public.veteran_identities i where i.veteran_id = veteran) = 1 then
    return 'last';
  end if;
  delete from public.veteran_identities i where i.veteran_id = veteran and i.id = identity;
  perform app.note_identity_removed(veteran, by_veteran, idle);
  insert into public.outbox (kind, subject_id) values ('identity_removed', veteran);
  return 'removed';
end $$;

create function app.note_identity_removed(veteran uuid, by_veteran boolean, idle int) returns void
  language plpgsql as $$
begin
  perform app.write_proof(veteran, 'identity_removed', case when by_veteran then 'veteran' else 'service' end,
    case when by_veteran then veteran end, '{}');
  perform app.end_all_tokens(veteran, idle, by_veteran);
end $$;

-- The VA has given the veteran another number, as after a merge of two records. 'taken': another veteran has it.
create function app.change_patient(veteran uuid, patient text, idle int) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  before public.veterans;
begin
  perform app.lock_sessions(veteran);
  select * into before from public.veterans v where v.id = veteran for no key update;
  if before.id is null then return 'unknown'; end if;
  if before.va_patient_id = patient then return 'same'; end if;
  begin
    update public.veterans v set va_patient_id = patient where v.id = veteran;
  exception when unique_violation then return 'taken';
  end;
  -- What waits was begun for the old number.
  delete from public.veteran_pairings p where p.veteran_id = veteran;
  perform app.note_identity_removed(veteran, false, idle);
  return 'changed';
end $$;

revoke all on function app.confirm_veteran_session, app.check_device, app.is_confirmed, app.add_identity, app.remove_identity,
  app.note_identity_removed, app.change_patient from public;
grant execute on function app.confirm_veteran_session, app.add_identity, app.remove_identity, app.change_patient
  to vrss_runtime;

-- A release that was signed in a session of the app says how and when the veteran confirmed that they were there.
create or replace function app.prove_document() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  about pg_catalog.jsonb := jsonb_build_object('documentId', new.id);
begin
  if new.kind = 'roi' then
    about := about || coalesce((
      select jsonb_build_object('how', s.how,
        'confirmedAt', to_char(s.confirmed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      from public.veteran_sessions s where s.veteran_id = new.veteran_id and s.id = app.actor_session()
    ), '{}');
  end if;
  perform app.write_proof(new.veteran_id, case new.kind when 'roi' then 'roi_signed' else 'document_stored' end,
    'veteran', new.veteran_id, about);
  return null;
end $$;
