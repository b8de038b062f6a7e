-- Codes by which a clinic's desk names a provider to veterans. A code opens nothing, and is kept as a keyed hash.
create table provider_invitations (
  id uuid primary key,
  provider_id uuid not null references providers,
  code_hash bytea not null unique check (octet_length(code_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null check (expires_at > created_at),
  revoked_at timestamptz,
  -- How often a veteran found the provider by it.
  used bigint not null default 0
);

create index provider_invitations_provider on provider_invitations (provider_id, id);

grant select, update (revoked_at, used) on provider_invitations to vrss_runtime;

-- A provider has at most `most` live codes. The lock on the provider's row makes parallel calls count one after the other.
-- Codes that ended 90 days ago go. Answers no row if the provider is disabled or has as many codes as that.
create function app.make_invitation(provider uuid, invitation uuid, hash bytea, days int, most int)
  returns setof public.provider_invitations
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from public.providers p where p.id = provider and p.disabled_at is null for no key update;
  if not found then return; end if;
  delete from public.provider_invitations i
  where i.provider_id = provider and least(i.revoked_at, i.expires_at) < now() - interval '90 days';
  if (
    select count(*) from public.provider_invitations i
    where i.provider_id = provider and i.revoked_at is null and i.expires_at > now()
  ) >= most then return; end if;
  return query
    insert into public.provider_invitations (id, provider_id, code_hash, expires_at)
    values (invitation, provider, hash, now() + make_interval(days => days))
    returning *;
end $$;

revoke all on function app.make_invitation from public;
grant execute on function app.make_invitation to vrss_runtime;
