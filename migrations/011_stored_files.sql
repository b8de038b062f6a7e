-- The files under UPLOAD_DIR that rows need, claimed in the transaction of the row. A file that nobody claims is an
-- orphan: what a process left behind that ended between the file and its row.
create table stored_files (
  storage_key text primary key,
  created_at timestamptz not null default now()
);

grant select, insert, delete on stored_files to vrss_runtime;

-- A constraint is checked on rows that the owner may see; no one else reads the table before it is forced again.
alter table documents no force row level security;
alter table documents
  -- Sealed: the name of a file may tell a diagnosis.
  alter column title type bytea using convert_to(title, 'UTF8'),
  -- The file's own key, sealed: with the row goes the only way to read the file.
  add column file_key bytea not null,
  add foreign key (storage_key) references stored_files;
alter table documents force row level security;
