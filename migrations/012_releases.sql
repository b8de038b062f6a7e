-- A signed release of information (ROI): the document is the veteran's copy, the columns here are what was authorized
-- and the recipient's copy. None of it changes once signed; how it ends is a row of its own.
alter table documents no force row level security;
alter table documents
  add column authorization_ciphertext bytea,
  add column authorization_sha256 bytea check (octet_length(authorization_sha256) = 32),
  add column ends_at timestamptz,
  add column released_documents uuid[],
  add column recipient_storage_key text references stored_files,
  add column recipient_file_key bytea,
  add column recipient_byte_size bigint,
  add column recipient_sha256 bytea check (octet_length(recipient_sha256) = 32),
  add check (
    num_nulls(signed_at, authorization_ciphertext, authorization_sha256, ends_at, released_documents,
      recipient_storage_key, recipient_file_key, recipient_byte_size, recipient_sha256)
    = case kind when 'roi' then 0 else 9 end
  );
alter table documents force row level security;

create table roi_revocations (
  veteran_id uuid not null,
  document_id uuid not null,
  revoked_at timestamptz not null default now(),
  -- The release that replaces it; null when the veteran revoked it.
  superseded_by uuid,
  primary key (veteran_id, document_id),
  foreign key (veteran_id, document_id) references documents on delete cascade
);

grant select, insert on roi_revocations to vrss_runtime;

-- Whether something may be released under a signed release, now.
create function app.in_force(d documents) returns boolean language sql stable as $$
  select d.kind = 'roi' and d.ends_at > statement_timestamp() and not exists (
    select from public.roi_revocations r where r.veteran_id = d.veteran_id and r.document_id = d.id
  )
$$;
revoke all on function app.in_force from public;
grant execute on function app.in_force to vrss_runtime;

create function app.keep_signed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    raise exception 'a signed document does not change' using errcode = 'integrity_constraint_violation';
  end if;
  if app.in_force(old) then
    raise exception 'a release in force is not deleted' using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end $$;
revoke all on function app.keep_signed from public;

create trigger signed_documents_stay before update or delete on documents
  for each row when (old.signed_at is not null) execute function app.keep_signed();
