-- A document is an upload of the veteran's, or a release of information (ROI) that the veteran signed.
create table documents (
  id uuid not null,
  veteran_id uuid not null references veterans,
  kind text not null check (kind in ('roi', 'upload')),
  -- The title is sealed: the name of a file may tell a diagnosis.
  title bytea not null,
  content_type text not null,
  byte_size bigint not null check (byte_size >= 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  storage_key text not null references stored_files,
  -- The file's own key, sealed: with the row goes the only way to read the file.
  file_key bytea not null,
  created_at timestamptz not null default now(),
  -- Only a signed release has the columns from here on: what was authorized, the recipient's copy, and the record that both
  -- copies carry. The file above is the veteran's copy.
  signed_at timestamptz,
  authorization_ciphertext bytea,
  authorization_sha256 bytea check (octet_length(authorization_sha256) = 32),
  ends_at timestamptz,
  released_documents uuid[],
  recipient_storage_key text references stored_files,
  recipient_file_key bytea,
  recipient_byte_size bigint,
  recipient_sha256 bytea check (octet_length(recipient_sha256) = 32),
  record_storage_key text references stored_files,
  record_file_key bytea,
  record_byte_size bigint,
  record_sha256 bytea check (octet_length(record_sha256) = 32),
  primary key (veteran_id, id),
  check (
    num_nulls(signed_at, authorization_ciphertext, authorization_sha256, ends_at, released_documents,
      recipient_storage_key, recipient_file_key, recipient_byte_size, recipient_sha256,
      record_storage_key, record_file_key, record_byte_size, record_sha256)
    = case kind when 'roi' then 0 else 13 end
  )
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
