-- Strangers who ask for codes with a veteran's address use up a limit of their own. It does not hold for networks where
-- that veteran entered a right code before. The functions of 023 stay: those below call them, and so does the release
-- before.

-- `network` is a hash of the veteran and of the keyed hash of the network: it names neither, and links no two veterans.
create table veteran_networks (
  veteran_id uuid not null,
  network bytea not null check (octet_length(network) = 32),
  seen_at timestamptz not null default clock_timestamp(),
  primary key (veteran_id, network)
);

create index veteran_networks_age on veteran_networks (seen_at);

create function app.network_of(veteran uuid, from_network bytea) returns bytea language sql immutable as $$
  select sha256(uuid_send(veteran) || from_network)
$$;

-- Makes a challenge as app.challenge_request does, within the limit of the address and this network. All networks that
-- are new to the veteran have a limit together. Both count whether or not the address is known.
create function app.challenge_from_network(request bytea, cookie bytea, veteran uuid, code bytea, resend_after int,
    from_network bytea, known_for interval, network_key bytea, codes_per_network int, address_key bytea,
    codes_per_address int)
  returns table (status text, wait double precision)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  is_known pg_catalog.bool := exists (
    select from public.veteran_networks n
    where n.veteran_id = veteran and n.network = app.network_of(veteran, from_network)
      and n.seen_at > clock_timestamp() - known_for
  );
  spent pg_catalog.record;
begin
  -- What is refused leaves no trace: the exception takes the challenge back.
  begin
    select step.status, step.wait into status, wait
    from app.challenge_request(request, cookie, veteran, code, resend_after, network_key, codes_per_network) as step;
    if status = 'active' then
      -- Who is known spends nothing, and takes the same turn.
      select * into spent
      from app.spend_permits(address_key, codes_per_address, 3600, case when is_known then 0 else 1 end);
      if spent.granted = 0 and not is_known then
        raise exception 'no codes left for this address' using errcode = 'VR429';
      end if;
    end if;
  exception when sqlstate 'VR429' then
    status := 'limited';
    wait := spent.retry_after;
  end;
  return next;
end $$;

-- Tries a code as app.try_request_code does. The right one makes the network known, as one of the veteran's newest.
create function app.try_code_from_network(request bytea, cookie bytea, code bytea, expires_in int,
    tries_per_request int, from_network bytea, networks_per_veteran int)
  returns table (status text, attempts_left int)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  proved pg_catalog.uuid;
begin
  select step.status, step.attempts_left, step.veteran_id into status, attempts_left, proved
  from app.try_request_code(request, cookie, code, expires_in, tries_per_request) as step;
  if status = 'right' then
    insert into public.veteran_networks (veteran_id, network)
    values (proved, app.network_of(proved, from_network))
    on conflict (veteran_id, network) do update set seen_at = excluded.seen_at;
    delete from public.veteran_networks n where n.veteran_id = proved and n.network in (
      select older.network from public.veteran_networks older where older.veteran_id = proved
      order by older.seen_at desc offset networks_per_veteran for update skip locked
    );
  end if;
  return next;
end $$;

-- As app.sweep (024) forgets what has had its time.
create function app.sweep_veteran_networks(after interval, most int) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  before pg_catalog.timestamptz := clock_timestamp() - greatest(after, interval '90 days');
  swept pg_catalog.int4;
begin
  delete from public.veteran_networks where (veteran_id, network) in (
    select n.veteran_id, n.network from public.veteran_networks n where n.seen_at <= before
    order by n.seen_at limit least(most, 1000) for update skip locked
  );
  get diagnostics swept = row_count;
  return swept;
end $$;

revoke all on function app.network_of, app.challenge_from_network, app.try_code_from_network,
  app.sweep_veteran_networks from public;
grant execute on function app.challenge_from_network, app.try_code_from_network, app.sweep_veteran_networks
  to vrss_runtime;
