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

-- The stated provider is shown the stated veteran's record. Looks less than 30 minutes apart are one sitting: a page that
-- is loaded again keeps what it told as new. The first look of all is the exception, because nothing came before it.
create function app.note_look(at timestamptz, seen timestamptz) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.record_looks as l (veteran_id, provider_id, looked_at, seen_until)
  values (app.actor_veteran(), app.actor_provider(), at, seen)
  on conflict (veteran_id, provider_id) do update
  set (looked_at, seen_until, looked_before_at, seen_before_until) = (
    select at, seen, case when is_next then l.looked_at else l.looked_before_at end,
      case when is_next then l.seen_until else l.seen_before_until end
    from (
      select l.looked_at < at - interval '30 minutes' or (l.looked_before_at is null and l.looked_at < at) as is_next
    ) sitting
  )
  where l.looked_at <= at;
end $$;

-- Leads to what changed in each set that a reader may see, past what is withheld. All items of one sync have the same time,
-- so that their entries share a key and take a few bytes each. The predicate says active in words that only the
-- statement below uses: the planner took this small index for other reads too, and they then passed withheld items.
create index health_record_items_changed on health_record_items (veteran_id, type_and_set, synced_at)
  where deactivated_at is null;

-- Lead the list below to what the veteran wrote or uploaded since a moment.
create index self_reported_entries_changed on self_reported_entries (veteran_id, updated_at);
create index documents_uploaded on documents (veteran_id, created_at) where kind = 'upload';

-- What a provider's list says of each veteran: the types that their grants cover (null: every type), when they looked, if
-- anything that they may see changed since, and the one Patient that they may see. It states one veteran after the other
-- and reads with the caller's rights, so that row-level security decides each row. It stops after `bytes` of Patients,
-- and leaves out a Patient of more than `largest` bytes, without reading it.
create function app.listed_patients(veterans uuid[], bytes bigint, largest int)
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
        where i.veteran_id = veteran and i.type_and_set = c.resource_type || '/' || c.category_set::text
          and i.deactivated_at is null and i.synced_at > l.seen_until
        limit 1
      ) newer
      where c.veteran_id = veteran and c.items > 0
    ) or exists (
      select from public.self_reported_entries e where e.veteran_id = veteran and e.updated_at > l.looked_at
    ) or exists (
      select from public.documents d where d.veteran_id = veteran and d.kind = 'upload' and d.created_at > l.looked_at
    )
    into looked_at, changed
    from public.record_looks l where l.veteran_id = veteran and l.provider_id = app.actor_provider();

    select i.fhir_id, i.raw_ciphertext into fhir_id, raw_ciphertext
    from (
      select min(c.category_set) as category_set from public.health_record_counts c
      where c.veteran_id = veteran and c.resource_type = 'Patient' and c.items > 0
      having sum(c.items) = 1
    ) one cross join lateral (
      select i.fhir_id, case when octet_length(i.raw_ciphertext) <= largest then i.raw_ciphertext end as raw_ciphertext
      from public.health_record_items i
      where i.veteran_id = veteran and i.type_and_set = 'Patient/' || one.category_set::text and i.active
      limit 1
    ) i;

    room := room - coalesce(octet_length(raw_ciphertext), 0);
    return next;
  end loop;
  perform set_config('app.veteran_id', stated, true);
end $$;

alter table proofs drop constraint proofs_kind_check, add constraint proofs_kind_check
  check (kind in ('sync_stored', 'grant_given', 'grant_revoked', 'record_viewed', 'record_saved', 'note_written',
    'document_stored', 'document_read', 'roi_signed', 'link_created', 'link_opened', 'link_code_sent',
    'link_code_failed', 'link_viewed', 'link_revoked', 'oauth_access_granted', 'oauth_access_denied',
    'oauth_token_refreshed', 'oauth_access_used', 'oauth_access_revoked', 'oauth_code_replayed',
    'oauth_refresh_replayed'));

-- The stated provider saves a copy of the stated veteran's record. `types` counts the items that the grants show.
create function app.prove_saving(saved_under uuid, types jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if app.is_new_this_minute(app.actor_veteran(), 'record_saved', saved_under) then
    perform app.write_proof(app.actor_veteran(), 'record_saved', 'provider', app.actor_provider(),
      jsonb_build_object('grantId', saved_under, 'resourceTypes', types));
  end if;
end $$;

revoke all on function app.note_look, app.listed_patients, app.prove_saving from public;
grant execute on function app.note_look, app.listed_patients, app.prove_saving to vrss_runtime;
