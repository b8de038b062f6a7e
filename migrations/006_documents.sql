create table documents (
  id uuid not null,
  veteran_id uuid not null references veterans,
  kind text not null check (kind in ('roi', 'upload')),
  title text not null,
  content_type text not null,
  byte_size bigint not null check (byte_size >= 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  storage_key text not null,
  signed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (veteran_id, id)
);

alter table documents enable row level security;
alter table documents force row level security;

create policy veteran_owns on documents to vrss_runtime
  using ((select app.actor()) = 'veteran' and veteran_id = (select app.actor_veteran()));

-- A signed release names another recipient; a grant covers what the veteran uploaded.
create policy provider_reads_granted on documents for select to vrss_runtime
  using (
    (select app.actor()) = 'provider'
    and veteran_id = (select app.actor_veteran())
    and kind = 'upload'
    and exists (select from app.active_grants() g where g.include_documents)
  );

create policy backup_reads on documents for select to vrss_backup using (true);

grant select, insert, delete on documents to vrss_runtime;
