-- An app that the operator registered, to which a veteran may grant what they grant to a provider (OAuth 2.1, section 2).
create table oauth_clients (
  id uuid primary key,
  name text not null,
  redirect_uris text[] not null,
  scopes text[] not null,
  -- A keyed hash of the secret of a confidential client; a public one has none.
  secret_hash bytea check (octet_length(secret_hash) = 32),
  privacy_url text,
  webhook_url text,
  -- The receiver said that it is gone (410): nothing more is sent.
  webhook_gone_at timestamptz,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

grant select, insert, update (secret_hash, webhook_gone_at, disabled_at) on oauth_clients to vrss_runtime;

-- Exactly one is granted something: a provider, or an app.
create table consent_grants (
  id uuid not null,
  veteran_id uuid not null references veterans,
  provider_id uuid references providers,
  client_id uuid references oauth_clients,
  -- What the app was granted, as the app is told it.
  scope text,
  resource_types text[],
  sensitive_categories text[] not null,
  include_self_reported boolean not null,
  include_documents boolean not null,
  purpose text not null,
  status text not null default 'active' check (status in ('active', 'revoked', 'expired')),
  granted_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- Who ended an app's grant, where it was not the veteran: the app, or somebody who used a spent code or token again. Only the
  -- functions of migration 023 write it.
  ended_by text check (ended_by in ('app', 'code_replay', 'refresh_replay')),
  primary key (veteran_id, id),
  check (num_nonnulls(provider_id, client_id) = 1),
  check ((client_id is null) = (scope is null)),
  check (client_id is null or not (include_self_reported or include_documents)),
  check (ended_by is null or (client_id is not null and status = 'revoked')),
  check ((status = 'revoked') = (revoked_at is not null))
);

create index consent_grants_pair on consent_grants (veteran_id, provider_id) where status = 'active';
create index consent_grants_provider on consent_grants (provider_id, id) where status = 'active';
-- An app names its grant alone.
create unique index consent_grants_id on consent_grants (id);

grant select, insert, update (status, revoked_at) on consent_grants to vrss_runtime;

create function app.keep_final_status() returns trigger language plpgsql as $$
begin
  if old.status <> 'active' then
    raise exception 'the status % is final', old.status using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger consent_grants_final before update on consent_grants
  for each row execute function app.keep_final_status();

-- Finds the grants by which the stated provider, or the app under the stated grant, may read the stated veteran now. Policies read grants through this function
-- alone: it runs as the owner, so that no policy depends on the reader's rights to consent_grants. A function that runs as the
-- owner ends its search path with pg_temp: where that is not named it comes first, and the reader's types run as the owner.
create function app.active_grants()
  returns table (resource_types text[], sensitive_categories text[], include_self_reported boolean, include_documents boolean)
  language sql stable rows 5 security definer set search_path = pg_catalog, pg_temp as $$
    select g.resource_types, g.sensitive_categories, g.include_self_reported, g.include_documents
    from public.consent_grants g
    join public.providers p on p.id = g.provider_id and p.disabled_at is null
    where app.actor() = 'provider'
      and g.veteran_id = app.actor_veteran()
      and g.provider_id = app.actor_provider()
      and g.status = 'active'
      and g.expires_at > statement_timestamp()
    union all
    select g.resource_types, g.sensitive_categories, g.include_self_reported, g.include_documents
    from public.consent_grants g
    join public.oauth_clients c on c.id = g.client_id and c.disabled_at is null
    where app.actor() = 'app'
      and g.veteran_id = app.actor_veteran()
      and g.id = app.actor_grant()
      and g.status = 'active'
      and g.expires_at > statement_timestamp()
  $$;

revoke all on function app.active_grants() from public;
grant execute on function app.active_grants() to vrss_runtime;
