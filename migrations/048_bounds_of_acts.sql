-- Acts that can be undone are counted by the day: what each of them mails, and leaves in the account of disclosures, has a bound.

-- Spends a permit in the transaction of the act that it counts, so that an act that fails costs nothing. Spending alone does not
-- wait for the disk (012), the act does.
create function app.count_act(for_key bytea, allowed integer, span double precision)
  returns table (granted integer, retry_after double precision, moment timestamptz)
  language sql set synchronous_commit = on as $$
    select * from app.spend_permits(for_key, allowed, span, 1)
  $$;

-- Whether a session is the only one of its device's key. Then the device was new when it began, and the veteran is mailed (041).
create function app.is_of_new_device(veteran uuid, session uuid) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return not exists (
    select from public.veteran_sessions s join public.veteran_sessions other
      on other.veteran_id = s.veteran_id and other.key_thumbprint = s.key_thumbprint and other.id <> s.id
    where s.veteran_id = veteran and s.id = session
  );
end $$;

-- The name under which acts of this session are counted, if a device or passkey began it that is known for a day. Null for all
-- others, which share the veteran's count. So a thief of the account at the VA spends nothing of what the veteran had before. A
-- device is named by its place among those that are known longest. A later one gets no earlier place, and the places are few. Only
-- the oldest 1,000 sessions of 90 days are looked at. By a bitmap, PostgreSQL would read all of them and sort.
create function app.known_way_in(veteran uuid, session uuid, passkey uuid, most_devices int) returns text
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_bitmapscan = off as $$
declare
  a_day_ago pg_catalog.timestamptz := clock_timestamp() - interval '1 day';
  place pg_catalog.int8;
begin
  select known.place into place from (
    select s.key_thumbprint, row_number() over (order by min(s.created_at), s.key_thumbprint) as place from (
      select k.key_thumbprint, k.created_at from public.veteran_sessions k
      where k.veteran_id = veteran order by k.veteran_id, k.id limit 1000
    ) s group by s.key_thumbprint having min(s.created_at) <= a_day_ago
  ) known join public.veteran_sessions s using (key_thumbprint)
  where s.veteran_id = veteran and s.id = session and known.place <= most_devices;
  return case
    when place is not null then veteran || ' device ' || place
    when exists (
      select from public.veteran_passkeys p where p.veteran_id = veteran and p.id = passkey and p.created_at <= a_day_ago
    ) then veteran || ' passkey ' || passkey
  end;
end $$;

-- As before (037), but that it says whether the deletion is new. One that was asked for before costs nothing again.
drop function app.ask_own_deletion;
create function app.ask_own_deletion(typed text, idle int, confirmed_seconds int)
  returns table (status text, ends_at timestamptz, is_new boolean)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  veteran pg_catalog.uuid := case when app.actor() = 'veteran' then app.actor_veteran() end;
begin
  if veteran is null or app.actor_session() is null
    or not app.is_confirmed(veteran, app.actor_session(), idle, confirmed_seconds)
  then
    status := 'unconfirmed';
  else
    perform app.take_sharing_turn(veteran);
    perform from public.veterans v where v.id = veteran and v.deleted_at is null and v.call_sign = typed;
    status := case when found then 'asked' else 'wrong' end;
    if status = 'asked' then
      is_new := not exists (select from public.veteran_deletions d where d.veteran_id = veteran);
      ends_at := app.note_deletion(veteran, true);
    end if;
  end if;
  return next;
end $$;

-- To whom a link goes, as a keyed hash of the veteran and the address in lower case. Null for links that are older than this.
alter table secure_links add column recipient_hash bytea check (octet_length(recipient_hash) = 32);
create index secure_links_recipient on secure_links (veteran_id, recipient_hash);
grant insert (recipient_hash) on secure_links to vrss_runtime;

revoke all on function app.count_act, app.is_of_new_device, app.known_way_in, app.ask_own_deletion from public;
grant execute on function app.count_act, app.is_of_new_device, app.known_way_in, app.ask_own_deletion to vrss_runtime;
