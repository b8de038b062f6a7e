-- How many bytes an item counts: its envelope, what it refers to, and 640 for the rest of its row and its entries in indexes,
-- so that millions of tiny items are bounded too. Measured are 420 for short ids and 625 for those of 64 characters.
create function app.item_bytes(raw_ciphertext bytea, refers_to bigint[]) returns bigint language sql immutable
  return octet_length(raw_ciphertext) + 8 * cardinality(refers_to) + 640;

revoke all on function app.item_bytes from public;

-- What the items of each veteran take. It is apart from storage_used: a sync holds its row for as long as it runs, and nobody
-- who uploads or writes a note meanwhile waits for that. Only the trigger writes it, as the owner.
create table health_record_sizes (
  veteran_id uuid primary key,
  active_bytes bigint not null,
  inactive_bytes bigint not null
) with (fillfactor = 50);

grant select on health_record_sizes to vrss_runtime;

-- Updates that change no size, as those of categories, write nothing.
create function app.size_items() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into public.health_record_sizes as s
    select veteran_id, coalesce(sum(bytes) filter (where active), 0), coalesce(sum(bytes) filter (where not active), 0)
    from (select veteran_id, active, app.item_bytes(raw_ciphertext, refers_to) as bytes from after) items
    group by veteran_id
    on conflict (veteran_id) do update
    set active_bytes = s.active_bytes + excluded.active_bytes, inactive_bytes = s.inactive_bytes + excluded.inactive_bytes;
  elsif tg_op = 'UPDATE' then
    insert into public.health_record_sizes as s
    select * from (
      select veteran_id, coalesce(sum(bytes) filter (where active), 0) as active_bytes,
        coalesce(sum(bytes) filter (where not active), 0) as inactive_bytes
      from (
        select veteran_id, active, app.item_bytes(raw_ciphertext, refers_to) as bytes from after
        union all
        select veteran_id, active, -app.item_bytes(raw_ciphertext, refers_to) from before
      ) items
      group by veteran_id
    ) changes
    where active_bytes <> 0 or inactive_bytes <> 0
    on conflict (veteran_id) do update
    set active_bytes = s.active_bytes + excluded.active_bytes, inactive_bytes = s.inactive_bytes + excluded.inactive_bytes;
  else
    update public.health_record_sizes s
    set active_bytes = s.active_bytes - removed.active_bytes, inactive_bytes = s.inactive_bytes - removed.inactive_bytes
    from (
      select veteran_id, coalesce(sum(bytes) filter (where active), 0) as active_bytes,
        coalesce(sum(bytes) filter (where not active), 0) as inactive_bytes
      from (select veteran_id, active, app.item_bytes(raw_ciphertext, refers_to) as bytes from before) items
      group by veteran_id
    ) removed
    where s.veteran_id = removed.veteran_id;
  end if;
  return null;
end $$;

create trigger health_record_items_inserted_size after insert on health_record_items
  referencing new table as after for each statement execute function app.size_items();
create trigger health_record_items_updated_size after update on health_record_items
  referencing old table as before new table as after for each statement execute function app.size_items();
create trigger health_record_items_deleted_size after delete on health_record_items
  referencing old table as before for each statement execute function app.size_items();

-- Forced row-level security would show the owner none of what is there.
alter table health_record_items no force row level security;
insert into health_record_sizes
select veteran_id, coalesce(sum(bytes) filter (where active), 0), coalesce(sum(bytes) filter (where not active), 0)
from (select veteran_id, active, app.item_bytes(raw_ciphertext, refers_to) as bytes from health_record_items) items
group by veteran_id;
alter table health_record_items force row level security;

-- What stays of a classified item that was removed: its name and categories, as whatever refers to it is protected as before
-- (38 U.S.C. 7332; src/services/record/ReferredCategories.ts). An item that is there again under that name counts instead.
create table health_record_tombstones (
  veteran_id uuid not null,
  resource_type text not null,
  fhir_id text not null,
  sensitive_categories text[] not null,
  removed_at timestamptz not null default clock_timestamp(),
  primary key (veteran_id, resource_type, fhir_id)
);

alter table health_record_tombstones enable row level security;
alter table health_record_tombstones force row level security;

create policy veteran_reads on health_record_tombstones for select to vrss_runtime
  using ((select app.actor()) = 'veteran' and veteran_id = (select app.actor_veteran()));

create policy functions_keep on health_record_tombstones to current_role using (true) with check (true);

create policy backup_reads on health_record_tombstones for select to vrss_backup using (true);

grant select on health_record_tombstones to vrss_runtime;

-- The newest 10,000 of a veteran stay, so that these are bounded too.
create function app.keep_tombstones() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from public.health_record_tombstones where (veteran_id, resource_type, fhir_id) in (
    select veteran_id, resource_type, fhir_id from before
  );
  insert into public.health_record_tombstones (veteran_id, resource_type, fhir_id, sensitive_categories)
  select veteran_id, resource_type, fhir_id, sensitive_categories from (
    select * from before where sensitive_categories <> '{}' order by deactivated_at desc limit 10000
  ) newest order by deactivated_at;
  if found then
    delete from public.health_record_tombstones where (veteran_id, resource_type, fhir_id) in (
      select veteran_id, resource_type, fhir_id from (
        select veteran_id, resource_type, fhir_id,
          row_number() over (partition by veteran_id order by removed_at desc) as place
        from public.health_record_tombstones where veteran_id in (select veteran_id from before)
      ) t where place > 10000
    );
  end if;
  return null;
end $$;

create trigger health_record_items_deleted_tombstones after delete on health_record_items
  referencing old table as before for each statement execute function app.keep_tombstones();

-- Only the functions below remove items, and only inactive ones: the counts know of those that are active alone.
create policy functions_remove on health_record_items to current_role using (not active);

-- Removes items of the veteran who acts, the longest inactive first, until these bytes are free or none is inactive.
create function app.make_room(bytes bigint) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  veteran pg_catalog.uuid := case when app.actor() = 'veteran' then app.actor_veteran() end;
  removed pg_catalog.int4;
begin
  delete from public.health_record_items where veteran_id = veteran and not active and (resource_type, fhir_id) in (
    select resource_type, fhir_id from (
      select resource_type, fhir_id, sum(size) over (order by deactivated_at, resource_type, fhir_id) - size as freed
      from (
        select resource_type, fhir_id, deactivated_at, app.item_bytes(raw_ciphertext, refers_to) as size
        from public.health_record_items where veteran_id = veteran and not active
      ) inactive
    ) longest where freed < bytes
  );
  get diagnostics removed = row_count;
  return removed;
end $$;

-- The predicate is one that only the sweep's statement implies: to others this index would show the rows of all veterans.
create index health_record_items_inactive on health_record_items (deactivated_at) where deactivated_at is not null;

-- Removes what became inactive so long ago, as app.sweep removes other rows. It holds the lock of each veteran: a sync that runs
-- knows what was stored when it began. Who synchronises is swept the next time.
create function app.sweep_inactive_items(after interval, most int) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  before pg_catalog.timestamptz := clock_timestamp() - greatest(after, '1 day');
  bound pg_catalog.int4 := least(most, 1000);
  locked pg_catalog.uuid[];
  swept pg_catalog.int4;
begin
  locked := array(
    select id from public.veterans where id in (
      select veteran_id from public.health_record_items where deactivated_at <= before
      order by deactivated_at limit 20 * bound
    ) for no key update skip locked
  );
  delete from public.health_record_items where not active and (veteran_id, resource_type, fhir_id) in (
    select veteran_id, resource_type, fhir_id from public.health_record_items
    where deactivated_at <= before and veteran_id = any (locked) order by deactivated_at limit bound
  );
  get diagnostics swept = row_count;
  return swept;
end $$;

revoke all on function app.size_items, app.keep_tombstones, app.make_room, app.sweep_inactive_items from public;
grant execute on function app.make_room, app.sweep_inactive_items to vrss_runtime;
