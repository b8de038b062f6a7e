-- A row here is the end of a signed release of information (ROI), since nothing that was signed changes.
create table roi_revocations (
  veteran_id uuid not null,
  document_id uuid not null,
  revoked_at timestamptz not null default now(),
  -- Names the release that replaces it, and is null when the veteran revoked it.
  superseded_by uuid,
  primary key (veteran_id, document_id),
  foreign key (veteran_id, document_id) references documents on delete cascade
);

grant select, insert on roi_revocations to vrss_runtime;

-- Tells whether something may be released under a signed release now.
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
