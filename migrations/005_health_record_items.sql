-- A set of categories as a number.
create function app.category_set(categories text[]) returns smallint language sql immutable parallel safe
  return (('drug_abuse' = any (categories))::int + 2 * ('alcohol_abuse' = any (categories))::int
    + 4 * ('hiv' = any (categories))::int + 8 * ('sickle_cell' = any (categories))::int)::smallint;

revoke all on function app.category_set from public;
grant execute on function app.category_set to vrss_runtime;

-- veteran_id has no foreign key: a sync holds the veteran's row lock, and to check the key for each item again took a third of
-- the database's time.
create table health_record_items (
  id uuid not null,
  veteran_id uuid not null,
  resource_type text not null,
  fhir_id text not null,
  raw_ciphertext bytea not null check (octet_length(raw_ciphertext) > 30),
  content_mac bytea not null check (octet_length(content_mac) = 32),
  -- What the item's own content belongs to, and what it belongs to with all that it refers to: policies read the latter.
  own_categories text[] not null default '{}',
  sensitive_categories text[] not null
    check (sensitive_categories <@ array['drug_abuse', 'alcohol_abuse', 'hiv', 'sickle_cell']),
  -- An index on this leads past what is withheld. One on the categories would not: operators of arrays are not leakproof, so
  -- that a policy looks at each row before them. Nor would one that begins with the type, as the primary key does: where the
  -- planner knows little it takes that key.
  type_and_set text not null
    generated always as (resource_type || '/' || app.category_set(sensitive_categories)::text) stored,
  -- The first eight bytes of a keyed hash of each name that the item refers to. No row has the hash of its own name: who reads
  -- the database alone sees that two items refer to the same one, and not to which.
  refers_to bigint[] not null default '{}',
  active boolean not null default true,
  first_synced_at timestamptz not null default now(),
  synced_at timestamptz not null default now(),
  deactivated_at timestamptz,
  primary key (veteran_id, resource_type, fhir_id),
  check (active = (deactivated_at is null)),
  check (own_categories <@ sensitive_categories)
) with (fillfactor = 90);

-- Ciphertext does not compress.
alter table health_record_items alter column raw_ciphertext set storage external;

-- A reader whom a grant hides some sets from comes to the other ones without passing what is hidden.
create index health_record_items_visible on health_record_items (veteran_id, type_and_set, fhir_id) where active;
create index health_record_items_classified on health_record_items (veteran_id) where sensitive_categories <> '{}';

alter table health_record_items enable row level security;
alter table health_record_items force row level security;

create policy veteran_owns on health_record_items to vrss_runtime
  using ((select app.actor()) = 'veteran' and veteran_id = (select app.actor_veteran()));

create policy provider_reads_granted on health_record_items for select to vrss_runtime
  using (
    (select app.actor()) = 'provider'
    and veteran_id = (select app.actor_veteran())
    and active
    and exists (
      select from app.active_grants() g
      -- The columns are qualified, because a bare sensitive_categories would be the grant's own.
      where (g.resource_types is null or health_record_items.resource_type = any (g.resource_types))
        and health_record_items.sensitive_categories <@ g.sensitive_categories
    )
  );

create policy app_reads_granted on health_record_items for select to vrss_runtime
  using (
    (select app.actor()) = 'app'
    and veteran_id = (select app.actor_veteran())
    and active
    and exists (
      select from app.active_grants() g
      where (g.resource_types is null or health_record_items.resource_type = any (g.resource_types))
        and health_record_items.sensitive_categories <@ g.sensitive_categories
    )
  );

-- A release shows what its recipient may see. Its types and categories are stated beside the veteran.
create policy release_reads_accepted on health_record_items for select to vrss_runtime
  using (
    (select app.actor()) = 'release'
    and veteran_id = (select app.actor_veteran())
    and active
    and resource_type = any ((select app.released_types())::text[])
    and sensitive_categories <@ (select app.accepted_categories())
  );

create policy backup_reads on health_record_items for select to vrss_backup using (true);

grant select, insert, update on health_record_items to vrss_runtime;

-- How many active items there are of each type and set of categories, so that to count them takes as long whatever is withheld.
create table health_record_counts (
  veteran_id uuid not null,
  resource_type text not null,
  category_set smallint not null,
  items bigint not null,
  primary key (veteran_id, resource_type, category_set)
) with (fillfactor = 50);

alter table health_record_counts enable row level security;
alter table health_record_counts force row level security;

create policy veteran_owns on health_record_counts to vrss_runtime
  using ((select app.actor()) = 'veteran' and veteran_id = (select app.actor_veteran()));

create policy provider_reads_granted on health_record_counts for select to vrss_runtime
  using (
    (select app.actor()) = 'provider'
    and veteran_id = (select app.actor_veteran())
    and exists (
      select from app.active_grants() g
      where (g.resource_types is null or health_record_counts.resource_type = any (g.resource_types))
        and health_record_counts.category_set & ~app.category_set(g.sensitive_categories) = 0
    )
  );

create policy app_reads_granted on health_record_counts for select to vrss_runtime
  using (
    (select app.actor()) = 'app'
    and veteran_id = (select app.actor_veteran())
    and exists (
      select from app.active_grants() g
      where (g.resource_types is null or health_record_counts.resource_type = any (g.resource_types))
        and health_record_counts.category_set & ~app.category_set(g.sensitive_categories) = 0
    )
  );

create policy release_reads_accepted on health_record_counts for select to vrss_runtime
  using (
    (select app.actor()) = 'release'
    and veteran_id = (select app.actor_veteran())
    and resource_type = any ((select app.released_types())::text[])
    and category_set & ~app.category_set((select app.accepted_categories())) = 0
  );

create policy backup_reads on health_record_counts for select to vrss_backup using (true);

grant select, insert, update on health_record_counts to vrss_runtime;

-- Counts with the rights of whoever writes the items; nobody removes one.
create function app.count_items() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into public.health_record_counts as c
    select veteran_id, resource_type, app.category_set(sensitive_categories), count(*)
    from after where active group by 1, 2, 3
    on conflict (veteran_id, resource_type, category_set) do update set items = c.items + excluded.items;
  else
    insert into public.health_record_counts as c
    select veteran_id, resource_type, app.category_set(sensitive_categories), sum(change) from (
      select veteran_id, resource_type, sensitive_categories, 1 as change from after where active
      union all
      select veteran_id, resource_type, sensitive_categories, -1 from before where active
    ) changes
    group by 1, 2, 3 having sum(change) <> 0
    on conflict (veteran_id, resource_type, category_set) do update set items = c.items + excluded.items;
  end if;
  return null;
end $$;

revoke all on function app.count_items from public;

create trigger health_record_items_inserted after insert on health_record_items
  referencing new table as after for each statement execute function app.count_items();
create trigger health_record_items_updated after update on health_record_items
  referencing old table as before new table as after for each statement execute function app.count_items();
