-- A list costs what it shows, however long its history is: the lists below are read in the order of an index.

-- What is active among all that has ended, and each kind of document.
create index consent_grants_active on consent_grants (veteran_id, id) where status = 'active';
create index secure_links_active on secure_links (veteran_id, id) where status = 'active';
create index secure_links_ending on secure_links (veteran_id, expires_at) where status = 'active';
create index documents_released on documents (veteran_id, id) where kind = 'roi';
create index documents_uploads on documents (veteran_id, id) where kind = 'upload';

-- Entries that were not deleted, and each provider's notes.
create index self_reported_entries_shown on self_reported_entries (veteran_id, id) where deleted_at is null;
create index provider_notes_of_provider on provider_notes (veteran_id, provider_id, id);
-- Sessions that did not end, and those of one device.
create index veteran_sessions_open on veteran_sessions (veteran_id, id) where ended_at is null;
create index veteran_sessions_device on veteran_sessions (veteran_id, key_thumbprint, created_at)
  where device_name_ciphertext is not null;
-- A clinic's codes that work, and those that are old enough to be deleted.
create index provider_invitations_live on provider_invitations (provider_id, expires_at) where revoked_at is null;
create index provider_invitations_old on provider_invitations (provider_id, least(revoked_at, expires_at));

-- What a deletion looks for: the links of a document, and the document of a file.
create index secure_links_document on secure_links (veteran_id, document_id) where document_id is not null;
create index documents_file on documents (storage_key);
create index documents_recipient_file on documents (recipient_storage_key) where recipient_storage_key is not null;
create index documents_record_file on documents (record_storage_key) where record_storage_key is not null;

-- The account of disclosures by kind, by provider, and by what an event is about. A sealed event has keyed hashes of at most two
-- such subjects (migrations/030), and an erased one has none. The drainer writes these entries; an act itself writes only the last
-- one. Three ways to find 300,000 events by subject were measured, a page read in the order of the list:
--   GIN: 30 bytes an event, sealing takes 3.6 times the processor's time, and a page reads all events of its subject or more;
--   a table of subjects: 400 bytes, 4.4 times, a page reads the page;
--   these two: 240 bytes, 1.8 times, a page reads the page, and there is no other table to protect and to empty.
create index proofs_of_kind on proofs (veteran_id, kind, id) where leaf_ciphertext is not null;
create index proofs_of_provider on proofs (veteran_id, provider_hash, kind, id)
  where leaf_ciphertext is not null and provider_hash is not null;
create index proofs_about on proofs (veteran_id, substr(subject_hashes, 1, 16), kind, id)
  where octet_length(subject_hashes) >= 16;
create index proofs_about_second on proofs (veteran_id, substr(subject_hashes, 17, 16), kind, id)
  where octet_length(subject_hashes) >= 32;
-- Events that are not sealed yet, and those that the two indexes above do not know.
create index proofs_unsorted on proofs (veteran_id, id)
  where event is not null or leaf_ciphertext is not null and coalesce(octet_length(subject_hashes), 48) > 32;

-- Finds the stated veteran's newest sealed events of these kinds about all of these subjects, between two ids. It runs as the
-- owner, because no index of an expression is used beside a policy: the expression would see rows before the policy. Kind and id
-- are compared together, and the order is that of the index, so that no other one has it.
create function app.events_about(subjects bytea[], provider bytea, kinds text[], since uuid, before uuid, most int)
  returns setof uuid
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  veteran pg_catalog.uuid := app.actor_veteran();
  subject pg_catalog.bytea := subjects[1];
begin
  if app.actor() is distinct from 'veteran' then return; end if;
  return query
    select e.id from unnest(kinds) as k (kind) cross join lateral (
      (
        select p.id from public.proofs p
        where p.veteran_id = veteran and substr(p.subject_hashes, 1, 16) = subject
          and (p.kind, p.id) >= (k.kind, since) and (p.kind, p.id) < (k.kind, before)
          and octet_length(p.subject_hashes) >= 16
          and (provider is null or p.provider_hash = provider)
          and (select bool_and(position(s.hash in p.subject_hashes) > 0) from unnest(subjects) as s (hash))
        order by substr(p.subject_hashes, 1, 16) desc, p.kind desc, p.id desc limit most
      )
      union all
      (
        select p.id from public.proofs p
        where p.veteran_id = veteran and substr(p.subject_hashes, 17, 16) = subject
          and (p.kind, p.id) >= (k.kind, since) and (p.kind, p.id) < (k.kind, before)
          and octet_length(p.subject_hashes) >= 32
          and (provider is null or p.provider_hash = provider)
          and (select bool_and(position(s.hash in p.subject_hashes) > 0) from unnest(subjects) as s (hash))
        order by substr(p.subject_hashes, 17, 16) desc, p.kind desc, p.id desc limit most
      )
    ) e
    order by e.id desc limit most;
end $$;
revoke all on function app.events_about from public;
grant execute on function app.events_about to vrss_runtime;

-- As before, but that only releases are looked at, and not all documents.
do $$
declare
  step record;
  before text;
begin
  for step in
    select * from (values
      ('remove_document', 'where r.veteran_id = veteran and', 'where r.veteran_id = veteran and r.kind = ''roi'' and'),
      ('end_sharing', 'where d.veteran_id = veteran and app.in_force(d)',
        'where d.veteran_id = veteran and d.kind = ''roi'' and app.in_force(d)')
    ) as t (name, said, says)
  loop
    select pg_get_functiondef(p.oid) into strict before from pg_proc p
    where p.pronamespace = 'app'::regnamespace and p.proname = step.name;
    if position(step.said in before) = 0 then raise exception 'app.% is another', step.name; end if;
    execute replace(before, step.said, step.says);
  end loop;
end $$;
