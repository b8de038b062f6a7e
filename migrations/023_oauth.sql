-- The authorization server (OAuth 2.1, SMART App Launch). Each decisive step is one function that locks what it decides about, and
-- writes its proof row in the same transaction. What is secret is here as a keyed hash. The functions run as the owner, so that the
-- web process can take a step, and can do nothing else to what a step counts, spends and notes. Who locks more than one row locks
-- the request, code or token first, and then the grant.

-- What an app asks, until somebody has decided it.
create table oauth_requests (
  hash bytea primary key check (octet_length(hash) = 32),
  -- Only the browser that began it may go on with it.
  cookie_hash bytea not null check (octet_length(cookie_hash) = 32),
  client_id uuid not null references oauth_clients,
  redirect_uri text not null,
  scope text not null,
  state text,
  code_challenge text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Whose e-mail address was typed: null where there is none, or more than one.
  veteran_id uuid,
  -- Of the one-time code that was mailed last; where nobody has the address, of one that nobody knows.
  code_hash bytea check (octet_length(code_hash) = 32),
  code_made_at timestamptz,
  wrong_codes int not null default 0,
  -- Since then whoever asks is known to be the veteran.
  proved_at timestamptz,
  ended_at timestamptz,
  -- What it came to, where the veteran agreed.
  grant_id uuid
);

create index oauth_requests_age on oauth_requests (created_at);

grant select, insert on oauth_requests to vrss_runtime;

-- An authorization code is kept after its use, so that a second use is told from a guess.
create table oauth_codes (
  hash bytea primary key check (octet_length(hash) = 32),
  veteran_id uuid not null,
  grant_id uuid not null,
  client_id uuid not null,
  redirect_uri text not null,
  code_challenge text not null,
  -- The app gets a refresh token too.
  offline boolean not null,
  -- What the veteran agreed to; until the code is redeemed the grant ends with it.
  access_until timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  spent_at timestamptz,
  foreign key (veteran_id, grant_id) references consent_grants
);

create index oauth_codes_end on oauth_codes (access_until);

-- All refresh tokens of a grant are one family: the one that is good has this hash, each other of the family was good once.
create table oauth_refresh_tokens (
  family bytea primary key check (octet_length(family) = 32),
  token_hash bytea not null check (octet_length(token_hash) = 32),
  veteran_id uuid not null,
  grant_id uuid not null,
  rotated_at timestamptz not null default clock_timestamp(),
  foreign key (veteran_id, grant_id) references consent_grants
);

create unique index oauth_refresh_tokens_grant on oauth_refresh_tokens (veteran_id, grant_id);

-- An identity assertion counts once (RFC 7523, section 3): the keyed hash of its `jti` is kept until it has expired.
create table identity_assertions (
  hash bytea primary key check (octet_length(hash) = 32),
  expires_at timestamptz not null
);

create index identity_assertions_end on identity_assertions (expires_at);

grant select, insert on identity_assertions to vrss_runtime;

-- Locks a request that is open until the transaction ends. The row is null where there is none for this browser, or its ten minutes
-- are over, or it was decided.
create function app.lock_request(request bytea, cookie bytea) returns oauth_requests language sql as $$
  select r.* from public.oauth_requests r join public.oauth_clients c on c.id = r.client_id and c.disabled_at is null
  where r.hash = request and r.cookie_hash = cookie and r.ended_at is null
    and r.created_at > clock_timestamp() - interval '10 minutes'
  for no key update of r
$$;

-- Notes that a code is sent to the veteran; null stands for nobody, and all else is the same. It is 'limited', for `wait` seconds,
-- too soon after the last one and when the address has had its codes of an hour; the address counts whether or not it is known.
create function app.challenge_request(request bytea, cookie bytea, veteran uuid, code bytea, resend_after int,
    address_key bytea, codes_per_address int)
  returns table (status text, wait double precision)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked public.oauth_requests := app.lock_request(request, cookie);
begin
  wait := 0;
  if asked.hash is null then
    status := 'ended';
  else
    wait := greatest(extract(epoch from asked.code_made_at - clock_timestamp()) + resend_after, 0);
    if coalesce(wait, 0) = 0 then
      select case spent.granted when 0 then spent.retry_after else 0 end into wait
      from app.spend_permits(address_key, codes_per_address, 3600, 1) as spent;
    end if;
    status := case when wait > 0 then 'limited' else 'active' end;
    if status = 'active' then
      update public.oauth_requests
      set veteran_id = veteran, code_hash = code, code_made_at = clock_timestamp(), proved_at = null
      where hash = request;
    end if;
  end if;
  return next;
end $$;

-- A code that could not be sent is forgotten, so that another may be asked for at once.
create function app.forget_request_code(request bytea) returns void
  language sql security definer set search_path = pg_catalog, pg_temp as $$
    update public.oauth_requests set code_hash = null, code_made_at = null
    where hash = request and proved_at is null and ended_at is null
  $$;

-- A try is counted before it is compared; too many wrong ones end the request.
create function app.try_request_code(request bytea, cookie bytea, code bytea, expires_in int, tries_per_request int)
  returns table (status text, attempts_left int, veteran_id uuid)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked public.oauth_requests := app.lock_request(request, cookie);
begin
  attempts_left := 0;
  if asked.hash is null then
    status := 'ended';
  elsif asked.code_hash = code and asked.veteran_id is not null
    and asked.code_made_at > clock_timestamp() - make_interval(secs => expires_in)
  then
    status := 'right';
    veteran_id := asked.veteran_id;
    update public.oauth_requests set code_hash = null, proved_at = clock_timestamp() where hash = request;
  else
    attempts_left := tries_per_request - asked.wrong_codes - 1;
    status := case when attempts_left > 0 then 'wrong' else 'ended' end;
    update public.oauth_requests
    set wrong_codes = wrong_codes + 1, ended_at = case when attempts_left > 0 then null else clock_timestamp() end
    where hash = request;
  end if;
  return next;
end $$;

-- The app's backend vouches for the veteran by an identity assertion, whose hash counts once.
create function app.vouch_for_request(request bytea, cookie bytea, veteran uuid, assertion bytea, assertion_end timestamptz)
  returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked public.oauth_requests := app.lock_request(request, cookie);
begin
  if asked.hash is null then return 'ended'; end if;
  insert into public.identity_assertions values (assertion, assertion_end) on conflict do nothing;
  if not found then return 'used'; end if;
  update public.oauth_requests set veteran_id = veteran, code_hash = null, proved_at = clock_timestamp() where hash = request;
  return 'right';
end $$;

-- The veteran agrees: the grant, the code that the app redeems, and the mail about it. The grant ends with the code until that is
-- redeemed. Null types stand for every type.
create function app.approve_request(request bytea, cookie bytea, new_grant uuid, types text[], categories text[], told_scope text,
    is_offline boolean, access_seconds int, code bytea, code_seconds int, per_veteran int, per_client int)
  returns table (status text, redirect_uri text, state text)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked public.oauth_requests := app.lock_request(request, cookie);
  moment pg_catalog.timestamptz := clock_timestamp();
begin
  redirect_uri := asked.redirect_uri;
  state := asked.state;
  if asked.hash is null or asked.proved_at is null then
    status := 'ended';
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

create function app.deny_request(request bytea, cookie bytea)
  returns table (status text, redirect_uri text, state text)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  asked public.oauth_requests := app.lock_request(request, cookie);
begin
  redirect_uri := asked.redirect_uri;
  state := asked.state;
  if asked.hash is null then
    status := 'ended';
  else
    status := 'denied';
    -- Whoever turns back before that is nobody whom we know.
    if asked.proved_at is not null then
      perform app.write_proof(asked.veteran_id, 'oauth_access_denied', 'veteran', asked.veteran_id,
        jsonb_build_object('clientId', asked.client_id));
    end if;
    update public.oauth_requests set ended_at = clock_timestamp() where hash = request;
  end if;
  return next;
end $$;

-- What was decided, for who sends the form once more: the same code only while nobody has spent it, because an app that is sent a
-- spent one ends its own grant with it.
create function app.decided_request(request bytea, cookie bytea, code_seconds int)
  returns table (status text, redirect_uri text, state text)
  language sql security definer set search_path = pg_catalog, pg_temp as $$
    select
      case
        when r.grant_id is null then 'denied'
        when exists (
          select from public.oauth_codes c
          where c.veteran_id = r.veteran_id and c.grant_id = r.grant_id and c.spent_at is null
            and c.created_at > clock_timestamp() - make_interval(secs => code_seconds)
        ) then 'granted'
        else 'ended'
      end,
      r.redirect_uri, r.state
    from public.oauth_requests r where r.hash = request and r.cookie_hash = cookie and r.ended_at is not null
  $$;

-- Ends an app's grant that is active, and answers whether it was. A trigger writes the proof (migrations/020).
create function app.end_app_grant(of_grant uuid, reason text) returns boolean language plpgsql as $$
begin
  update public.consent_grants set status = 'revoked', revoked_at = clock_timestamp(), ended_by = reason
  where id = of_grant and client_id is not null and status = 'active' and expires_at > clock_timestamp();
  if found and reason <> 'app' then
    insert into public.outbox (kind, subject_id) values ('app_replayed', of_grant);
  end if;
  return found;
end $$;

-- Any request of a client that names a code spends it; one that names a spent code ends its grant (OAuth 2.1, section 4.1.3).
-- 'invalid': there is no such code, or something beside it does not agree.
create function app.redeem_code(code bytea, client uuid, sent_redirect_uri text, sent_challenge text, code_seconds int,
    family bytea, refresh_token bytea)
  returns table (status text, grant_id uuid, veteran_id uuid, scope text, offline boolean, expires_at timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  named public.oauth_codes;
begin
  select * into named from public.oauth_codes c where c.hash = code for update;
  status := 'invalid';
  if named.hash is null then return next; return; end if;
  if named.spent_at is not null then
    status := 'replayed';
    perform app.end_app_grant(named.grant_id, 'code_replay');
    return next;
    return;
  end if;
  update public.oauth_codes c set spent_at = clock_timestamp() where c.hash = code;
  if named.client_id = client and named.redirect_uri = sent_redirect_uri and named.code_challenge = sent_challenge
    and named.created_at > clock_timestamp() - make_interval(secs => code_seconds)
  then
    update public.consent_grants g set expires_at = named.access_until
    where g.veteran_id = named.veteran_id and g.id = named.grant_id and g.status = 'active'
      and g.expires_at > clock_timestamp()
      and exists (select from public.oauth_clients c where c.id = client and c.disabled_at is null)
    returning g.id, g.veteran_id, g.scope, g.expires_at into grant_id, veteran_id, scope, expires_at;
    if found then
      status := 'redeemed';
      offline := named.offline;
      if offline then
        insert into public.oauth_refresh_tokens (family, token_hash, veteran_id, grant_id)
        values (family, refresh_token, veteran_id, grant_id);
      end if;
    end if;
  end if;
  return next;
end $$;

-- The one good token of a family becomes another; one that was good once ends the grant (OAuth 2.1, section 4.3.1). A null client
-- stands for one that did not say which: it must be public, and is the token's own.
create function app.rotate_refresh_token(of_family bytea, old_token bytea, new_token bytea, client uuid)
  returns table (status text, grant_id uuid, veteran_id uuid, client_id uuid, scope text, expires_at timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  named public.oauth_refresh_tokens;
begin
  select * into named from public.oauth_refresh_tokens t where t.family = of_family for update;
  status := 'invalid';
  select g.id, g.veteran_id, g.client_id, g.scope, g.expires_at into grant_id, veteran_id, client_id, scope, expires_at
  from public.consent_grants g join public.oauth_clients c on c.id = g.client_id and c.disabled_at is null
  where g.veteran_id = named.veteran_id and g.id = named.grant_id and g.status = 'active'
    and (g.client_id = client or (client is null and c.secret_hash is null))
    and g.expires_at > clock_timestamp()
  for no key update of g;
  if found and named.token_hash = old_token then
    status := 'rotated';
    update public.oauth_refresh_tokens t set token_hash = new_token, rotated_at = clock_timestamp() where t.family = of_family;
    perform app.write_proof(veteran_id, 'oauth_token_refreshed', 'app', client_id,
      jsonb_build_object('clientId', client_id, 'grantId', grant_id));
  elsif found then
    status := 'replayed';
    perform app.end_app_grant(named.grant_id, 'refresh_replay');
  end if;
  return next;
end $$;

-- The app gives its grant back, named by itself or by a refresh token's family (RFC 7009).
create function app.revoke_app_grant(of_grant uuid, of_family bytea, client uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  named pg_catalog.uuid := coalesce(of_grant, (select t.grant_id from public.oauth_refresh_tokens t where t.family = of_family));
begin
  perform app.end_app_grant(g.id, 'app') from public.consent_grants g where g.id = named and g.client_id = client;
end $$;

-- The app under the stated grant was answered. `types` has each type that it asked for and how many items of it were in the answer.
create function app.prove_app_reading(types jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  client pg_catalog.uuid := (
    select g.client_id from public.consent_grants g
    where g.veteran_id = app.actor_veteran() and g.id = app.actor_grant() and app.actor() = 'app'
  );
begin
  if client is null then raise exception 'no app is stated'; end if;
  perform app.write_proof(app.actor_veteran(), 'oauth_access_used', 'app', client,
    jsonb_build_object('clientId', client, 'grantId', app.actor_grant(), 'resourceTypes', types));
end $$;

revoke all on function app.lock_request, app.challenge_request, app.forget_request_code, app.try_request_code,
  app.vouch_for_request, app.approve_request, app.deny_request, app.decided_request, app.end_app_grant, app.redeem_code, app.rotate_refresh_token,
  app.revoke_app_grant, app.prove_app_reading from public;
grant execute on function app.challenge_request, app.forget_request_code, app.try_request_code, app.vouch_for_request,
  app.approve_request, app.deny_request, app.decided_request, app.redeem_code, app.rotate_refresh_token, app.revoke_app_grant, app.prove_app_reading
  to vrss_runtime;

-- An app that named an address for it is told what became of its grant, and that there is something new to read. That a sync was
-- stored is told whatever it held: told only of what the app may see, it would tell of what it may not (38 U.S.C. 7332).
create function app.has_webhook(client uuid) returns boolean language sql stable as $$
  select exists (
    select from public.oauth_clients c
    where c.id = client and c.webhook_url is not null and c.webhook_gone_at is null and c.disabled_at is null
  )
$$;

create function app.tell_app() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if app.has_webhook(new.client_id) then
    insert into public.outbox (kind, subject_id) values ('grant_' || new.status, new.id);
  end if;
  return null;
end $$;

create trigger apps_are_told after update of status on consent_grants
  for each row when (new.client_id is not null and new.status <> 'active') execute function app.tell_app();

-- What waits to be told of a grant is told once; what may be on its way tells nothing of what comes after it.
create unique index outbox_updates on outbox (subject_id) where kind = 'record_updated' and attempts = 0;

create function app.tell_apps_of_sync() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.outbox (kind, subject_id)
  select 'record_updated', g.id from public.consent_grants g
  where g.veteran_id = new.veteran_id and g.client_id is not null and g.status = 'active' and g.expires_at > clock_timestamp()
    and app.has_webhook(g.client_id)
  on conflict (subject_id) where kind = 'record_updated' and attempts = 0 do nothing;
  return null;
end $$;

create trigger syncs_are_told after insert on proofs
  for each row when (new.kind = 'sync_stored') execute function app.tell_apps_of_sync();

revoke all on function app.has_webhook, app.tell_app, app.tell_apps_of_sync from public;
