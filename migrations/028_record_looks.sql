-- When each provider looked at each record, so that the provider is told what changed since then.

create table record_looks (
  veteran_id uuid not null references veterans,
  provider_id uuid not null references providers,
  looked_at timestamptz not null,
  -- The time of the newest sync that the look saw. A sync that was not finished at the look began before it, and what it
  -- stored is still new to the provider: the look's own time would hide it.
  seen_until timestamptz not null,
  -- The same two of the look before.
  looked_before_at timestamptz,
  seen_before_until timestamptz,
  primary key (veteran_id, provider_id),
  check ((looked_before_at is null) = (seen_before_until is null))
) with (fillfactor = 70);

alter table record_looks enable row level security;
alter table record_looks force row level security;

create policy provider_reads_own on record_looks for select to vrss_runtime
  using (
    (select app.actor()) = 'provider'
    and veteran_id = (select app.actor_veteran())
    and provider_id = (select app.actor_provider())
    and exists (select from app.active_grants())
  );

-- Forced row-level security holds for the owner too, as whom note_look runs.
create policy functions_keep on record_looks to current_role using (true) with check (true);

create policy backup_reads on record_looks for select to vrss_backup using (true);

grant select on record_looks to vrss_runtime;

-- The stated provider is shown the stated veteran's record. A view that is read twice, because a sync ended meanwhile, is
-- one look: it states the same moment again.
create function app.note_look(at timestamptz, seen timestamptz) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.record_looks as l (veteran_id, provider_id, looked_at, seen_until)
  values (app.actor_veteran(), app.actor_provider(), at, seen)
  on conflict (veteran_id, provider_id) do update
  set looked_at = at,
    seen_until = seen,
    looked_before_at = case when l.looked_at < at then l.looked_at else l.looked_before_at end,
    seen_before_until = case when l.looked_at < at then l.seen_until else l.seen_before_until end
  where l.looked_at <= at;
end $$;

-- Leads to what changed in each set that a reader may see, past what is withheld. All items of one sync have the same time,
-- so that their entries share a key and take a few bytes each.
create index health_record_items_changed on health_record_items (veteran_id, type_and_set, synced_at) where active;

-- What a provider's list says of each veteran: the types that their grants cover (null: every type), when they looked, if
-- anything that they may see changed since, and the one Patient that they may see. It states one veteran after the other
-- and reads with the caller's rights, so that row-level security decides each row. It stops after `bytes` of Patients.
create function app.listed_patients(veterans uuid[], bytes bigint)
  returns table (veteran_id uuid, resource_types text[], looked_at timestamptz, changed boolean, fhir_id text,
    raw_ciphertext bytea)
  language plpgsql as $$
declare
  stated text := current_setting('app.veteran_id', true);
  room bigint := bytes;
  veteran uuid;
begin
  foreach veteran in array veterans loop
    exit when room <= 0;
    perform set_config('app.veteran_id', veteran::text, true);
    veteran_id := veteran;

    select case when not coalesce(bool_or(g.resource_types is null), false)
      then coalesce(array_agg(distinct covered) filter (where covered is not null), '{}') end
    into resource_types
    from app.active_grants() g left join lateral unnest(g.resource_types) covered on true;

    -- The limit keeps the planner from joining all items of the record, withheld ones too.
    select l.looked_at, exists (
      select from public.health_record_counts c cross join lateral (
        select from public.health_record_items i
        where i.veteran_id = veteran and i.type_and_set = c.resource_type || '/' || c.category_set::text and i.active
          and i.synced_at > l.seen_until
        limit 1
      ) newer
      where c.veteran_id = veteran and c.items > 0
    )
    into looked_at, changed
    from public.record_looks l where l.veteran_id = veteran and l.provider_id = app.actor_provider();

    select i.fhir_id, i.raw_ciphertext into fhir_id, raw_ciphertext
    from (
      select min(c.category_set) as category_set from public.health_record_counts c
      where c.veteran_id = veteran and c.resource_type = 'Patient' and c.items > 0
      having sum(c.items) = 1
    ) one cross join lateral (
      select i.fhir_id, i.raw_ciphertext from public.health_record_items i
      where i.veteran_id = veteran and i.type_and_set = 'Patient/' || one.category_set::text and i.active
      limit 1
    ) i;

    room := room - coalesce(octet_length(raw_ciphertext), 0);
    return next;
  end loop;
  perform set_config('app.veteran_id', stated, true);
end $$;

revoke all on function app.note_look, app.listed_patients from public;
grant execute on function app.note_look, app.listed_patients to vrss_runtime;
