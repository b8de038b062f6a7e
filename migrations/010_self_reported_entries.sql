create table self_reported_entries (
  id uuid not null,
  veteran_id uuid not null references veterans,
  category text not null check (category in ('symptom', 'medication', 'allergy', 'vital', 'note')),
  body_ciphertext bytea not null check (octet_length(body_ciphertext) > 30),
  occurred_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (veteran_id, id)
);

alter table self_reported_entries enable row level security;
alter table self_reported_entries force row level security;

create policy veteran_owns on self_reported_entries to vrss_runtime
  using ((select app.actor()) = 'veteran' and veteran_id = (select app.actor_veteran()));

create policy provider_reads_granted on self_reported_entries for select to vrss_runtime
  using (
    (select app.actor()) = 'provider'
    and veteran_id = (select app.actor_veteran())
    and deleted_at is null
    and exists (select from app.active_grants() g where g.include_self_reported)
  );

create policy backup_reads on self_reported_entries for select to vrss_backup using (true);

grant select, insert, update on self_reported_entries to vrss_runtime;
