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

-- When a release ended is the database's to say: its retention begins then.
grant select, insert (veteran_id, document_id, superseded_by) on roi_revocations to vrss_runtime;

-- Tells whether something may be released under a signed release now.
create function app.in_force(d documents) returns boolean language sql stable as $$
  select d.kind = 'roi' and d.ends_at > statement_timestamp() and not exists (
    select from public.roi_revocations r where r.veteran_id = d.veteran_id and r.document_id = d.id
  )
$$;
revoke all on function app.in_force from public;
grant execute on function app.in_force to vrss_runtime;

-- Says what became of a document, to which the veteran's end of it belongs where there is one. An upload has no status.
create function app.release_status(d documents, r roi_revocations) returns text language sql stable as $$
  select case when d.kind = 'upload' then null
    when r.superseded_by is not null then 'superseded'
    when r.revoked_at is not null then 'revoked'
    when d.ends_at <= statement_timestamp() then 'expired'
    else 'in_force' end
$$;
revoke all on function app.release_status from public;
grant execute on function app.release_status to vrss_runtime;

-- A release that a recipient was shown is kept for six years from its end (45 CFR 164.530(j)); a setting makes it longer.
create function app.may_forget(d documents) returns boolean language sql stable as $$
  select least(d.ends_at, (
    select r.revoked_at from public.roi_revocations r where r.veteran_id = d.veteran_id and r.document_id = d.id
  )) <= statement_timestamp() - interval '6 years'
$$;
revoke all on function app.may_forget from public;
grant execute on function app.may_forget to vrss_runtime;

-- The veteran deleted these releases, which a recipient was shown. They are there for nobody, and stay until they may be
-- forgotten.
create table kept_releases (
  veteran_id uuid not null,
  document_id uuid not null,
  deleted_at timestamptz not null default now(),
  primary key (veteran_id, document_id),
  foreign key (veteran_id, document_id) references documents on delete cascade
);

grant select, insert (veteran_id, document_id) on kept_releases to vrss_runtime;

-- Every document is read under this, so that it asks one question: the retention sees what is kept, others see the rest. A
-- verification sees both. No policy shows it anything but the owner's own, who may be a member of vrss_runtime.
create policy kept_are_hidden on documents as restrictive to vrss_runtime
  using (
    (select app.actor()) = 'verification' or ((select app.actor()) = 'retention') = exists (
      select from kept_releases k where k.veteran_id = documents.veteran_id and k.document_id = documents.id
    )
  );

-- What may not be forgotten yet stays by the trigger below.
create policy retention_forgets on documents to vrss_runtime
  using ((select app.actor()) = 'retention') with check (false);

create function app.keep_signed() returns trigger language plpgsql as $$
declare
  resealed public.documents := old;
begin
  if tg_op = 'UPDATE' then
    -- A rotation of keys seals what was signed under another key, and changes nothing else.
    resealed.title := new.title;
    resealed.file_key := new.file_key;
    resealed.authorization_ciphertext := new.authorization_ciphertext;
    resealed.recipient_file_key := new.recipient_file_key;
    resealed.record_file_key := new.record_file_key;
    if current_user = 'vrss_rotation' and resealed is not distinct from new then return new; end if;
    raise exception 'a signed document does not change' using errcode = 'integrity_constraint_violation';
  end if;
  if app.in_force(old) then
    raise exception 'a release in force is not deleted' using errcode = 'integrity_constraint_violation';
  end if;
  -- A view that is about to be the first holds its link.
  perform from public.secure_links l where l.veteran_id = old.veteran_id and l.document_id = old.id for no key update;
  if not app.may_forget(old) and exists (
    select from public.secure_links l
    where l.veteran_id = old.veteran_id and l.document_id = old.id and l.viewed_at is not null
  ) then
    raise exception 'a release that a recipient was shown is not deleted' using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end $$;
revoke all on function app.keep_signed from public;

create trigger signed_documents_stay before update or delete on documents
  for each row when (old.signed_at is not null) execute function app.keep_signed();

-- An id that names no release, and one whose copies have another SHA-256, are looked for in vain by the same steps, which lead
-- to no row. The hash stands first, so that an id alone finds nothing here.
create index documents_own_copy on documents (sha256, id) where kind = 'roi';
create index documents_recipients_copy on documents (recipient_sha256, id) where kind = 'roi';

-- Forced row-level security holds for the owner too, as whom the function below runs. It states this actor for as long.
create policy verification_reads on documents for select to current_role
  using ((select app.actor()) = 'verification' and kind = 'roi');

-- Tells who holds a copy of a release what became of it. No row: no release has such a copy. One that its veteran deleted and
-- that is kept all the same is no less genuine.
create function app.verify_release(document uuid, digest bytea)
  returns table (copy text, status text, signed_at timestamptz, ends_at timestamptz)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  d public.documents;
  r public.roi_revocations;
  stated pg_catalog.text := app.actor();
begin
  perform set_config('app.actor', 'verification', true);
  copy := 'veteran';
  select * into d from public.documents o where o.id = document and o.sha256 = digest and o.kind = 'roi';
  if not found then
    copy := 'recipient';
    select * into d from public.documents o where o.id = document and o.recipient_sha256 = digest and o.kind = 'roi';
  end if;
  perform set_config('app.actor', stated, true);
  if d.id is null then return; end if;
  select * into r from public.roi_revocations o where o.veteran_id = d.veteran_id and o.document_id = d.id;
  status := app.release_status(d, r);
  signed_at := d.signed_at;
  ends_at := d.ends_at;
  return next;
end $$;
revoke all on function app.verify_release from public;
grant execute on function app.verify_release to vrss_runtime;
