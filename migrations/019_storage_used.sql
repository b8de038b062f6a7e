-- What each veteran has stored is counted as it is written, so that a limit is one row to look at. Only triggers count, as the
-- owner. The row is locked until the transaction ends: of those who write at once each sees what the others wrote.
create table storage_used (
  veteran_id uuid primary key references veterans,
  upload_bytes bigint not null default 0,
  -- Of all three files of each release, those that are kept out of sight included.
  release_bytes bigint not null default 0,
  entries int not null default 0,
  -- These were deleted and are still there.
  deleted_entries int not null default 0,
  notes int not null default 0
);

grant select on storage_used to vrss_runtime;

create function app.count_upload() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.storage_used as used (veteran_id, upload_bytes)
  values (coalesce(new.veteran_id, old.veteran_id), coalesce(new.byte_size, -old.byte_size))
  on conflict (veteran_id) do update set upload_bytes = used.upload_bytes + excluded.upload_bytes;
  return null;
end $$;

create trigger uploads_are_counted after insert on documents
  for each row when (new.kind = 'upload') execute function app.count_upload();

create trigger deleted_uploads_are_counted after delete on documents
  for each row when (old.kind = 'upload') execute function app.count_upload();

create function app.count_release() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.storage_used as used (veteran_id, release_bytes)
  values (coalesce(new.veteran_id, old.veteran_id), coalesce(
    new.byte_size + new.recipient_byte_size + new.record_byte_size,
    -old.byte_size - old.recipient_byte_size - old.record_byte_size
  ))
  on conflict (veteran_id) do update set release_bytes = used.release_bytes + excluded.release_bytes;
  return null;
end $$;

create trigger releases_are_counted after insert on documents
  for each row when (new.kind = 'roi') execute function app.count_release();

create trigger deleted_releases_are_counted after delete on documents
  for each row when (old.kind = 'roi') execute function app.count_release();

-- A deleted entry frees its place, and its row stays.
create function app.count_entry() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  change pg_catalog.int4 := case when new.deleted_at is null then 1 else -1 end;
begin
  insert into public.storage_used as used (veteran_id, entries) values (new.veteran_id, change)
  on conflict (veteran_id) do update
  set entries = used.entries + change,
    deleted_entries = used.deleted_entries - case when tg_op = 'UPDATE' then change else 0 end;
  return null;
end $$;

create trigger entries_are_counted after insert on self_reported_entries
  for each row when (new.deleted_at is null) execute function app.count_entry();

create trigger deleted_entries_are_counted after update of deleted_at on self_reported_entries
  for each row when ((new.deleted_at is null) <> (old.deleted_at is null)) execute function app.count_entry();

create function app.count_note() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.storage_used as used (veteran_id, notes) values (new.veteran_id, 1)
  on conflict (veteran_id) do update set notes = used.notes + 1;
  return null;
end $$;

create trigger notes_are_counted after insert on provider_notes
  for each row execute function app.count_note();

revoke all on function app.count_upload, app.count_release, app.count_entry, app.count_note from public;
