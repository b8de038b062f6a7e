-- Sessions of the veteran's app, and the accounts of the VA that open a veteran's record. Each decisive step is one function that
-- decides by the database's clock, and writes its proof and its mail in the same transaction. The service checks signatures before
-- it calls them; what counts once is spent here.

alter table veterans
  -- The code that the operator handed over, until it is used.
  add column pairing_code_hash bytea check (octet_length(pairing_code_hash) = 32),
  add column pairing_code_ends_at timestamptz,
  add check ((pairing_code_hash is null) = (pairing_code_ends_at is null));

grant update (pairing_code_hash, pairing_code_ends_at) on veterans to vrss_runtime;

-- When all tokens of a veteran were ended last. A token of the session exchange counts if it was issued when this had the value
-- that it has now. It is no column of the veteran's row, which syncs lock for minutes: no sync may put off the end of its token.
create table veteran_token_ends (
  veteran_id uuid primary key references veterans,
  ended_at timestamptz not null
);

-- Which account of which issuer is which veteran. The VA says who signed in (`sub`), and not which patient that is.
create table veteran_identities (
  veteran_id uuid not null references veterans,
  id uuid not null,
  issuer text not null,
  subject_hash bytea not null check (octet_length(subject_hash) = 32),
  how text not null check (how in ('mail', 'operator', 'session')),
  paired_at timestamptz not null default clock_timestamp(),
  primary key (veteran_id, id),
  unique (issuer, subject_hash)
);

create table veteran_sessions (
  veteran_id uuid not null references veterans,
  id uuid not null,
  -- Of the device's key, by which alone the session is renewed (RFC 7638).
  key_thumbprint bytea not null check (octet_length(key_thumbprint) = 32),
  how text not null check (how in ('va', 'passkey')),
  device_name_ciphertext bytea,
  network text not null,
  created_at timestamptz not null default clock_timestamp(),
  renewed_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  ended_at timestamptz,
  primary key (veteran_id, id)
);

create index veteran_sessions_id on veteran_sessions (id);
create index veteran_sessions_end on veteran_sessions (expires_at);

-- An account of the VA that is no veteran's yet. It looks the same whether or not the patient that it names is known.
create table veteran_pairings (
  -- The session that it becomes has this id too.
  id uuid primary key,
  issuer text not null,
  subject_hash bytea not null check (octet_length(subject_hash) = 32),
  va_patient_hash bytea not null check (octet_length(va_patient_hash) = 32),
  veteran_id uuid,
  key_thumbprint bytea not null check (octet_length(key_thumbprint) = 32),
  -- It is sealed as the session's. A rotation of keys leaves it: it lives for minutes.
  device_name_ciphertext bytea,
  -- Of the mailed code; null where none is mailed.
  code_hash bytea check (octet_length(code_hash) = 32),
  tries_left int not null,
  expires_at timestamptz not null
);

create index veteran_pairings_end on veteran_pairings (expires_at);

-- What counts once: id_tokens and the proofs of devices' keys.
create table spent_tokens (
  hash bytea primary key check (octet_length(hash) = 32),
  expires_at timestamptz not null
);

create index spent_tokens_end on spent_tokens (expires_at);

alter table veteran_identities enable row level security;
alter table veteran_identities force row level security;
alter table veteran_sessions enable row level security;
alter table veteran_sessions force row level security;
alter table veteran_pairings enable row level security;
alter table veteran_pairings force row level security;

create policy veteran_reads on veteran_identities for select to vrss_runtime
  using ((select app.actor()) = 'veteran' and veteran_id = (select app.actor_veteran()));
create policy functions_keep on veteran_identities to current_role using (true) with check (true);
create policy backup_reads on veteran_identities for select to vrss_backup using (true);

create policy veteran_reads on veteran_sessions for select to vrss_runtime
  using ((select app.actor()) = 'veteran' and veteran_id = (select app.actor_veteran()));
create policy functions_keep on veteran_sessions to current_role using (true) with check (true);
create policy rotation_reseals on veteran_sessions to vrss_rotation using (true);
create policy backup_reads on veteran_sessions for select to vrss_backup using (true);

create policy functions_keep on veteran_pairings to current_role using (true) with check (true);
create policy backup_reads on veteran_pairings for select to vrss_backup using (true);

grant select on veteran_identities, veteran_sessions to vrss_runtime;
grant select (veteran_id, id, device_name_ciphertext), update (device_name_ciphertext) on veteran_sessions to vrss_rotation;

alter table proofs drop constraint proofs_kind_check, add constraint proofs_kind_check
  check (kind in ('sync_stored', 'grant_given', 'grant_revoked', 'record_viewed', 'record_saved', 'note_written',
    'document_stored', 'document_read', 'roi_signed', 'link_created', 'link_opened', 'link_code_sent',
    'link_code_failed', 'link_viewed', 'link_revoked', 'oauth_access_granted', 'oauth_access_denied',
    'oauth_token_refreshed', 'oauth_access_used', 'oauth_access_revoked', 'oauth_code_replayed',
    'oauth_refresh_replayed', 'session_started', 'session_ended', 'identity_paired', 'identity_removed'));

alter table outbox drop constraint outbox_kind_check, add constraint outbox_kind_check
  check (kind in ('link_opened', 'link_viewed', 'link_locked', 'waitlist_joined', 'checkpoint_signed', 'app_connected',
    'app_replayed', 'grant_revoked', 'grant_expired', 'record_updated', 'pairing_code', 'new_device', 'identity_added',
    'identity_removed'));

-- The session of the stated veteran's token, where it has one.
create function app.actor_session() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('app.session_id', true), '')::pg_catalog.uuid $$;

create function app.is_live(session veteran_sessions, idle int) returns boolean language sql as $$
  select session.ended_at is null and session.expires_at > clock_timestamp()
    and session.renewed_at > clock_timestamp() - make_interval(secs => idle)
$$;

create function app.tokens_ended_at(veteran uuid) returns timestamptz
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select e.ended_at from public.veteran_token_ends e where e.veteran_id = veteran
  $$;

-- Whether a veteran's token counts: its session lives, or it has none and was issued since all tokens were ended last. Each
-- transaction of a veteran asks this in the statement that states its actor.
create function app.token_counts(veteran uuid, session uuid, not_before timestamptz, idle int) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session is null then
    return exists (select from public.veterans v where v.id = veteran)
      and app.tokens_ended_at(veteran) is not distinct from not_before;
  end if;
  return exists (
    select from public.veteran_sessions s where s.veteran_id = veteran and s.id = session and app.is_live(s, idle)
  );
end $$;

-- Asks it again at the end of a long transaction. What ends the token waits from now on until the transaction has ended.
create function app.token_still_counts(veteran uuid, session uuid, not_before timestamptz, idle int) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from public.veteran_sessions s where s.veteran_id = veteran and s.id = session for share;
  perform from public.veteran_token_ends e where e.veteran_id = veteran and session is null for share;
  return app.token_counts(veteran, session, not_before, idle);
end $$;

-- Whoever changes a veteran's sessions or accounts takes turns. The veteran's row stays free for syncs, which may be long.
create function app.lock_sessions(veteran uuid) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('sessions ' || veteran::pg_catalog.text, 0))
$$;

create function app.spend_token(token bytea, ends_at timestamptz) returns boolean language plpgsql as $$
begin
  insert into public.spent_tokens values (token, ends_at) on conflict do nothing;
  return found;
end $$;

-- What the app is told of a session that lives.
create function app.veteran_access(veteran uuid, session uuid, confirmed_seconds int)
  returns table (veteran_id uuid, call_sign text, session_ends_at timestamptz, seconds_left int,
    previous_session_at timestamptz, confirmed_until timestamptz)
  language plpgsql as $$
begin
  return query
    select v.id, v.call_sign, s.expires_at, floor(extract(epoch from s.expires_at - clock_timestamp()))::pg_catalog.int4,
      (
        select max(older.created_at) from public.veteran_sessions older
        where older.veteran_id = v.id and older.created_at < s.created_at
      ),
      case when s.confirmed_at + make_interval(secs => confirmed_seconds) > clock_timestamp()
        then s.confirmed_at + make_interval(secs => confirmed_seconds) end
    from public.veterans v join public.veteran_sessions s on s.veteran_id = v.id and s.id = session
    where v.id = veteran;
end $$;

-- Ends those of a veteran's sessions that live, all if none is named, each with a proof.
create function app.end_sessions(veteran uuid, named uuid[], idle int, by_veteran boolean) returns void
  language plpgsql as $$
declare
  session pg_catalog.uuid;
begin
  for session in
    update public.veteran_sessions s set ended_at = clock_timestamp()
    where s.veteran_id = veteran and (named is null or s.id = any (named)) and app.is_live(s, idle)
    returning s.id
  loop
    perform app.write_proof(veteran, 'session_ended', case when by_veteran then 'veteran' else 'service' end,
      case when by_veteran then veteran end, '{}');
  end loop;
end $$;

-- Begins a session. The caller has its turn. One too many ends the oldest.
create function app.open_session(veteran uuid, session uuid, thumbprint bytea, device_name bytea, from_network text,
    most int, idle int, seconds int)
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
  values (veteran, session, thumbprint, 'va', device_name, from_network, clock_timestamp() + make_interval(secs => seconds),
    clock_timestamp());
  perform app.write_proof(veteran, 'session_started', 'veteran', veteran, jsonb_build_object('how', 'va'));
  if is_new then insert into public.outbox (kind, subject_id) values ('new_device', veteran); end if;
end $$;

-- Whether one more code may be mailed this hour. Counting alone does not wait for the disk, a sign-in does.
create function app.spend_code(patient_hash bytea, codes_per_hour int, wanted int) returns boolean
  language plpgsql set synchronous_commit = on as $$
begin
  return (select granted > 0 from app.spend_permits(patient_hash, codes_per_hour, 3600, wanted));
end $$;

-- An id_token was checked, for a proof of the device's key. 'begun': its account is paired with the veteran of the named patient.
-- 'changed': with another veteran than that. 'pairing': with nobody; then all steps are taken for each patient alike, whether it
-- is known, paired or nobody's, and a mail is put out that names the pairing. `code` is null where no codes are mailed.
create function app.begin_veteran_session(proof bytea, proof_end timestamptz, token bytea, token_end timestamptz,
    of_issuer text, of_subject bytea, patient text, patient_hash bytea, thumbprint bytea, new_id uuid, sealed_for uuid,
    device_name bytea, from_network text, code bytea, codes_per_hour int, wrong_per_day int, pairing_seconds int, tries int,
    most int, idle int, seconds int, confirmed_seconds int)
  returns table (status text, veteran_id uuid, call_sign text, session_ends_at timestamptz, seconds_left int,
    previous_session_at timestamptz, confirmed_until timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  paired pg_catalog.uuid;
  named pg_catalog.uuid;
  owner public.veterans;
  may_mail pg_catalog.bool;
  wrong pg_catalog.int8;
  is_paired pg_catalog.bool;
begin
  if not app.spend_token(proof, proof_end) then
    status := 'proof';
  elsif not app.spend_token(token, token_end) then
    status := 'token';
  else
    select i.veteran_id into paired from public.veteran_identities i
    where i.issuer = of_issuer and i.subject_hash = of_subject;
    select v.id into named from public.veterans v where v.va_patient_id = patient;
    if paired is not null then
      perform app.lock_sessions(paired);
      select * into owner from public.veterans v where v.id = paired;
      -- It may have been removed meanwhile.
      perform from public.veteran_identities i
      where i.veteran_id = paired and i.issuer = of_issuer and i.subject_hash = of_subject;
      if not found then
        status := 'token';
      elsif owner.va_patient_id is distinct from patient then
        status := 'changed';
      else
        perform app.open_session(paired, new_id, thumbprint, case when sealed_for = paired then device_name end,
          from_network, most, idle, seconds);
        return query select 'begun', a.* from app.veteran_access(paired, new_id, confirmed_seconds) a;
        return;
      end if;
    else
      status := 'pairing';
      may_mail := app.spend_code(patient_hash, codes_per_hour, case when code is null then 0 else 1 end);
      wrong := app.wrong_codes(patient_hash);
      is_paired := exists (select from public.veteran_identities i where i.veteran_id = named);
      insert into public.veteran_pairings (id, issuer, subject_hash, va_patient_hash, veteran_id, key_thumbprint,
        device_name_ciphertext, code_hash, tries_left, expires_at)
      values (new_id, of_issuer, of_subject, patient_hash, named, thumbprint,
        case when named is null or sealed_for = named then device_name end,
        case when named is not null and not is_paired and may_mail and wrong < wrong_per_day then code end,
        tries, clock_timestamp() + make_interval(secs => pairing_seconds));
      insert into public.outbox (kind, subject_id) values ('pairing_code', new_id);
    end if;
  end if;
  return next;
end $$;

-- The wrong codes of a day are counted by the patient that was named, over all pairings.
create function app.wrong_codes(patient_hash bytea) returns bigint language sql as $$
  select coalesce(sum(s.permits), 0) from public.rate_limit_spendings s
  where s.key = sha256(patient_hash) and s.spent_at > clock_timestamp() - interval '1 day'
$$;

-- The address to which a pairing's code is mailed. Answers no row if there is nothing to mail, or no longer.
create function app.pairing_addressee(pairing uuid) returns table (email text)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select v.email from public.veteran_pairings p join public.veterans v on v.id = p.veteran_id
    where p.id = pairing and p.code_hash is not null and p.expires_at > clock_timestamp();
end $$;

-- Pairs an account with a veteran. Answers 'paired', 'known' if it is paired with this veteran already, or 'taken'.
create function app.keep_identity(veteran uuid, identity uuid, of_issuer text, of_subject bytea, paired_how text)
  returns text language plpgsql as $$
begin
  insert into public.veteran_identities (veteran_id, id, issuer, subject_hash, how)
  values (veteran, identity, of_issuer, of_subject, paired_how)
  on conflict (issuer, subject_hash) do nothing;
  if found then
    perform app.write_proof(veteran, 'identity_paired',
      case paired_how when 'operator' then 'service' else 'veteran' end,
      case when paired_how <> 'operator' then veteran end, jsonb_build_object('how', paired_how));
    return 'paired';
  end if;
  return case when exists (
    select from public.veteran_identities i
    where i.veteran_id = veteran and i.issuer = of_issuer and i.subject_hash = of_subject
  ) then 'known' else 'taken' end;
end $$;

-- The operator knows whose account it is.
create function app.pair_by_hand(veteran uuid, identity uuid, of_issuer text, of_subject bytea) returns text
  language sql security definer set search_path = pg_catalog, pg_temp as $$
    select app.keep_identity(veteran, identity, of_issuer, of_subject, 'operator')
  $$;

-- Tries a code, which is the mailed or the operator's. A try is counted before it is compared. The mailed one counts for a
-- veteran without any account, and only until too many wrong ones were tried in a day. 'full': the code was right, and the
-- veteran has as many accounts as there may be.
create function app.pair(proof bytea, proof_end timestamptz, pairing uuid, thumbprint bytea, mailed_code bytea,
    operator_code bytea, identity uuid, from_network text, wrong_per_day int, most_identities int, most int, idle int,
    seconds int, confirmed_seconds int)
  returns table (status text, attempts_left int, veteran_id uuid, call_sign text, session_ends_at timestamptz,
    seconds_left int, previous_session_at timestamptz, confirmed_until timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked public.veteran_pairings;
  owner public.veterans;
  identities pg_catalog.int8;
  by_mail pg_catalog.bool;
  by_operator pg_catalog.bool;
begin
  attempts_left := 0;
  if not app.spend_token(proof, proof_end) then status := 'proof'; return next; return; end if;
  status := 'wrong';
  -- The turn comes before the row, as where the operator changes the veteran's number. Else each could wait for the other.
  perform app.lock_sessions(p.veteran_id) from public.veteran_pairings p where p.id = pairing;
  select * into asked from public.veteran_pairings p
  where p.id = pairing and p.expires_at > clock_timestamp() for update;
  if asked.id is null then return next; return; end if;
  if asked.key_thumbprint <> thumbprint then status := 'key'; return next; return; end if;
  if asked.tries_left = 0 then return next; return; end if;
  attempts_left := asked.tries_left - 1;
  update public.veteran_pairings p set tries_left = attempts_left where p.id = pairing;
  select * into owner from public.veterans v where v.id = asked.veteran_id;
  select count(*) into identities from public.veteran_identities i where i.veteran_id = owner.id;
  by_mail := coalesce(asked.code_hash = mailed_code, false) and identities = 0
    and app.wrong_codes(asked.va_patient_hash) < wrong_per_day;
  by_operator := coalesce(owner.pairing_code_hash = operator_code, false)
    and owner.pairing_code_ends_at > clock_timestamp();
  if not by_mail and not by_operator then
    insert into public.rate_limit_spendings values (sha256(asked.va_patient_hash), clock_timestamp(), 1);
  elsif identities >= most_identities then
    status := 'full';
  else
    delete from public.veteran_pairings p where p.id = pairing;
    if by_operator then
      update public.veterans v set pairing_code_hash = null, pairing_code_ends_at = null where v.id = owner.id;
    end if;
    if app.keep_identity(owner.id, identity, asked.issuer, asked.subject_hash,
      case when by_operator then 'operator' else 'mail' end) = 'taken'
    then
      attempts_left := 0;
    else
      perform app.open_session(owner.id, pairing, thumbprint, asked.device_name_ciphertext, from_network, most, idle,
        seconds);
      return query select 'begun', 0, a.* from app.veteran_access(owner.id, pairing, confirmed_seconds) a;
      return;
    end if;
  end if;
  return next;
end $$;

-- 'ended': there is no such session, or it is over. 'key': another key than the session's asks.
create function app.renew_veteran_session(proof bytea, proof_end timestamptz, session uuid, thumbprint bytea,
    from_network text, idle int, confirmed_seconds int)
  returns table (status text, veteran_id uuid, call_sign text, session_ends_at timestamptz, seconds_left int,
    previous_session_at timestamptz, confirmed_until timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  live public.veteran_sessions;
begin
  status := 'proof';
  if not app.spend_token(proof, proof_end) then return next; return; end if;
  select * into live from public.veteran_sessions s where s.id = session and app.is_live(s, idle) for no key update;
  status := case when live.id is null then 'ended' when live.key_thumbprint <> thumbprint then 'key' else 'renewed' end;
  if status <> 'renewed' then return next; return; end if;
  update public.veteran_sessions s set renewed_at = clock_timestamp(), network = from_network
  where s.veteran_id = live.veteran_id and s.id = session;
  return query select 'renewed', a.* from app.veteran_access(live.veteran_id, session, confirmed_seconds) a;
end $$;

-- Ends a session of the stated veteran, or all and the tokens without one. Answers whether there is such a session, live or not.
create function app.end_veteran_session(session uuid, idle int) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  veteran pg_catalog.uuid := app.actor_veteran();
begin
  if app.actor() is distinct from 'veteran' then return false; end if;
  perform app.end_sessions(veteran, array[session], idle, true);
  return exists (select from public.veteran_sessions s where s.veteran_id = veteran and s.id = session);
end $$;

-- Ends all of a veteran's sessions, and the tokens that have none.
create function app.end_all_tokens(veteran uuid, idle int, by_veteran boolean) returns void language plpgsql as $$
begin
  perform app.lock_sessions(veteran);
  -- The service keeps milliseconds.
  insert into public.veteran_token_ends as ends values (veteran, date_trunc('milliseconds', clock_timestamp()))
  on conflict (veteran_id) do update
  set ended_at = greatest(excluded.ended_at, ends.ended_at + interval '1 millisecond');
  perform app.end_sessions(veteran, null, idle, by_veteran);
end $$;

create function app.end_all_veteran_sessions(idle int) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if app.actor() = 'veteran' then perform app.end_all_tokens(app.actor_veteran(), idle, true); end if;
end $$;

revoke all on function app.is_live, app.tokens_ended_at, app.token_counts, app.token_still_counts, app.lock_sessions, app.spend_token, app.veteran_access, app.end_sessions,
  app.open_session, app.begin_veteran_session, app.wrong_codes, app.spend_code, app.pairing_addressee, app.keep_identity,
  app.pair_by_hand, app.pair, app.renew_veteran_session, app.end_veteran_session, app.end_all_tokens, app.end_all_veteran_sessions from public;
grant execute on function app.tokens_ended_at, app.token_counts, app.token_still_counts, app.begin_veteran_session, app.pairing_addressee, app.pair_by_hand, app.pair,
  app.renew_veteran_session, app.end_veteran_session, app.end_all_veteran_sessions to vrss_runtime;

-- As app.sweep (024) forgets what has had its time.
create function app.sweep_sign_ins(what text, after interval, most int) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  least_time pg_catalog.interval := case what
    when 'spent tokens' then '1 minute' when 'pairings' then '1 hour' when 'veteran sessions' then '90 days'
  end;
  before pg_catalog.timestamptz;
  bound pg_catalog.int4 := least(most, 1000);
  swept pg_catalog.int4;
begin
  if least_time is null then raise exception 'nothing is swept by this name'; end if;
  before := clock_timestamp() - greatest(after, least_time);
  case what
    when 'spent tokens' then
      delete from public.spent_tokens where hash in (
        select hash from public.spent_tokens where expires_at <= before
        order by expires_at limit bound for update skip locked
      );
    when 'pairings' then
      delete from public.veteran_pairings where id in (
        select id from public.veteran_pairings where expires_at <= before
        order by expires_at limit bound for update skip locked
      );
    -- As long as it is kept, its device is known.
    when 'veteran sessions' then
      delete from public.veteran_sessions where (veteran_id, id) in (
        select veteran_id, id from public.veteran_sessions where expires_at <= before
        order by expires_at limit bound for update skip locked
      );
  end case;
  get diagnostics swept = row_count;
  return swept;
end $$;

revoke all on function app.sweep_sign_ins from public;
grant execute on function app.sweep_sign_ins to vrss_runtime;
