-- These are the files under UPLOAD_DIR that rows need. A file is claimed in the transaction that writes its row. One that nobody
-- claims is an orphan: its process ended after it had written the file and before it had written the row.
create table stored_files (
  storage_key text primary key,
  created_at timestamptz not null default now()
);

grant select, insert, delete on stored_files to vrss_runtime;

-- UPLOAD_DIR carries this id, made with the schema: no other database takes its files for orphans.
create table file_store (
  id uuid primary key default gen_random_uuid()
);

create unique index file_store_is_one on file_store ((true));

insert into file_store default values;

grant select on file_store to vrss_runtime;
