create table consent_grants (
  id uuid not null,
  veteran_id uuid not null references veterans,
  provider_id uuid not null references providers,
  resource_types text[],
  sensitive_categories text[] not null,
  include_self_reported boolean not null,
  include_documents boolean not null,
  purpose text not null,
  status text not null default 'active' check (status in ('active', 'revoked', 'expired')),
  granted_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (veteran_id, id),
  check ((status = 'revoked') = (revoked_at is not null))
);

create index consent_grants_pair on consent_grants (veteran_id, provider_id) where status = 'active';
create index consent_grants_provider on consent_grants (provider_id, id) where status = 'active';

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

-- Finds the grants by which the stated provider may read the stated veteran now. Policies read grants through this function
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
  $$;

revoke all on function app.active_grants() from public;
grant execute on function app.active_grants() to vrss_runtime;
