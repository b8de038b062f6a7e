create table provider_notes (
  id uuid not null,
  veteran_id uuid not null references veterans,
  provider_id uuid not null references providers,
  body_ciphertext bytea not null check (octet_length(body_ciphertext) > 30),
  created_at timestamptz not null default now(),
  primary key (veteran_id, id)
);

alter table provider_notes enable row level security;
alter table provider_notes force row level security;

create policy veteran_reads on provider_notes for select to vrss_runtime
  using ((select app.actor()) = 'veteran' and veteran_id = (select app.actor_veteran()));

create policy provider_reads_own on provider_notes for select to vrss_runtime
  using (
    (select app.actor()) = 'provider'
    and veteran_id = (select app.actor_veteran())
    and provider_id = (select app.actor_provider())
    and exists (select from app.active_grants())
  );

create policy provider_writes_own on provider_notes for insert to vrss_runtime
  with check (
    (select app.actor()) = 'provider'
    and veteran_id = (select app.actor_veteran())
    and provider_id = (select app.actor_provider())
    and exists (select from app.active_grants())
  );

create policy backup_reads on provider_notes for select to vrss_backup using (true);

grant select, insert on provider_notes to vrss_runtime;
