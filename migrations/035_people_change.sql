-- The operator changes people. Each change is one function, which decides a race, writes its proof and puts out its mails. A change
-- of an address lets die whatever was mailed to the old one, or was proved by it: who reads the old mailbox gets no further.

-- As app.lock_sessions (032), for those who only need that nobody changes the veteran meanwhile. For nobody it does nothing.
create function app.share_sessions(veteran uuid) returns void language sql as $$
  select pg_advisory_xact_lock_shared(hashtextextended('sessions ' || veteran::pg_catalog.text, 0))
$$;

-- Changes a veteran's e-mail address. 'respelled': it differs in upper and lower case alone, so it is the same mailbox. Neither
-- sessions nor grants end.
create function app.change_veteran_email(veteran uuid, new_email text, by_veteran boolean) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  old_email pg_catalog.text;
begin
  -- Under this lock nobody else changes the address. The row itself is locked last: a request of an app is locked before it.
  perform app.lock_sessions(veteran);
  select v.email into old_email from public.veterans v where v.id = veteran;
  if old_email is null then return 'unknown'; end if;
  if old_email = new_email then return 'same'; end if;
  if lower(old_email) = lower(new_email) then
    update public.veterans v set email = new_email where v.id = veteran;
    return 'respelled';
  end if;
  update public.oauth_requests r set veteran_id = null, code_hash = null, code_made_at = null, proved_at = null
  where r.veteran_id = veteran and r.ended_at is null;
  delete from public.veteran_networks n where n.veteran_id = veteran;
  -- The operator's code still counts for such a pairing.
  update public.veteran_pairings p set code_hash = null where p.veteran_id = veteran;
  update public.veterans v set email = new_email where v.id = veteran;
  perform app.write_proof(veteran, 'email_changed', case when by_veteran then 'veteran' else 'service' end,
    case when by_veteran then veteran end, '{}');
  insert into public.outbox (kind, subject_id, address, facts) values
    ('veteran_email_changed', veteran, old_email, '{"to": "old"}'),
    ('veteran_email_changed', veteran, new_email, '{"to": "new"}');
  return 'changed';
end $$;

-- As app.pairing_addressee (032), once a change of the address under way has ended: no code that counts goes to an old address.
create or replace function app.pairing_addressee(pairing uuid) returns table (email text)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app.share_sessions(p.veteran_id) from public.veteran_pairings p where p.id = pairing;
  return query
    select v.email from public.veteran_pairings p join public.veterans v on v.id = p.veteran_id
    where p.id = pairing and p.code_hash is not null and p.expires_at > clock_timestamp();
end $$;

-- Makes a challenge as app.challenge_from_network (026) does, for a veteran who has this address still. The lock comes before the
-- request's row, as where the address changes.
create function app.challenge_at_address(request bytea, cookie bytea, veteran uuid, address text, code bytea,
    resend_after int, from_network bytea, known_for interval, network_key bytea, codes_per_network int,
    address_key bytea, codes_per_address int)
  returns table (status text, wait double precision) language plpgsql as $$
declare
  addressee uuid;
begin
  perform app.share_sessions(veteran);
  select v.id into addressee from public.veterans v where v.id = veteran and v.email = address;
  return query select step.* from app.challenge_from_network(request, cookie, addressee, code, resend_after, from_network,
    known_for, network_key, codes_per_network, address_key, codes_per_address) as step;
end $$;

create index providers_npi on providers (npi) where npi is not null;

-- Changes what is not null, and the identifier if one is given. 'taken': another provider has the address. A new address forgets
-- the account of Google that was found by the old one, and the networks of sign-ins with it. Sessions go on.
create function app.change_provider(provider uuid, new_email text, new_name text, new_organization text,
    npi_given boolean, new_npi text)
  returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  before public.providers;
  changed public.providers;
begin
  select * into before from public.providers p where p.id = provider for no key update;
  if before.id is null then return 'unknown'; end if;
  changed := before;
  changed.email := coalesce(new_email, before.email);
  changed.display_name := coalesce(new_name, before.display_name);
  changed.organization := coalesce(new_organization, before.organization);
  if npi_given then changed.npi := new_npi; end if;
  if changed is not distinct from before then return 'same'; end if;
  begin
    update public.providers p set email = changed.email, display_name = changed.display_name,
      organization = changed.organization, npi = changed.npi
    where p.id = provider;
  exception when unique_violation then return 'taken';
  end;
  if lower(changed.email) <> lower(before.email) then
    update public.providers p set google_subject = null where p.id = provider;
    update public.google_sign_ins g set used_at = clock_timestamp() where g.provider_id = provider and g.used_at is null;
    delete from public.known_networks n where n.provider_id = provider;
    insert into public.outbox (kind, subject_id, address, facts) values
      ('provider_email_changed', provider, before.email, '{"to": "old"}'),
      ('provider_email_changed', provider, changed.email, '{"to": "new"}');
  end if;
  return 'changed';
end $$;

grant delete on waitlist_signups to vrss_runtime;

create index waitlist_signups_age on waitlist_signups (created_at);

-- As app.sweep (024) forgets what has had its time.
create function app.sweep_waitlist(after interval, most int) returns int language plpgsql as $$
declare
  swept int;
begin
  delete from public.waitlist_signups where id in (
    select s.id from public.waitlist_signups s where s.created_at <= clock_timestamp() - greatest(after, interval '1 year')
    order by s.created_at limit least(most, 1000) for update skip locked
  );
  get diagnostics swept = row_count;
  return swept;
end $$;

revoke all on function app.share_sessions, app.change_veteran_email, app.challenge_at_address, app.change_provider,
  app.sweep_waitlist from public;
grant execute on function app.share_sessions, app.change_veteran_email, app.challenge_at_address, app.change_provider,
  app.sweep_waitlist to vrss_runtime;
