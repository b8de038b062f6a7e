-- veteran_id has no foreign key: a sync holds the veteran's row lock, and to check the key for each item again took a third of
-- the database's time.
create table health_record_items (
  id uuid not null,
  veteran_id uuid not null,
  resource_type text not null,
  fhir_id text not null,
  raw_ciphertext bytea not null check (octet_length(raw_ciphertext) > 30),
  content_mac bytea not null check (octet_length(content_mac) = 32),
  sensitive_categories text[] not null,
  active boolean not null default true,
  first_synced_at timestamptz not null default now(),
  synced_at timestamptz not null default now(),
  deactivated_at timestamptz,
  primary key (veteran_id, resource_type, fhir_id),
  check (active = (deactivated_at is null))
) with (fillfactor = 90);

-- Ciphertext does not compress.
alter table health_record_items alter column raw_ciphertext set storage external;

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

create policy backup_reads on health_record_items for select to vrss_backup using (true);

grant select, insert, update on health_record_items to vrss_runtime;
