-- Providers choose their own passwords, by a link that is mailed. `password_hash` stays not null, so that processes of the version
-- before go on serving: a provider who has chosen no password has the hash of a secret that nobody knows.

grant update (password_hash) on providers to vrss_runtime;

-- A link's token is derived from its id under a key of the service, so that neither this table nor the outbox holds one.
create table provider_password_links (
  id uuid primary key,
  -- Null if the link is nobody's: no provider has the address, or too many were asked for in a day. It has no foreign key, because
  -- to check one takes time, which would tell whose address it is.
  provider_id uuid,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  why text not null check (why in ('registered', 'forgotten', 'operator')),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);

create index provider_password_links_newest on provider_password_links (provider_id, created_at, id);
create index provider_password_links_end on provider_password_links (expires_at);

grant select, insert, delete on provider_password_links to vrss_runtime;

-- Somebody asks for a link, and all steps are taken for each address alike: one more is counted, a link is kept, and a mail put out,
-- which is not sent if the link is nobody's. It waits for the disk, which counting alone does not.
create function app.forget_password(link uuid, token bytea, address text, address_key bytea, per_day int, seconds int)
  returns void language plpgsql set synchronous_commit = on as $$
declare
  may_mail pg_catalog.bool := (select granted > 0 from app.spend_permits(address_key, per_day, 86400, 1));
begin
  insert into public.provider_password_links (id, provider_id, token_hash, why, expires_at)
  values (link, (
      select p.id from public.providers p
      where lower(p.email) = lower(address) and p.disabled_at is null and may_mail
    ), token, 'forgotten', clock_timestamp() + make_interval(secs => seconds));
  insert into public.outbox (kind, subject_id) values ('password_link', link);
end $$;

-- The operator has a link mailed. Answers 'mailed', 'unknown' or 'disabled'.
create function app.mail_password_link(link uuid, token bytea, provider uuid, reason text, seconds int) returns text
  language plpgsql as $$
declare
  addressee public.providers;
begin
  select * into addressee from public.providers p where p.id = provider for share;
  if addressee.id is null then return 'unknown'; end if;
  if addressee.disabled_at is not null then return 'disabled'; end if;
  insert into public.provider_password_links (id, provider_id, token_hash, why, expires_at)
  values (link, provider, token, reason, clock_timestamp() + make_interval(secs => seconds));
  insert into public.outbox (kind, subject_id) values ('password_link', link);
  return 'mailed';
end $$;

-- The provider who may set a password by this token: it is not over, and is the newest that this provider was given.
create function app.provider_of_password_link(token bytea) returns uuid language sql as $$
  select p.id from public.provider_password_links l
  join public.providers p on p.id = l.provider_id and p.disabled_at is null
  where l.token_hash = token and l.expires_at > clock_timestamp() and not exists (
    select from public.provider_password_links newer
    where newer.provider_id = l.provider_id and (newer.created_at, newer.id) > (l.created_at, l.id)
  )
$$;

-- Keeps a new password, and ends the provider's links and sessions, but one if it is named. Before this, the caller locked the
-- provider's row: a sign-in with the old password waits for that (`ProviderRepository.openSession`), and then finds another hash.
create function app.keep_password(provider uuid, session uuid, new_hash text) returns void language plpgsql as $$
begin
  update public.providers p set password_hash = new_hash where p.id = provider;
  delete from public.provider_password_links l where l.provider_id = provider;
  update public.provider_sessions s set revoked_at = clock_timestamp()
  where s.provider_id = provider and s.revoked_at is null and s.id is distinct from session;
  insert into public.outbox (kind, subject_id) values ('password_changed', provider);
end $$;

-- Spends a link. Answers whether it was good.
create function app.set_password(token bytea, new_hash text) returns boolean language plpgsql as $$
declare
  provider pg_catalog.uuid := app.provider_of_password_link(token);
begin
  perform from public.providers p where p.id = provider for no key update;
  -- Meanwhile another may have used it.
  if app.provider_of_password_link(token) is null then return false; end if;
  perform app.keep_password(provider, null, new_hash);
  return true;
end $$;

-- Answers false if the password is no longer the one that was checked.
create function app.change_password(provider uuid, session uuid, checked_hash text, new_hash text) returns boolean
  language plpgsql as $$
begin
  perform from public.providers p
  where p.id = provider and p.password_hash = checked_hash and p.disabled_at is null for no key update;
  if not found then return false; end if;
  perform app.keep_password(provider, session, new_hash);
  return true;
end $$;

-- What was mailed to an address that is no longer the provider's, or before they were disabled, does not count afterwards.
create function app.end_password_links() returns trigger language plpgsql as $$
begin
  delete from public.provider_password_links l where l.provider_id = new.id;
  return null;
end $$;

create trigger end_password_links after update of email, disabled_at on providers for each row
  when (old.email is distinct from new.email or old.disabled_at is distinct from new.disabled_at)
  execute function app.end_password_links();

-- As app.sweep (024) forgets what has had its time.
create function app.sweep_password_links(after interval, most int) returns int language plpgsql as $$
declare
  swept pg_catalog.int4;
begin
  delete from public.provider_password_links where id in (
    select l.id from public.provider_password_links l where l.expires_at <= clock_timestamp() - after
    order by l.expires_at limit least(most, 1000)
  );
  get diagnostics swept = row_count;
  return swept;
end $$;

revoke all on function app.forget_password, app.mail_password_link, app.provider_of_password_link, app.keep_password,
  app.set_password, app.change_password, app.end_password_links, app.sweep_password_links from public;
grant execute on function app.forget_password, app.mail_password_link, app.provider_of_password_link, app.keep_password,
  app.set_password, app.change_password, app.sweep_password_links to vrss_runtime;
