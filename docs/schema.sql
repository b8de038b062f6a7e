-- The schema that all migrations make, by table and then by function: for reading, not for running. `npm run schema`
-- writes this file. The bodies of functions stand in the migrations that are named beside them, as do the reasons.
-- PostgreSQL 18 wrote the expressions.

-- acts_noted: migrations 020, 037, 040
create table acts_noted (
  veteran_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  minute timestamp with time zone not null,
  resource_types text[] default '{}'::text[] not null,
  constraint acts_noted_pkey PRIMARY KEY (veteran_id, kind, subject_id),
  constraint acts_noted_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id)
);
grant select on acts_noted to vrss_backup;

-- admin_acts: migrations 034
create table admin_acts (
  id uuid not null,
  at timestamp with time zone default clock_timestamp() not null,
  act text not null,
  target_kind text not null,
  target_id uuid not null,
  key text not null,
  request_id uuid not null,
  reason text,
  constraint admin_acts_pkey PRIMARY KEY (id),
  constraint admin_acts_reason_check CHECK (char_length(reason) >= 1 AND char_length(reason) <= 200),
  constraint admin_acts_target_kind_check CHECK (target_kind = ANY (ARRAY['veteran'::text, 'provider'::text, 'app'::text, 'waitlist_signup'::text]))
);
CREATE INDEX admin_acts_target ON admin_acts USING btree (target_id, id);
CREATE TRIGGER admin_acts_are_never_emptied BEFORE TRUNCATE ON admin_acts FOR EACH STATEMENT EXECUTE FUNCTION app.refuse_change();
CREATE TRIGGER admin_acts_are_only_added BEFORE DELETE OR UPDATE ON admin_acts FOR EACH ROW EXECUTE FUNCTION app.refuse_change();
grant insert, select on admin_acts to vrss_runtime;
grant select on admin_acts to vrss_backup;

-- consent_grants: migrations 004, 020, 023, 024, 031, 037, 049
create table consent_grants (
  id uuid not null,
  veteran_id uuid not null,
  provider_id uuid,
  client_id uuid,
  scope text,
  resource_types text[],
  sensitive_categories text[] not null,
  include_self_reported boolean not null,
  include_documents boolean not null,
  purpose text not null,
  status text default 'active'::text not null,
  granted_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  ended_by text,
  superseded_by uuid,
  constraint consent_grants_pkey PRIMARY KEY (veteran_id, id),
  constraint consent_grants_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients(id),
  constraint consent_grants_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint consent_grants_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint consent_grants_check CHECK (num_nonnulls(provider_id, client_id) = 1),
  constraint consent_grants_check1 CHECK ((client_id IS NULL) = (scope IS NULL)),
  constraint consent_grants_check2 CHECK (client_id IS NULL OR NOT (include_self_reported OR include_documents)),
  constraint consent_grants_check3 CHECK (ended_by IS NULL OR client_id IS NOT NULL AND status = 'revoked'::text),
  constraint consent_grants_check4 CHECK ((status = 'revoked'::text) = (revoked_at IS NOT NULL)),
  constraint consent_grants_check5 CHECK (superseded_by IS NULL OR status = 'revoked'::text),
  constraint consent_grants_ended_by_check CHECK (ended_by = ANY (ARRAY['app'::text, 'code_replay'::text, 'refresh_replay'::text])),
  constraint consent_grants_status_check CHECK (status = ANY (ARRAY['active'::text, 'revoked'::text, 'expired'::text]))
);
CREATE INDEX consent_grants_active ON consent_grants USING btree (veteran_id, id) WHERE status = 'active'::text;
CREATE INDEX consent_grants_due ON consent_grants USING btree (expires_at) WHERE status = 'active'::text;
CREATE INDEX consent_grants_pair ON consent_grants USING btree (veteran_id, provider_id) WHERE status = 'active'::text;
CREATE INDEX consent_grants_provider ON consent_grants USING btree (provider_id, id) WHERE status = 'active'::text;
CREATE UNIQUE INDEX consent_grants_id ON consent_grants USING btree (id);
CREATE TRIGGER apps_are_told AFTER UPDATE OF status ON consent_grants FOR EACH ROW WHEN (new.client_id IS NOT NULL AND new.status <> 'active'::text) EXECUTE FUNCTION app.tell_app();
CREATE TRIGGER consent_grants_final BEFORE UPDATE ON consent_grants FOR EACH ROW EXECUTE FUNCTION app.keep_final_status();
CREATE TRIGGER grants_are_proved AFTER INSERT ON consent_grants FOR EACH ROW EXECUTE FUNCTION app.prove_grant();
CREATE TRIGGER grants_may_be_refused BEFORE INSERT ON consent_grants FOR EACH ROW EXECUTE FUNCTION app.refuse_sharing();
CREATE TRIGGER revoked_grants_are_proved AFTER UPDATE OF status ON consent_grants FOR EACH ROW WHEN (new.status = 'revoked'::text) EXECUTE FUNCTION app.prove_grant();
grant insert, select, update (status, revoked_at, superseded_by) on consent_grants to vrss_runtime;
grant select on consent_grants to vrss_backup;

-- documents: migrations 007, 008, 014, 019, 020, 022, 028, 037, 038, 045, 049
create table documents (
  id uuid not null,
  veteran_id uuid not null,
  kind text not null,
  title bytea not null,
  content_type text not null,
  byte_size bigint not null,
  sha256 bytea not null,
  storage_key text not null,
  file_key bytea not null,
  created_at timestamp with time zone default now() not null,
  signed_at timestamp with time zone,
  authorization_ciphertext bytea,
  authorization_sha256 bytea,
  ends_at timestamp with time zone,
  released_documents uuid[],
  recipient_storage_key text,
  recipient_file_key bytea,
  recipient_byte_size bigint,
  recipient_sha256 bytea,
  record_storage_key text,
  record_file_key bytea,
  record_byte_size bigint,
  record_sha256 bytea,
  constraint documents_pkey PRIMARY KEY (veteran_id, id),
  constraint documents_recipient_storage_key_fkey FOREIGN KEY (recipient_storage_key) REFERENCES stored_files(storage_key),
  constraint documents_record_storage_key_fkey FOREIGN KEY (record_storage_key) REFERENCES stored_files(storage_key),
  constraint documents_storage_key_fkey FOREIGN KEY (storage_key) REFERENCES stored_files(storage_key),
  constraint documents_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint documents_authorization_sha256_check CHECK (octet_length(authorization_sha256) = 32),
  constraint documents_byte_size_check CHECK (byte_size >= 0),
  constraint documents_check CHECK (num_nulls(signed_at, authorization_ciphertext, authorization_sha256, ends_at, released_documents, recipient_storage_key, recipient_file_key, recipient_byte_size, recipient_sha256, record_storage_key, record_file_key, record_byte_size, record_sha256) =
CASE kind
    WHEN 'roi'::text THEN 0
    ELSE 13
END),
  constraint documents_kind_check CHECK (kind = ANY (ARRAY['roi'::text, 'upload'::text])),
  constraint documents_recipient_sha256_check CHECK (octet_length(recipient_sha256) = 32),
  constraint documents_record_sha256_check CHECK (octet_length(record_sha256) = 32),
  constraint documents_sha256_check CHECK (octet_length(sha256) = 32)
);
CREATE INDEX documents_ending ON documents USING btree (ends_at) WHERE kind = 'roi'::text;
CREATE INDEX documents_file ON documents USING btree (storage_key);
CREATE INDEX documents_own_copy ON documents USING btree (sha256, id) WHERE kind = 'roi'::text;
CREATE INDEX documents_recipient_file ON documents USING btree (recipient_storage_key) WHERE recipient_storage_key IS NOT NULL;
CREATE INDEX documents_recipients_copy ON documents USING btree (recipient_sha256, id) WHERE kind = 'roi'::text;
CREATE INDEX documents_record_file ON documents USING btree (record_storage_key) WHERE record_storage_key IS NOT NULL;
CREATE INDEX documents_released ON documents USING btree (veteran_id, id) WHERE kind = 'roi'::text;
CREATE INDEX documents_uploaded ON documents USING btree (veteran_id, created_at) WHERE kind = 'upload'::text;
CREATE INDEX documents_uploads ON documents USING btree (veteran_id, id) WHERE kind = 'upload'::text;
alter table documents enable row level security, force row level security;
create policy backup_reads on documents for select to vrss_backup
  using (true);
create policy functions_forget on documents for all to vrss_owner
  using ((( SELECT app.actor() AS actor)) = 'forgetting'::text);
create policy kept_are_hidden on documents as restrictive for all to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'verification'::text OR ((( SELECT app.actor() AS actor)) = 'retention'::text) = ((EXISTS ( SELECT
   FROM kept_releases k
  WHERE k.veteran_id = documents.veteran_id AND k.document_id = documents.id))));
create policy notices_read on documents for select to vrss_owner
  using ((( SELECT app.actor() AS actor)) = 'notices'::text AND kind = 'roi'::text);
create policy provider_reads_granted on documents for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'provider'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)) AND kind = 'upload'::text AND (EXISTS ( SELECT
   FROM app.active_grants() g(resource_types, sensitive_categories, include_self_reported, include_documents)
  WHERE g.include_documents)));
create policy recipient_reads_linked on documents for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'recipient'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)) AND kind = 'roi'::text AND ends_at > statement_timestamp() AND (id IN ( SELECT linked.document_id
   FROM app.linked_documents() linked(veteran_id, document_id))));
create policy retention_forgets on documents for all to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'retention'::text)
  with check (false);
create policy rotation_reseals on documents for all to vrss_rotation
  using (true);
create policy verification_reads on documents for select to vrss_owner
  using ((( SELECT app.actor() AS actor)) = 'verification'::text AND kind = 'roi'::text);
create policy veteran_owns on documents for all to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'veteran'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)));
CREATE TRIGGER deleted_releases_are_counted AFTER DELETE ON documents FOR EACH ROW WHEN (old.kind = 'roi'::text) EXECUTE FUNCTION app.count_release();
CREATE TRIGGER deleted_uploads_are_counted AFTER DELETE ON documents FOR EACH ROW WHEN (old.kind = 'upload'::text) EXECUTE FUNCTION app.count_upload();
CREATE TRIGGER documents_are_proved AFTER INSERT ON documents FOR EACH ROW EXECUTE FUNCTION app.prove_document();
CREATE TRIGGER need_their_veteran BEFORE INSERT ON documents FOR EACH ROW EXECUTE FUNCTION app.require_veteran();
CREATE TRIGGER releases_are_counted AFTER INSERT ON documents FOR EACH ROW WHEN (new.kind = 'roi'::text) EXECUTE FUNCTION app.count_release();
CREATE TRIGGER releases_may_be_refused BEFORE INSERT ON documents FOR EACH ROW WHEN (new.kind = 'roi'::text) EXECUTE FUNCTION app.refuse_release();
CREATE TRIGGER signed_documents_stay BEFORE DELETE OR UPDATE ON documents FOR EACH ROW WHEN (old.signed_at IS NOT NULL) EXECUTE FUNCTION app.keep_signed();
CREATE TRIGGER uploads_are_counted AFTER INSERT ON documents FOR EACH ROW WHEN (new.kind = 'upload'::text) EXECUTE FUNCTION app.count_upload();
grant delete, insert, select on documents to vrss_runtime;
grant select (id, veteran_id, title, file_key, authorization_ciphertext, recipient_file_key, record_file_key), update (title, file_key, authorization_ciphertext, recipient_file_key, record_file_key) on documents to vrss_rotation;
grant select on documents to vrss_backup;

-- email_changes: migrations 038, 045
create table email_changes (
  veteran_id uuid not null,
  id uuid not null,
  email text not null,
  code_hash bytea not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  tries integer default 0 not null,
  ended_at timestamp with time zone,
  constraint email_changes_pkey PRIMARY KEY (veteran_id, id),
  constraint email_changes_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id) ON DELETE CASCADE,
  constraint email_changes_code_hash_check CHECK (octet_length(code_hash) = 32),
  constraint email_changes_tries_check CHECK (tries >= 0)
);
CREATE INDEX email_changes_age ON email_changes USING btree (created_at);
CREATE INDEX email_changes_id ON email_changes USING btree (id);
alter table email_changes enable row level security, force row level security;
create policy backup_reads on email_changes for select to vrss_backup
  using (true);
create policy functions_keep on email_changes for all to vrss_owner
  using (true)
  with check (true);
grant select on email_changes to vrss_backup;

-- endings_told: migrations 038
create table endings_told (
  veteran_id uuid not null,
  subject_id uuid not null,
  ends_at timestamp with time zone not null,
  constraint endings_told_pkey PRIMARY KEY (veteran_id, subject_id),
  constraint endings_told_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id) ON DELETE CASCADE
);
CREATE INDEX endings_told_end ON endings_told USING btree (ends_at);
alter table endings_told enable row level security, force row level security;
create policy backup_reads on endings_told for select to vrss_backup
  using (true);
create policy functions_keep on endings_told for all to vrss_owner
  using (true)
  with check (true);
grant select on endings_told to vrss_backup;

-- file_store: migrations 006
create table file_store (
  id uuid default gen_random_uuid() not null,
  constraint file_store_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX file_store_is_one ON file_store USING btree ((true));
grant select on file_store to vrss_backup;
grant select on file_store to vrss_runtime;

-- google_sign_ins: migrations 003
create table google_sign_ins (
  hash bytea not null,
  code_hash bytea not null,
  challenge text not null,
  provider_id uuid not null,
  created_at timestamp with time zone default now() not null,
  used_at timestamp with time zone,
  constraint google_sign_ins_pkey PRIMARY KEY (hash),
  constraint google_sign_ins_code_hash_key UNIQUE (code_hash),
  constraint google_sign_ins_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint google_sign_ins_code_hash_check CHECK (octet_length(code_hash) = 32),
  constraint google_sign_ins_hash_check CHECK (octet_length(hash) = 32)
);
CREATE INDEX google_sign_ins_age ON google_sign_ins USING btree (created_at);
grant insert, select, update (used_at) on google_sign_ins to vrss_runtime;
grant select on google_sign_ins to vrss_backup;

-- health_record_counts: migrations 005, 037, 040
create table health_record_counts (
  veteran_id uuid not null,
  resource_type text not null,
  category_set smallint not null,
  items bigint not null,
  constraint health_record_counts_pkey PRIMARY KEY (veteran_id, resource_type, category_set),
  constraint health_record_counts_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id)
);
alter table health_record_counts enable row level security, force row level security;
create policy app_reads_granted on health_record_counts for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'app'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)) AND (EXISTS ( SELECT
   FROM app.active_grants() g(resource_types, sensitive_categories, include_self_reported, include_documents)
  WHERE (g.resource_types IS NULL OR (health_record_counts.resource_type = ANY (g.resource_types))) AND (health_record_counts.category_set & (~ app.category_set(g.sensitive_categories))) = 0)));
create policy backup_reads on health_record_counts for select to vrss_backup
  using (true);
create policy functions_forget on health_record_counts for all to vrss_owner
  using ((( SELECT app.actor() AS actor)) = 'forgetting'::text);
create policy provider_reads_granted on health_record_counts for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'provider'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)) AND (EXISTS ( SELECT
   FROM app.active_grants() g(resource_types, sensitive_categories, include_self_reported, include_documents)
  WHERE (g.resource_types IS NULL OR (health_record_counts.resource_type = ANY (g.resource_types))) AND (health_record_counts.category_set & (~ app.category_set(g.sensitive_categories))) = 0)));
create policy release_reads_accepted on health_record_counts for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'release'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)) AND (resource_type = ANY ((( SELECT app.released_types() AS released_types))::text[])) AND (category_set & (~ app.category_set(( SELECT app.accepted_categories() AS accepted_categories)))) = 0);
create policy veteran_owns on health_record_counts for all to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'veteran'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)));
grant insert, select, update on health_record_counts to vrss_rotation;
grant insert, select, update on health_record_counts to vrss_runtime;
grant select on health_record_counts to vrss_backup;

-- health_record_items: migrations 005, 022, 025, 028, 037, 040, 044
create table health_record_items (
  id uuid not null,
  veteran_id uuid not null,
  resource_type text not null,
  fhir_id text not null,
  raw_ciphertext bytea not null,
  content_mac bytea not null,
  own_categories text[] default '{}'::text[] not null,
  sensitive_categories text[] not null,
  type_and_set text generated always as ((resource_type || '/'::text) || app.category_set(sensitive_categories)::text) stored not null,
  refers_to bigint[] default '{}'::bigint[] not null,
  active boolean default true not null,
  first_synced_at timestamp with time zone default now() not null,
  synced_at timestamp with time zone default now() not null,
  deactivated_at timestamp with time zone,
  constraint health_record_items_pkey PRIMARY KEY (veteran_id, resource_type, fhir_id),
  constraint health_record_items_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint health_record_items_check CHECK (active = (deactivated_at IS NULL)),
  constraint health_record_items_check1 CHECK (own_categories <@ sensitive_categories),
  constraint health_record_items_content_mac_check CHECK (octet_length(content_mac) = 32),
  constraint health_record_items_raw_ciphertext_check CHECK (octet_length(raw_ciphertext) > 30),
  constraint health_record_items_sensitive_categories_check CHECK (sensitive_categories <@ ARRAY['drug_abuse'::text, 'alcohol_abuse'::text, 'hiv'::text, 'sickle_cell'::text])
) partition by HASH (veteran_id): 64 parts of fillfactor=90, autovacuum_vacuum_scale_factor=0.03;
CREATE INDEX health_record_items_changed ON ONLY health_record_items USING btree (veteran_id, type_and_set, synced_at) WHERE deactivated_at IS NULL;
CREATE INDEX health_record_items_classified ON ONLY health_record_items USING btree (veteran_id) WHERE sensitive_categories <> '{}'::text[];
CREATE INDEX health_record_items_inactive ON ONLY health_record_items USING btree (deactivated_at) WHERE deactivated_at IS NOT NULL;
CREATE INDEX health_record_items_visible ON ONLY health_record_items USING btree (veteran_id, type_and_set, fhir_id) WHERE active;
alter table health_record_items enable row level security, force row level security;
create policy app_reads_granted on health_record_items for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'app'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)) AND active AND (EXISTS ( SELECT
   FROM app.active_grants() g(resource_types, sensitive_categories, include_self_reported, include_documents)
  WHERE (g.resource_types IS NULL OR (health_record_items.resource_type = ANY (g.resource_types))) AND health_record_items.sensitive_categories <@ g.sensitive_categories)));
create policy backup_reads on health_record_items for select to vrss_backup
  using (true);
create policy functions_forget on health_record_items for all to vrss_owner
  using ((( SELECT app.actor() AS actor)) = 'forgetting'::text);
create policy functions_remove on health_record_items for all to vrss_owner
  using (NOT active);
create policy provider_reads_granted on health_record_items for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'provider'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)) AND active AND (EXISTS ( SELECT
   FROM app.active_grants() g(resource_types, sensitive_categories, include_self_reported, include_documents)
  WHERE (g.resource_types IS NULL OR (health_record_items.resource_type = ANY (g.resource_types))) AND health_record_items.sensitive_categories <@ g.sensitive_categories)));
create policy release_reads_accepted on health_record_items for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'release'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)) AND active AND (resource_type = ANY ((( SELECT app.released_types() AS released_types))::text[])) AND sensitive_categories <@ (( SELECT app.accepted_categories() AS accepted_categories)));
create policy rotation_reseals on health_record_items for all to vrss_rotation
  using (true);
create policy veteran_owns on health_record_items for all to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'veteran'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)));
CREATE TRIGGER health_record_items_deleted_size AFTER DELETE ON health_record_items REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION app.size_items();
CREATE TRIGGER health_record_items_deleted_tombstones AFTER DELETE ON health_record_items REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION app.keep_tombstones();
CREATE TRIGGER health_record_items_inserted AFTER INSERT ON health_record_items REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION app.count_items();
CREATE TRIGGER health_record_items_inserted_size AFTER INSERT ON health_record_items REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION app.size_items();
CREATE TRIGGER health_record_items_updated AFTER UPDATE ON health_record_items REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION app.count_items();
CREATE TRIGGER health_record_items_updated_size AFTER UPDATE ON health_record_items REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION app.size_items();
grant insert, select, update on health_record_items to vrss_runtime;
grant select (veteran_id, resource_type, fhir_id, raw_ciphertext), update (raw_ciphertext) on health_record_items to vrss_rotation;
grant select on health_record_items to vrss_backup;

-- health_record_sizes: migrations 025, 037, 040
create table health_record_sizes (
  veteran_id uuid not null,
  active_bytes bigint not null,
  inactive_bytes bigint not null,
  constraint health_record_sizes_pkey PRIMARY KEY (veteran_id),
  constraint health_record_sizes_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id)
);
CREATE TRIGGER need_their_veteran BEFORE INSERT ON health_record_sizes FOR EACH ROW EXECUTE FUNCTION app.require_veteran();
grant select on health_record_sizes to vrss_backup;
grant select on health_record_sizes to vrss_runtime;

-- health_record_tombstones: migrations 025, 037, 040
create table health_record_tombstones (
  veteran_id uuid not null,
  resource_type text not null,
  fhir_id text not null,
  sensitive_categories text[] not null,
  removed_at timestamp with time zone default clock_timestamp() not null,
  constraint health_record_tombstones_pkey PRIMARY KEY (veteran_id, resource_type, fhir_id),
  constraint health_record_tombstones_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id)
);
alter table health_record_tombstones enable row level security, force row level security;
create policy backup_reads on health_record_tombstones for select to vrss_backup
  using (true);
create policy functions_keep on health_record_tombstones for all to vrss_owner
  using (true)
  with check (true);
create policy veteran_reads on health_record_tombstones for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'veteran'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)));
grant select on health_record_tombstones to vrss_backup;
grant select on health_record_tombstones to vrss_runtime;

-- identity_assertions: migrations 023
create table identity_assertions (
  hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint identity_assertions_pkey PRIMARY KEY (hash),
  constraint identity_assertions_hash_check CHECK (octet_length(hash) = 32)
);
CREATE INDEX identity_assertions_end ON identity_assertions USING btree (expires_at);
grant insert, select on identity_assertions to vrss_runtime;
grant select on identity_assertions to vrss_backup;

-- kept_releases: migrations 008
create table kept_releases (
  veteran_id uuid not null,
  document_id uuid not null,
  deleted_at timestamp with time zone default now() not null,
  constraint kept_releases_pkey PRIMARY KEY (veteran_id, document_id),
  constraint kept_releases_veteran_id_document_id_fkey FOREIGN KEY (veteran_id, document_id) REFERENCES documents(veteran_id, id) ON DELETE CASCADE
);
grant insert (veteran_id, document_id), select on kept_releases to vrss_runtime;
grant select on kept_releases to vrss_backup;

-- key_rotations: migrations 022
create table key_rotations (
  key_id text not null,
  column_name text not null,
  up_to text[] not null,
  constraint key_rotations_pkey PRIMARY KEY (key_id, column_name)
);
grant delete, insert, select, update on key_rotations to vrss_rotation;
grant select on key_rotations to vrss_backup;

-- known_networks: migrations 016
create table known_networks (
  network bytea not null,
  provider_id uuid not null,
  seen_at timestamp with time zone default now() not null,
  constraint known_networks_pkey PRIMARY KEY (network),
  constraint known_networks_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id)
);
CREATE INDEX known_networks_age ON known_networks USING btree (seen_at);
CREATE INDEX known_networks_provider ON known_networks USING btree (provider_id, seen_at);
grant delete, insert, select, update (seen_at) on known_networks to vrss_runtime;
grant select on known_networks to vrss_backup;

-- looks_counted: migrations 031, 037, 040
create table looks_counted (
  veteran_id uuid not null,
  subject_id uuid not null,
  looks bigint not null,
  last_at timestamp with time zone not null,
  constraint looks_counted_pkey PRIMARY KEY (veteran_id, subject_id),
  constraint looks_counted_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id)
);
grant select on looks_counted to vrss_backup;

-- looks_untold: migrations 038
create table looks_untold (
  veteran_id uuid not null,
  subject_id uuid not null,
  looks bigint not null,
  first_at timestamp with time zone not null,
  times timestamp with time zone[] not null,
  constraint looks_untold_pkey PRIMARY KEY (veteran_id, subject_id),
  constraint looks_untold_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id) ON DELETE CASCADE
);
CREATE INDEX looks_untold_age ON looks_untold USING btree (first_at);
alter table looks_untold enable row level security, force row level security;
create policy backup_reads on looks_untold for select to vrss_backup
  using (true);
create policy functions_keep on looks_untold for all to vrss_owner
  using (true)
  with check (true);
grant select on looks_untold to vrss_backup;

-- oauth_clients: migrations 004
create table oauth_clients (
  id uuid not null,
  name text not null,
  redirect_uris text[] not null,
  scopes text[] not null,
  secret_hash bytea,
  privacy_url text,
  webhook_url text,
  webhook_gone_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  disabled_at timestamp with time zone,
  constraint oauth_clients_pkey PRIMARY KEY (id),
  constraint oauth_clients_secret_hash_check CHECK (octet_length(secret_hash) = 32)
);
grant insert, select, update (secret_hash, webhook_gone_at, disabled_at) on oauth_clients to vrss_runtime;
grant select on oauth_clients to vrss_backup;

-- oauth_codes: migrations 023
create table oauth_codes (
  hash bytea not null,
  veteran_id uuid not null,
  grant_id uuid not null,
  client_id uuid not null,
  redirect_uri text not null,
  code_challenge text not null,
  offline boolean not null,
  access_until timestamp with time zone not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  spent_at timestamp with time zone,
  constraint oauth_codes_pkey PRIMARY KEY (hash),
  constraint oauth_codes_veteran_id_grant_id_fkey FOREIGN KEY (veteran_id, grant_id) REFERENCES consent_grants(veteran_id, id),
  constraint oauth_codes_hash_check CHECK (octet_length(hash) = 32)
);
CREATE INDEX oauth_codes_end ON oauth_codes USING btree (access_until);
grant select on oauth_codes to vrss_backup;

-- oauth_refresh_tokens: migrations 023
create table oauth_refresh_tokens (
  family bytea not null,
  token_hash bytea not null,
  veteran_id uuid not null,
  grant_id uuid not null,
  rotated_at timestamp with time zone default clock_timestamp() not null,
  constraint oauth_refresh_tokens_pkey PRIMARY KEY (family),
  constraint oauth_refresh_tokens_veteran_id_grant_id_fkey FOREIGN KEY (veteran_id, grant_id) REFERENCES consent_grants(veteran_id, id),
  constraint oauth_refresh_tokens_family_check CHECK (octet_length(family) = 32),
  constraint oauth_refresh_tokens_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE UNIQUE INDEX oauth_refresh_tokens_grant ON oauth_refresh_tokens USING btree (veteran_id, grant_id);
grant select on oauth_refresh_tokens to vrss_backup;

-- oauth_requests: migrations 023, 037, 040
create table oauth_requests (
  hash bytea not null,
  cookie_hash bytea not null,
  client_id uuid not null,
  redirect_uri text not null,
  scope text not null,
  state text,
  code_challenge text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  veteran_id uuid,
  code_hash bytea,
  code_made_at timestamp with time zone,
  wrong_codes integer default 0 not null,
  proved_at timestamp with time zone,
  ended_at timestamp with time zone,
  grant_id uuid,
  constraint oauth_requests_pkey PRIMARY KEY (hash),
  constraint oauth_requests_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients(id),
  constraint oauth_requests_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint oauth_requests_code_hash_check CHECK (octet_length(code_hash) = 32),
  constraint oauth_requests_cookie_hash_check CHECK (octet_length(cookie_hash) = 32),
  constraint oauth_requests_hash_check CHECK (octet_length(hash) = 32)
);
CREATE INDEX oauth_requests_age ON oauth_requests USING btree (created_at);
grant insert, select on oauth_requests to vrss_runtime;
grant select on oauth_requests to vrss_backup;

-- outbox: migrations 013, 023, 032, 034, 041, 045, 047
create table outbox (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  subject_id uuid not null,
  created_at timestamp with time zone default now() not null,
  attempts integer default 0 not null,
  due_at timestamp with time zone default now() not null,
  address text,
  facts jsonb,
  veteran_id uuid,
  held_at timestamp with time zone,
  joined_to uuid,
  lane text generated always as (
CASE
    WHEN kind = ANY (ARRAY['pairing_code'::text, 'email_code'::text, 'password_link'::text]) THEN 'codes'::text
    WHEN kind = ANY (ARRAY['grant_revoked'::text, 'grant_expired'::text, 'record_updated'::text]) THEN 'apps'::text
    WHEN kind = 'checkpoint_signed'::text THEN 'witness'::text
    WHEN kind = ANY (ARRAY['notice'::text, 'waitlist_joined'::text]) THEN 'notices'::text
    ELSE 'mails'::text
END) stored not null,
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_joined_to_fkey FOREIGN KEY (joined_to) REFERENCES outbox(id) ON DELETE SET NULL,
  constraint outbox_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint outbox_kind_check CHECK (kind = ANY (ARRAY['link_opened'::text, 'link_viewed'::text, 'link_locked'::text, 'waitlist_joined'::text, 'checkpoint_signed'::text, 'app_connected'::text, 'app_replayed'::text, 'grant_revoked'::text, 'grant_expired'::text, 'record_updated'::text, 'pairing_code'::text, 'new_device'::text, 'identity_added'::text, 'identity_removed'::text, 'password_link'::text, 'password_changed'::text, 'provider_email_changed'::text, 'veteran_email_changed'::text, 'email_code'::text, 'access_ended'::text, 'export_made'::text, 'deletion_asked'::text, 'deletion_cancelled'::text, 'deletion_done'::text, 'notice'::text, 'passkey_added'::text, 'passkey_removed'::text])),
  constraint outbox_names_veteran CHECK (kind = 'pairing_code'::text OR (veteran_id IS NULL) = (kind = ANY (ARRAY['waitlist_joined'::text, 'checkpoint_signed'::text, 'provider_email_changed'::text, 'password_link'::text, 'password_changed'::text])))
);
CREATE INDEX outbox_held ON outbox USING btree (veteran_id, due_at) WHERE held_at IS NOT NULL;
CREATE INDEX outbox_joined ON outbox USING btree (joined_to) WHERE joined_to IS NOT NULL;
CREATE INDEX outbox_lane ON outbox USING btree (lane, due_at);
CREATE INDEX outbox_said_again ON outbox USING btree (subject_id) WHERE kind = 'record_updated'::text;
CREATE INDEX outbox_veteran ON outbox USING btree (veteran_id);
CREATE UNIQUE INDEX outbox_updates ON outbox USING btree (veteran_id, subject_id) WHERE kind = 'record_updated'::text AND attempts = 0;
grant delete, insert, select, update (attempts, due_at, held_at, joined_to) on outbox to vrss_runtime;
grant select on outbox to vrss_backup;

-- proof_checkpoints: migrations 021
create table proof_checkpoints (
  id uuid not null,
  tree_size bigint not null,
  root_hash bytea not null,
  note text not null,
  created_at timestamp with time zone not null,
  constraint proof_checkpoints_pkey PRIMARY KEY (id),
  constraint proof_checkpoints_note_check CHECK (octet_length(note) <= 10000),
  constraint proof_checkpoints_root_hash_check CHECK (octet_length(root_hash) = 32),
  constraint proof_checkpoints_tree_size_check CHECK (tree_size > 0)
);
CREATE INDEX proof_checkpoints_latest ON proof_checkpoints USING btree (tree_size, id);
grant select on proof_checkpoints to vrss_backup;
grant select on proof_checkpoints to vrss_runtime;

-- proof_tiles: migrations 021
create table proof_tiles (
  level smallint not null,
  index bigint not null,
  hashes bytea not null,
  constraint proof_tiles_pkey PRIMARY KEY (level, index),
  constraint proof_tiles_hashes_check CHECK (octet_length(hashes) >= 32 AND octet_length(hashes) <= 8192 AND (octet_length(hashes) % 32) = 0)
);
grant select on proof_tiles to vrss_backup;
grant select on proof_tiles to vrss_runtime;

-- proofs: migrations 020, 021, 022, 023, 024, 028, 030, 031, 032, 034, 037, 038, 040, 043, 044, 049
create table proofs (
  veteran_id uuid not null,
  id uuid not null,
  seq bigint default nextval('proofs_seq_seq'::regclass) not null,
  kind text not null,
  at timestamp with time zone not null,
  event jsonb,
  leaf_ciphertext bytea,
  provider_hash bytea,
  leaf_hash bytea,
  tree_index bigint,
  set_aside text,
  subject_hashes bytea,
  constraint proofs_pkey PRIMARY KEY (veteran_id, id),
  constraint proofs_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint proofs_check CHECK ((tree_index IS NULL) = (leaf_hash IS NULL)),
  constraint proofs_check1 CHECK (tree_index IS NULL OR event IS NULL),
  constraint proofs_kind_check CHECK (kind = ANY (ARRAY['sync_stored'::text, 'grant_given'::text, 'grant_revoked'::text, 'record_viewed'::text, 'record_saved'::text, 'note_written'::text, 'document_stored'::text, 'document_read'::text, 'roi_signed'::text, 'link_created'::text, 'link_opened'::text, 'link_code_sent'::text, 'link_code_failed'::text, 'link_viewed'::text, 'link_revoked'::text, 'oauth_access_granted'::text, 'oauth_access_denied'::text, 'oauth_token_refreshed'::text, 'oauth_access_used'::text, 'oauth_access_revoked'::text, 'oauth_code_replayed'::text, 'oauth_refresh_replayed'::text, 'session_started'::text, 'session_ended'::text, 'passkey_added'::text, 'passkey_removed'::text, 'identity_paired'::text, 'identity_removed'::text, 'email_changed'::text, 'export_made'::text, 'deletion_asked'::text, 'deletion_cancelled'::text, 'deletion_done'::text, 'shape_exported'::text])),
  constraint proofs_leaf_hash_check CHECK (octet_length(leaf_hash) = 32),
  constraint proofs_provider_hash_check CHECK (octet_length(provider_hash) = 32),
  constraint proofs_subject_hashes_check CHECK ((octet_length(subject_hashes) % 16) = 0)
) partition by HASH (veteran_id): 64 parts of no options;
CREATE INDEX proofs_about ON ONLY proofs USING btree (veteran_id, substr(subject_hashes, 1, 16), kind, id) WHERE octet_length(subject_hashes) >= 16;
CREATE INDEX proofs_about_second ON ONLY proofs USING btree (veteran_id, substr(subject_hashes, 17, 16), kind, id) WHERE octet_length(subject_hashes) >= 32;
CREATE INDEX proofs_age ON ONLY proofs USING btree (at) WHERE leaf_ciphertext IS NOT NULL;
CREATE INDEX proofs_leaf ON ONLY proofs USING btree (tree_index) WHERE tree_index IS NOT NULL;
CREATE INDEX proofs_of_kind ON ONLY proofs USING btree (veteran_id, kind, id) WHERE leaf_ciphertext IS NOT NULL;
CREATE INDEX proofs_of_provider ON ONLY proofs USING btree (veteran_id, provider_hash, kind, id) WHERE leaf_ciphertext IS NOT NULL AND provider_hash IS NOT NULL;
CREATE INDEX proofs_set_aside ON ONLY proofs USING btree (seq) WHERE set_aside IS NOT NULL;
CREATE INDEX proofs_undrained ON ONLY proofs USING btree (seq) WHERE tree_index IS NULL AND set_aside IS NULL;
CREATE INDEX proofs_unsorted ON ONLY proofs USING btree (veteran_id, id) WHERE event IS NOT NULL OR leaf_ciphertext IS NOT NULL AND COALESCE(octet_length(subject_hashes), 48) > 32;
alter table proofs enable row level security, force row level security;
create policy backup_reads on proofs for select to vrss_backup
  using (true);
create policy functions_keep on proofs for all to vrss_owner
  using (true)
  with check (true);
create policy rotation_reseals on proofs for all to vrss_rotation
  using (true);
create policy veteran_reads on proofs for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'veteran'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)));
CREATE TRIGGER forget_subjects BEFORE UPDATE OF leaf_ciphertext ON proofs FOR EACH ROW WHEN (new.leaf_ciphertext IS NULL) EXECUTE FUNCTION app.forget_subjects();
CREATE TRIGGER leaves_do_not_change BEFORE UPDATE ON proofs FOR EACH ROW WHEN (old.tree_index IS NOT NULL AND (old.veteran_id IS DISTINCT FROM new.veteran_id OR old.id IS DISTINCT FROM new.id OR old.kind IS DISTINCT FROM new.kind OR old.tree_index IS DISTINCT FROM new.tree_index OR old.leaf_hash IS DISTINCT FROM new.leaf_hash)) EXECUTE FUNCTION app.keep_leaf();
CREATE TRIGGER leaves_stay BEFORE DELETE ON proofs FOR EACH ROW WHEN (old.tree_index IS NOT NULL) EXECUTE FUNCTION app.keep_leaf();
CREATE TRIGGER looks_are_counted AFTER INSERT ON proofs FOR EACH ROW WHEN (new.kind = ANY (ARRAY['record_viewed'::text, 'document_read'::text, 'oauth_access_used'::text, 'link_viewed'::text])) EXECUTE FUNCTION app.count_look();
CREATE TRIGGER looks_are_kept AFTER INSERT ON proofs FOR EACH ROW WHEN (new.kind = ANY (ARRAY['record_viewed'::text, 'document_read'::text, 'oauth_access_used'::text, 'link_viewed'::text])) EXECUTE FUNCTION app.keep_look();
CREATE TRIGGER need_their_veteran BEFORE INSERT ON proofs FOR EACH ROW WHEN (new.kind <> 'deletion_done'::text) EXECUTE FUNCTION app.require_veteran();
CREATE TRIGGER proofs_are_never_emptied BEFORE TRUNCATE ON proofs FOR EACH STATEMENT EXECUTE FUNCTION app.keep_leaf();
CREATE TRIGGER syncs_are_noted AFTER INSERT ON proofs FOR EACH ROW WHEN (new.kind = 'sync_stored'::text) EXECUTE FUNCTION app.note_sync();
CREATE TRIGGER syncs_are_told AFTER INSERT ON proofs FOR EACH ROW WHEN (new.kind = 'sync_stored'::text) EXECUTE FUNCTION app.tell_apps_of_sync();
CREATE TRIGGER syncs_may_be_refused BEFORE INSERT ON proofs FOR EACH ROW WHEN (new.kind = 'sync_stored'::text) EXECUTE FUNCTION app.refuse_sync();
grant select (veteran_id, id, leaf_ciphertext), update (leaf_ciphertext) on proofs to vrss_rotation;
grant select on proofs to vrss_backup;
grant select on proofs to vrss_runtime;

-- provider_invitations: migrations 029, 049
create table provider_invitations (
  id uuid not null,
  provider_id uuid not null,
  code_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  used bigint default 0 not null,
  constraint provider_invitations_pkey PRIMARY KEY (id),
  constraint provider_invitations_code_hash_key UNIQUE (code_hash),
  constraint provider_invitations_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint provider_invitations_check CHECK (expires_at > created_at),
  constraint provider_invitations_code_hash_check CHECK (octet_length(code_hash) = 32)
);
CREATE INDEX provider_invitations_live ON provider_invitations USING btree (provider_id, expires_at) WHERE revoked_at IS NULL;
CREATE INDEX provider_invitations_old ON provider_invitations USING btree (provider_id, LEAST(revoked_at, expires_at));
CREATE INDEX provider_invitations_provider ON provider_invitations USING btree (provider_id, id);
grant select on provider_invitations to vrss_backup;
grant select, update (revoked_at, used) on provider_invitations to vrss_runtime;

-- provider_notes: migrations 009, 019, 020, 022, 037, 049
create table provider_notes (
  id uuid not null,
  veteran_id uuid not null,
  provider_id uuid not null,
  body_ciphertext bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint provider_notes_pkey PRIMARY KEY (veteran_id, id),
  constraint provider_notes_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint provider_notes_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint provider_notes_body_ciphertext_check CHECK (octet_length(body_ciphertext) > 30)
);
CREATE INDEX provider_notes_of_provider ON provider_notes USING btree (veteran_id, provider_id, id);
alter table provider_notes enable row level security, force row level security;
create policy backup_reads on provider_notes for select to vrss_backup
  using (true);
create policy functions_forget on provider_notes for all to vrss_owner
  using ((( SELECT app.actor() AS actor)) = 'forgetting'::text);
create policy provider_reads_own on provider_notes for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'provider'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)) AND provider_id = (( SELECT app.actor_provider() AS actor_provider)) AND (EXISTS ( SELECT
   FROM app.active_grants() active_grants(resource_types, sensitive_categories, include_self_reported, include_documents))));
create policy provider_writes_own on provider_notes for insert to vrss_runtime
  with check ((( SELECT app.actor() AS actor)) = 'provider'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)) AND provider_id = (( SELECT app.actor_provider() AS actor_provider)) AND (EXISTS ( SELECT
   FROM app.active_grants() active_grants(resource_types, sensitive_categories, include_self_reported, include_documents))));
create policy rotation_reseals on provider_notes for all to vrss_rotation
  using (true);
create policy veteran_reads on provider_notes for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'veteran'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)));
CREATE TRIGGER need_their_veteran BEFORE INSERT ON provider_notes FOR EACH ROW EXECUTE FUNCTION app.require_veteran();
CREATE TRIGGER notes_are_counted AFTER INSERT ON provider_notes FOR EACH ROW EXECUTE FUNCTION app.count_note();
CREATE TRIGGER notes_are_proved AFTER INSERT ON provider_notes FOR EACH ROW EXECUTE FUNCTION app.prove_note();
grant insert, select on provider_notes to vrss_runtime;
grant select (id, veteran_id, body_ciphertext), update (body_ciphertext) on provider_notes to vrss_rotation;
grant select on provider_notes to vrss_backup;

-- provider_password_links: migrations 036
create table provider_password_links (
  id uuid not null,
  provider_id uuid,
  token_hash bytea not null,
  why text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone not null,
  constraint provider_password_links_pkey PRIMARY KEY (id),
  constraint provider_password_links_token_hash_key UNIQUE (token_hash),
  constraint provider_password_links_token_hash_check CHECK (octet_length(token_hash) = 32),
  constraint provider_password_links_why_check CHECK (why = ANY (ARRAY['registered'::text, 'forgotten'::text, 'operator'::text]))
);
CREATE INDEX provider_password_links_end ON provider_password_links USING btree (expires_at);
CREATE INDEX provider_password_links_newest ON provider_password_links USING btree (provider_id, created_at, id);
grant delete, insert, select on provider_password_links to vrss_runtime;
grant select on provider_password_links to vrss_backup;

-- provider_sessions: migrations 003, 024
create table provider_sessions (
  id uuid not null,
  provider_id uuid not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  resume_hashes bytea[] default '{}'::bytea[] not null,
  constraint provider_sessions_pkey PRIMARY KEY (id),
  constraint provider_sessions_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id)
);
CREATE INDEX provider_sessions_end ON provider_sessions USING btree (expires_at);
CREATE INDEX provider_sessions_provider ON provider_sessions USING btree (provider_id) WHERE revoked_at IS NULL;
grant insert, select, update (revoked_at, resume_hashes) on provider_sessions to vrss_runtime;
grant select on provider_sessions to vrss_backup;

-- providers: migrations 003, 035, 036
create table providers (
  id uuid not null,
  email text not null,
  password_hash text not null,
  display_name text not null,
  organization text not null,
  npi text,
  google_subject text,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint providers_pkey PRIMARY KEY (id),
  constraint providers_google_subject_key UNIQUE (google_subject)
);
CREATE INDEX providers_npi ON providers USING btree (npi) WHERE npi IS NOT NULL;
CREATE UNIQUE INDEX providers_email ON providers USING btree (lower(email));
CREATE TRIGGER end_password_links AFTER UPDATE OF email, disabled_at ON providers FOR EACH ROW WHEN (old.email IS DISTINCT FROM new.email OR old.disabled_at IS DISTINCT FROM new.disabled_at) EXECUTE FUNCTION app.end_password_links();
grant insert, select, update (password_hash, google_subject, disabled_at) on providers to vrss_runtime;
grant select on providers to vrss_backup;

-- rate_limit_spendings: migrations 012
create table rate_limit_spendings (
  key bytea not null,
  spent_at timestamp with time zone not null,
  permits integer not null,
  constraint rate_limit_spendings_permits_check CHECK (permits > 0)
);
CREATE INDEX rate_limit_spendings_age ON rate_limit_spendings USING btree (spent_at);
CREATE INDEX rate_limit_spendings_key ON rate_limit_spendings USING btree (key, spent_at);
grant delete, insert, select, update (permits) on rate_limit_spendings to vrss_runtime;
grant select on rate_limit_spendings to vrss_backup;

-- record_looks: migrations 028, 037
create table record_looks (
  veteran_id uuid not null,
  provider_id uuid not null,
  looked_at timestamp with time zone not null,
  seen_until timestamp with time zone not null,
  looked_before_at timestamp with time zone,
  seen_before_until timestamp with time zone,
  constraint record_looks_pkey PRIMARY KEY (veteran_id, provider_id),
  constraint record_looks_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint record_looks_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint record_looks_check CHECK ((looked_before_at IS NULL) = (seen_before_until IS NULL))
);
alter table record_looks enable row level security, force row level security;
create policy backup_reads on record_looks for select to vrss_backup
  using (true);
create policy functions_keep on record_looks for all to vrss_owner
  using (true)
  with check (true);
create policy provider_reads_own on record_looks for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'provider'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)) AND provider_id = (( SELECT app.actor_provider() AS actor_provider)) AND (EXISTS ( SELECT
   FROM app.active_grants() active_grants(resource_types, sensitive_categories, include_self_reported, include_documents))));
CREATE TRIGGER need_their_veteran BEFORE INSERT ON record_looks FOR EACH ROW EXECUTE FUNCTION app.require_veteran();
grant select on record_looks to vrss_backup;
grant select on record_looks to vrss_runtime;

-- roi_revocations: migrations 008, 014, 037
create table roi_revocations (
  veteran_id uuid not null,
  document_id uuid not null,
  revoked_at timestamp with time zone default now() not null,
  superseded_by uuid,
  constraint roi_revocations_pkey PRIMARY KEY (veteran_id, document_id),
  constraint roi_revocations_veteran_id_document_id_fkey FOREIGN KEY (veteran_id, document_id) REFERENCES documents(veteran_id, id) ON DELETE CASCADE
);
CREATE TRIGGER roi_revocations_end_links AFTER INSERT ON roi_revocations FOR EACH ROW EXECUTE FUNCTION app.end_links();
CREATE TRIGGER roi_revocations_take_turns BEFORE INSERT ON roi_revocations FOR EACH ROW EXECUTE FUNCTION app.take_turn_of_end();
grant insert (veteran_id, document_id, superseded_by), select on roi_revocations to vrss_runtime;
grant select on roi_revocations to vrss_backup;

-- schema_migrations: migrations 
create table schema_migrations (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);
grant select (name, sha256) on schema_migrations to vrss_runtime;
grant select on schema_migrations to vrss_backup;

-- secure_link_otps: migrations 014, 024
create table secure_link_otps (
  veteran_id uuid not null,
  link_id uuid not null,
  id uuid not null,
  code_hash bytea not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  tries integer default 0 not null,
  ended_at timestamp with time zone,
  constraint secure_link_otps_pkey PRIMARY KEY (veteran_id, link_id, id),
  constraint secure_link_otps_veteran_id_link_id_fkey FOREIGN KEY (veteran_id, link_id) REFERENCES secure_links(veteran_id, id) ON DELETE CASCADE,
  constraint secure_link_otps_code_hash_check CHECK (octet_length(code_hash) = 32),
  constraint secure_link_otps_tries_check CHECK (tries >= 0)
);
CREATE INDEX secure_link_otps_age ON secure_link_otps USING btree (created_at);
grant select on secure_link_otps to vrss_backup;

-- secure_link_view_sessions: migrations 014, 024, 042
create table secure_link_view_sessions (
  veteran_id uuid not null,
  link_id uuid not null,
  session_hash bytea not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  consumed_at timestamp with time zone,
  sent_bytes bigint default 0 not null,
  transfer_id uuid,
  broke_at timestamp with time zone,
  is_over boolean default false not null,
  via text default 'page'::text not null,
  constraint secure_link_view_sessions_pkey PRIMARY KEY (veteran_id, link_id, session_hash),
  constraint secure_link_view_sessions_session_hash_key UNIQUE (session_hash),
  constraint secure_link_view_sessions_veteran_id_link_id_fkey FOREIGN KEY (veteran_id, link_id) REFERENCES secure_links(veteran_id, id) ON DELETE CASCADE,
  constraint secure_link_view_sessions_session_hash_check CHECK (octet_length(session_hash) = 32),
  constraint secure_link_view_sessions_via_check CHECK (via = ANY (ARRAY['page'::text, 'app'::text]))
);
CREATE INDEX secure_link_view_sessions_age ON secure_link_view_sessions USING btree (created_at);
grant select (veteran_id, link_id, session_hash, via) on secure_link_view_sessions to vrss_runtime;
grant select on secure_link_view_sessions to vrss_backup;

-- secure_links: migrations 014, 020, 024, 037, 042, 048, 049
create table secure_links (
  veteran_id uuid not null,
  id uuid not null,
  document_id uuid,
  recipient_name text not null,
  recipient_email_ciphertext bytea not null,
  token_hash bytea not null,
  status text default 'active'::text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  notified_at timestamp with time zone,
  opened_at timestamp with time zone,
  code_sent_at timestamp with time zone,
  viewed_at timestamp with time zone,
  wrong_codes integer default 0 not null,
  shl_hash bytea,
  shl_storage_key text,
  shl_file_key bytea,
  shl_byte_size bigint,
  shl_sha256 bytea,
  claimed_recipient_ciphertext bytea,
  viewed_via text,
  recipient_hash bytea,
  constraint secure_links_pkey PRIMARY KEY (veteran_id, id),
  constraint secure_links_id_key UNIQUE (id),
  constraint secure_links_shl_hash_key UNIQUE (shl_hash),
  constraint secure_links_token_hash_key UNIQUE (token_hash),
  constraint secure_links_shl_storage_key_fkey FOREIGN KEY (shl_storage_key) REFERENCES stored_files(storage_key),
  constraint secure_links_veteran_id_document_id_fkey FOREIGN KEY (veteran_id, document_id) REFERENCES documents(veteran_id, id) ON DELETE SET NULL (document_id),
  constraint secure_links_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint secure_links_bundle CHECK (num_nulls(shl_storage_key, shl_file_key, shl_byte_size, shl_sha256) = ANY (ARRAY[0, 4])),
  constraint secure_links_bundle_of_app CHECK (shl_hash IS NOT NULL OR shl_storage_key IS NULL),
  constraint secure_links_recipient_hash_check CHECK (octet_length(recipient_hash) = 32),
  constraint secure_links_shl_hash_check CHECK (octet_length(shl_hash) = 32),
  constraint secure_links_shl_sha256_check CHECK (octet_length(shl_sha256) = 32),
  constraint secure_links_status_check CHECK (status = ANY (ARRAY['active'::text, 'disabled'::text, 'expired'::text])),
  constraint secure_links_token_hash_check CHECK (octet_length(token_hash) = 32),
  constraint secure_links_viewed_via_check CHECK (viewed_via = ANY (ARRAY['page'::text, 'app'::text])),
  constraint secure_links_wrong_codes_check CHECK (wrong_codes >= 0)
);
CREATE INDEX secure_links_active ON secure_links USING btree (veteran_id, id) WHERE status = 'active'::text;
CREATE INDEX secure_links_bundles ON secure_links USING btree (shl_storage_key) WHERE shl_storage_key IS NOT NULL;
CREATE INDEX secure_links_document ON secure_links USING btree (veteran_id, document_id) WHERE document_id IS NOT NULL;
CREATE INDEX secure_links_due ON secure_links USING btree (expires_at) WHERE status = 'active'::text;
CREATE INDEX secure_links_ending ON secure_links USING btree (veteran_id, expires_at) WHERE status = 'active'::text;
CREATE INDEX secure_links_recipient ON secure_links USING btree (veteran_id, recipient_hash);
CREATE TRIGGER deleted_links_lose_bundles BEFORE DELETE ON secure_links FOR EACH ROW WHEN (old.shl_storage_key IS NOT NULL) EXECUTE FUNCTION app.end_bundle();
CREATE TRIGGER ended_links_are_proved AFTER UPDATE OF status ON secure_links FOR EACH ROW WHEN (old.status = 'active'::text AND new.status = 'disabled'::text) EXECUTE FUNCTION app.prove_link();
CREATE TRIGGER ended_links_lose_bundles BEFORE UPDATE OF status ON secure_links FOR EACH ROW WHEN (old.shl_storage_key IS NOT NULL AND new.status <> 'active'::text) EXECUTE FUNCTION app.end_bundle();
CREATE TRIGGER links_are_proved AFTER INSERT ON secure_links FOR EACH ROW EXECUTE FUNCTION app.prove_link();
CREATE TRIGGER links_may_be_refused BEFORE INSERT ON secure_links FOR EACH ROW EXECUTE FUNCTION app.refuse_sharing();
CREATE TRIGGER secure_links_ended AFTER UPDATE OF status ON secure_links FOR EACH ROW EXECUTE FUNCTION app.tell_link_ended();
CREATE TRIGGER secure_links_final BEFORE UPDATE OF status, disabled_at ON secure_links FOR EACH ROW EXECUTE FUNCTION app.keep_final_status();
grant insert (veteran_id, id, document_id, recipient_name, recipient_email_ciphertext, token_hash, expires_at, shl_hash, shl_storage_key, shl_file_key, shl_byte_size, shl_sha256, recipient_hash), select, update (status, disabled_at) on secure_links to vrss_runtime;
grant select (veteran_id, id, recipient_email_ciphertext, shl_file_key, claimed_recipient_ciphertext), update (recipient_email_ciphertext, shl_file_key, claimed_recipient_ciphertext) on secure_links to vrss_rotation;
grant select on secure_links to vrss_backup;

-- self_reported_entries: migrations 010, 019, 022, 028, 037, 049
create table self_reported_entries (
  id uuid not null,
  veteran_id uuid not null,
  category text not null,
  body_ciphertext bytea not null,
  occurred_on date,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  constraint self_reported_entries_pkey PRIMARY KEY (veteran_id, id),
  constraint self_reported_entries_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint self_reported_entries_body_ciphertext_check CHECK (octet_length(body_ciphertext) > 30),
  constraint self_reported_entries_category_check CHECK (category = ANY (ARRAY['symptom'::text, 'medication'::text, 'allergy'::text, 'vital'::text, 'note'::text]))
);
CREATE INDEX self_reported_entries_changed ON self_reported_entries USING btree (veteran_id, updated_at);
CREATE INDEX self_reported_entries_shown ON self_reported_entries USING btree (veteran_id, id) WHERE deleted_at IS NULL;
alter table self_reported_entries enable row level security, force row level security;
create policy backup_reads on self_reported_entries for select to vrss_backup
  using (true);
create policy functions_forget on self_reported_entries for all to vrss_owner
  using ((( SELECT app.actor() AS actor)) = 'forgetting'::text);
create policy provider_reads_granted on self_reported_entries for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'provider'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)) AND deleted_at IS NULL AND (EXISTS ( SELECT
   FROM app.active_grants() g(resource_types, sensitive_categories, include_self_reported, include_documents)
  WHERE g.include_self_reported)));
create policy rotation_reseals on self_reported_entries for all to vrss_rotation
  using (true);
create policy veteran_owns on self_reported_entries for all to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'veteran'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)));
CREATE TRIGGER deleted_entries_are_counted AFTER UPDATE OF deleted_at ON self_reported_entries FOR EACH ROW WHEN ((new.deleted_at IS NULL) <> (old.deleted_at IS NULL)) EXECUTE FUNCTION app.count_entry();
CREATE TRIGGER entries_are_counted AFTER INSERT ON self_reported_entries FOR EACH ROW WHEN (new.deleted_at IS NULL) EXECUTE FUNCTION app.count_entry();
CREATE TRIGGER need_their_veteran BEFORE INSERT ON self_reported_entries FOR EACH ROW EXECUTE FUNCTION app.require_veteran();
grant insert, select, update on self_reported_entries to vrss_runtime;
grant select (id, veteran_id, body_ciphertext), update (body_ciphertext) on self_reported_entries to vrss_rotation;
grant select on self_reported_entries to vrss_backup;

-- spent_tokens: migrations 032
create table spent_tokens (
  hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint spent_tokens_pkey PRIMARY KEY (hash),
  constraint spent_tokens_hash_check CHECK (octet_length(hash) = 32)
);
CREATE INDEX spent_tokens_end ON spent_tokens USING btree (expires_at);
grant select on spent_tokens to vrss_backup;

-- storage_used: migrations 019
create table storage_used (
  veteran_id uuid not null,
  upload_bytes bigint default 0 not null,
  release_bytes bigint default 0 not null,
  entries integer default 0 not null,
  deleted_entries integer default 0 not null,
  notes integer default 0 not null,
  constraint storage_used_pkey PRIMARY KEY (veteran_id),
  constraint storage_used_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id)
);
grant select on storage_used to vrss_backup;
grant select on storage_used to vrss_runtime;

-- stored_files: migrations 006, 042, 045
create table stored_files (
  storage_key text not null,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  veteran_id uuid,
  constraint stored_files_pkey PRIMARY KEY (storage_key),
  constraint stored_files_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id)
);
CREATE INDEX stored_files_ended ON stored_files USING btree (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX stored_files_veteran ON stored_files USING btree (veteran_id);
grant delete, insert, select on stored_files to vrss_runtime;
grant select on stored_files to vrss_backup;

-- veteran_deletions: migrations 037
create table veteran_deletions (
  veteran_id uuid not null,
  asked_at timestamp with time zone default clock_timestamp() not null,
  ends_at timestamp with time zone not null,
  begun_at timestamp with time zone,
  address text,
  constraint veteran_deletions_pkey PRIMARY KEY (veteran_id),
  constraint veteran_deletions_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint veteran_deletions_check CHECK ((begun_at IS NULL) = (address IS NULL))
);
CREATE INDEX veteran_deletions_due ON veteran_deletions USING btree (ends_at);
alter table veteran_deletions enable row level security, force row level security;
create policy backup_reads on veteran_deletions for select to vrss_backup
  using (true);
create policy functions_keep on veteran_deletions for all to vrss_owner
  using (true)
  with check (true);
grant select on veteran_deletions to vrss_backup;

-- veteran_identities: migrations 032, 037
create table veteran_identities (
  veteran_id uuid not null,
  id uuid not null,
  issuer text not null,
  subject_hash bytea not null,
  how text not null,
  paired_at timestamp with time zone default clock_timestamp() not null,
  constraint veteran_identities_pkey PRIMARY KEY (veteran_id, id),
  constraint veteran_identities_issuer_subject_hash_key UNIQUE (issuer, subject_hash),
  constraint veteran_identities_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint veteran_identities_how_check CHECK (how = ANY (ARRAY['mail'::text, 'operator'::text, 'session'::text])),
  constraint veteran_identities_subject_hash_check CHECK (octet_length(subject_hash) = 32)
);
alter table veteran_identities enable row level security, force row level security;
create policy backup_reads on veteran_identities for select to vrss_backup
  using (true);
create policy functions_keep on veteran_identities for all to vrss_owner
  using (true)
  with check (true);
create policy veteran_reads on veteran_identities for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'veteran'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)));
CREATE TRIGGER need_their_veteran BEFORE INSERT ON veteran_identities FOR EACH ROW EXECUTE FUNCTION app.require_veteran();
grant select on veteran_identities to vrss_backup;
grant select on veteran_identities to vrss_runtime;

-- veteran_networks: migrations 026, 037, 040
create table veteran_networks (
  veteran_id uuid not null,
  network bytea not null,
  seen_at timestamp with time zone default clock_timestamp() not null,
  constraint veteran_networks_pkey PRIMARY KEY (veteran_id, network),
  constraint veteran_networks_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint veteran_networks_network_check CHECK (octet_length(network) = 32)
);
CREATE INDEX veteran_networks_age ON veteran_networks USING btree (seen_at);
CREATE TRIGGER need_their_veteran BEFORE INSERT ON veteran_networks FOR EACH ROW EXECUTE FUNCTION app.require_veteran();
grant select on veteran_networks to vrss_backup;

-- veteran_notices: migrations 038
create table veteran_notices (
  veteran_id uuid not null,
  looks text default 'daily'::text not null,
  endings boolean default true not null,
  stale_after_days integer default 30,
  day date default '-infinity'::date not null,
  sent integer default 0 not null,
  is_over boolean default false not null,
  synced_at timestamp with time zone,
  is_stale_told boolean default false not null,
  constraint veteran_notices_pkey PRIMARY KEY (veteran_id),
  constraint veteran_notices_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id) ON DELETE CASCADE,
  constraint veteran_notices_looks_check CHECK (looks = ANY (ARRAY['each'::text, 'daily'::text, 'off'::text])),
  constraint veteran_notices_stale_after_days_check CHECK (stale_after_days >= 7 AND stale_after_days <= 365)
);
CREATE INDEX veteran_notices_each ON veteran_notices USING btree (veteran_id) WHERE looks = 'each'::text;
CREATE INDEX veteran_notices_stale ON veteran_notices USING btree (synced_at) WHERE NOT is_stale_told AND stale_after_days IS NOT NULL;
alter table veteran_notices enable row level security, force row level security;
create policy backup_reads on veteran_notices for select to vrss_backup
  using (true);
create policy functions_keep on veteran_notices for all to vrss_owner
  using (true)
  with check (true);
create policy veteran_owns on veteran_notices for all to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'veteran'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)));
grant select on veteran_notices to vrss_backup;
grant select, update (looks, endings, stale_after_days) on veteran_notices to vrss_runtime;

-- veteran_pairings: migrations 032, 037, 040, 045
create table veteran_pairings (
  id uuid not null,
  issuer text not null,
  subject_hash bytea not null,
  va_patient_hash bytea not null,
  veteran_id uuid,
  key_thumbprint bytea not null,
  device_name_ciphertext bytea,
  code_hash bytea,
  tries_left integer not null,
  expires_at timestamp with time zone not null,
  constraint veteran_pairings_pkey PRIMARY KEY (id),
  constraint veteran_pairings_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint veteran_pairings_code_hash_check CHECK (octet_length(code_hash) = 32),
  constraint veteran_pairings_key_thumbprint_check CHECK (octet_length(key_thumbprint) = 32),
  constraint veteran_pairings_subject_hash_check CHECK (octet_length(subject_hash) = 32),
  constraint veteran_pairings_va_patient_hash_check CHECK (octet_length(va_patient_hash) = 32)
);
CREATE INDEX veteran_pairings_end ON veteran_pairings USING btree (expires_at);
alter table veteran_pairings enable row level security, force row level security;
create policy backup_reads on veteran_pairings for select to vrss_backup
  using (true);
create policy functions_keep on veteran_pairings for all to vrss_owner
  using (true)
  with check (true);
grant select on veteran_pairings to vrss_backup;

-- veteran_passkeys: migrations 041
create table veteran_passkeys (
  veteran_id uuid not null,
  id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  algorithm integer not null,
  name_ciphertext bytea not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  last_used_at timestamp with time zone,
  constraint veteran_passkeys_pkey PRIMARY KEY (veteran_id, id),
  constraint veteran_passkeys_credential_id_key UNIQUE (credential_id),
  constraint veteran_passkeys_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint veteran_passkeys_algorithm_check CHECK (algorithm = ANY (ARRAY['-7'::integer, '-257'::integer])),
  constraint veteran_passkeys_credential_id_check CHECK (octet_length(credential_id) >= 1 AND octet_length(credential_id) <= 1023),
  constraint veteran_passkeys_public_key_check CHECK (octet_length(public_key) >= 1 AND octet_length(public_key) <= 1024)
);
alter table veteran_passkeys enable row level security, force row level security;
create policy backup_reads on veteran_passkeys for select to vrss_backup
  using (true);
create policy functions_keep on veteran_passkeys for all to vrss_owner
  using (true)
  with check (true);
create policy rotation_reseals on veteran_passkeys for all to vrss_rotation
  using (true);
create policy veteran_reads on veteran_passkeys for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'veteran'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)));
CREATE TRIGGER need_their_veteran BEFORE INSERT ON veteran_passkeys FOR EACH ROW EXECUTE FUNCTION app.require_veteran();
grant select (veteran_id, id, name_ciphertext), update (name_ciphertext) on veteran_passkeys to vrss_rotation;
grant select on veteran_passkeys to vrss_backup;
grant select on veteran_passkeys to vrss_runtime;

-- veteran_sessions: migrations 032, 037, 041, 049
create table veteran_sessions (
  veteran_id uuid not null,
  id uuid not null,
  key_thumbprint bytea not null,
  how text not null,
  device_name_ciphertext bytea,
  network text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  renewed_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  ended_at timestamp with time zone,
  confirmed_how text,
  constraint veteran_sessions_pkey PRIMARY KEY (veteran_id, id),
  constraint veteran_sessions_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id),
  constraint veteran_sessions_confirmed_how_check CHECK (confirmed_how = ANY (ARRAY['va'::text, 'passkey'::text])),
  constraint veteran_sessions_how_check CHECK (how = ANY (ARRAY['va'::text, 'passkey'::text])),
  constraint veteran_sessions_key_thumbprint_check CHECK (octet_length(key_thumbprint) = 32)
);
CREATE INDEX veteran_sessions_device ON veteran_sessions USING btree (veteran_id, key_thumbprint, created_at) WHERE device_name_ciphertext IS NOT NULL;
CREATE INDEX veteran_sessions_end ON veteran_sessions USING btree (expires_at);
CREATE INDEX veteran_sessions_id ON veteran_sessions USING btree (id);
CREATE INDEX veteran_sessions_open ON veteran_sessions USING btree (veteran_id, id) WHERE ended_at IS NULL;
alter table veteran_sessions enable row level security, force row level security;
create policy backup_reads on veteran_sessions for select to vrss_backup
  using (true);
create policy functions_keep on veteran_sessions for all to vrss_owner
  using (true)
  with check (true);
create policy rotation_reseals on veteran_sessions for all to vrss_rotation
  using (true);
create policy veteran_reads on veteran_sessions for select to vrss_runtime
  using ((( SELECT app.actor() AS actor)) = 'veteran'::text AND veteran_id = (( SELECT app.actor_veteran() AS actor_veteran)));
CREATE TRIGGER need_their_veteran BEFORE INSERT ON veteran_sessions FOR EACH ROW EXECUTE FUNCTION app.require_veteran();
grant select (veteran_id, id, device_name_ciphertext), update (device_name_ciphertext) on veteran_sessions to vrss_rotation;
grant select on veteran_sessions to vrss_backup;
grant select on veteran_sessions to vrss_runtime;

-- veteran_sharing_ends: migrations 037
create table veteran_sharing_ends (
  veteran_id uuid not null,
  ended_at timestamp with time zone not null,
  constraint veteran_sharing_ends_pkey PRIMARY KEY (veteran_id),
  constraint veteran_sharing_ends_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id)
);
grant select on veteran_sharing_ends to vrss_backup;

-- veteran_token_ends: migrations 032
create table veteran_token_ends (
  veteran_id uuid not null,
  ended_at timestamp with time zone not null,
  constraint veteran_token_ends_pkey PRIMARY KEY (veteran_id),
  constraint veteran_token_ends_veteran_id_fkey FOREIGN KEY (veteran_id) REFERENCES veterans(id)
);
grant select on veteran_token_ends to vrss_backup;

-- veterans: migrations 002, 032, 037, 038
create table veterans (
  id uuid not null,
  va_patient_id text not null,
  call_sign text not null,
  email text not null,
  created_at timestamp with time zone default now() not null,
  fhir_sync_manifest jsonb default '{}'::jsonb not null,
  fhir_list_hashes jsonb default '{}'::jsonb not null,
  pairing_code_hash bytea,
  pairing_code_ends_at timestamp with time zone,
  deleted_at timestamp with time zone,
  constraint veterans_pkey PRIMARY KEY (id),
  constraint veterans_va_patient_id_key UNIQUE (va_patient_id),
  constraint veterans_check CHECK ((pairing_code_hash IS NULL) = (pairing_code_ends_at IS NULL)),
  constraint veterans_pairing_code_hash_check CHECK (octet_length(pairing_code_hash) = 32)
);
CREATE INDEX veterans_email ON veterans USING btree (lower(email));
CREATE TRIGGER forgotten_stay_forgotten BEFORE UPDATE ON veterans FOR EACH ROW WHEN (old.deleted_at IS NOT NULL) EXECUTE FUNCTION app.refuse_forgotten();
CREATE TRIGGER veterans_have_notices AFTER INSERT ON veterans FOR EACH ROW EXECUTE FUNCTION app.begin_notices();
grant insert, select, update (call_sign, email, fhir_sync_manifest, fhir_list_hashes, pairing_code_hash, pairing_code_ends_at) on veterans to vrss_runtime;
grant select on veterans to vrss_backup;

-- waitlist_signups: migrations 011, 035
create table waitlist_signups (
  id uuid not null,
  email text not null,
  created_at timestamp with time zone default now() not null,
  constraint waitlist_signups_pkey PRIMARY KEY (id)
);
CREATE INDEX waitlist_signups_age ON waitlist_signups USING btree (created_at);
CREATE UNIQUE INDEX waitlist_signups_email ON waitlist_signups USING btree (lower(email));
grant delete, insert, select on waitlist_signups to vrss_runtime;
grant select on waitlist_signups to vrss_backup;

-- sql, stable, executed by public, 001_roles.sql
app.accepted_categories() returns text[]
-- sql, stable, security definer, executed by vrss_runtime, 004_consent_grants.sql
app.active_grants() returns TABLE(resource_types text[], sensitive_categories text[], include_self_reported boolean, include_documents boolean)
-- sql, stable, executed by public, 001_roles.sql
app.actor() returns text
-- sql, stable, executed by public, 001_roles.sql
app.actor_grant() returns uuid
-- sql, stable, executed by public, 001_roles.sql
app.actor_provider() returns uuid
-- sql, stable, executed by public, 032_veteran_sessions.sql
app.actor_session() returns uuid
-- sql, stable, executed by public, 001_roles.sql
app.actor_veteran() returns uuid
-- plpgsql, security definer, executed by vrss_runtime, 033_veteran_identities.sql
app.add_identity(proof bytea, proof_end timestamp with time zone, token bytea, token_end timestamp with time zone, veteran uuid, session uuid, thumbprint bytea, identity uuid, of_issuer text, of_subject bytea, patient text, most_identities integer, idle integer, confirmed_seconds integer) returns TABLE(status text, paired_at timestamp with time zone)
-- plpgsql, security definer, executed by vrss_runtime, 041_passkeys.sql
app.add_passkey(challenge bytea, challenge_end timestamp with time zone, veteran uuid, session uuid, passkey uuid, credential bytea, key bytea, of_algorithm integer, name bytea, most integer, idle integer, confirmed_seconds integer) returns TABLE(status text, created_at timestamp with time zone)
-- plpgsql, security definer, executed by vrss_runtime, 030_disclosure_subjects.sql
app.append_leaves(veterans uuid[], ids uuid[], ciphertexts bytea[], hashes bytea[], providers bytea[], subjects bytea[] DEFAULT NULL::bytea[], OUT tree_size bigint, OUT root_hash bytea) returns record
-- plpgsql, security definer, executed by vrss_runtime, 045_slots.sql
app.approve_request(request bytea, cookie bytea, new_grant uuid, types text[], categories text[], told_scope text, is_offline boolean, access_seconds integer, code bytea, code_seconds integer, per_veteran integer, per_client integer, veteran uuid) returns TABLE(status text, redirect_uri text, state text)
-- plpgsql, security definer, executed by vrss_runtime, 037_deletion.sql
app.ask_deletion(veteran uuid) returns TABLE(is_new boolean, ends_at timestamp with time zone)
-- plpgsql, security definer, executed by vrss_runtime, 038_exports_and_notices.sql
app.ask_email_change(veteran uuid, session uuid, challenge uuid, new_email text, code bytea, veteran_key bytea, changes_per_day integer, address_key bytea, codes_per_address integer, idle integer, confirmed_seconds integer) returns TABLE(status text, wait double precision)
-- plpgsql, security definer, executed by vrss_runtime, 048_bounds_of_acts.sql
app.ask_own_deletion(typed text, idle integer, confirmed_seconds integer) returns TABLE(status text, ends_at timestamp with time zone, is_new boolean)
-- plpgsql, 037_deletion.sql
app.begin_deletion(veteran uuid, idle integer) returns void
-- plpgsql, security definer, 038_exports_and_notices.sql
app.begin_notices() returns trigger
-- plpgsql, security definer, executed by vrss_runtime, 041_passkeys.sql
app.begin_passkey_session(proof bytea, proof_end timestamp with time zone, challenge bytea, challenge_end timestamp with time zone, veteran uuid, passkey uuid, thumbprint bytea, new_id uuid, device_name bytea, from_network text, most integer, idle integer, seconds integer, confirmed_seconds integer) returns TABLE(status text, veteran_id uuid, call_sign text, session_ends_at timestamp with time zone, seconds_left integer, previous_session_at timestamp with time zone, confirmed_until timestamp with time zone)
-- plpgsql, security definer, executed by vrss_runtime, 042_smart_health_links.sql
app.begin_transfer(view_session bytea, transfer uuid, resume_at bigint, size bigint, gone boolean, expires_in integer, resume_for integer, resume_bytes integer) returns text
-- plpgsql, security definer, executed by vrss_runtime, 032_veteran_sessions.sql
app.begin_veteran_session(proof bytea, proof_end timestamp with time zone, token bytea, token_end timestamp with time zone, of_issuer text, of_subject bytea, patient text, patient_hash bytea, thumbprint bytea, new_id uuid, sealed_for uuid, device_name bytea, from_network text, code bytea, codes_per_hour integer, wrong_per_day integer, pairing_seconds integer, tries integer, most integer, idle integer, seconds integer, confirmed_seconds integer) returns TABLE(status text, veteran_id uuid, call_sign text, session_ends_at timestamp with time zone, seconds_left integer, previous_session_at timestamp with time zone, confirmed_until timestamp with time zone)
-- sql, stable, 037_deletion.sql
app.by_service() returns boolean
-- plpgsql, security definer, executed by vrss_runtime, 037_deletion.sql
app.cancel_deletion(veteran uuid) returns text
-- plpgsql, security definer, executed by vrss_runtime, 037_deletion.sql
app.cancel_own_deletion() returns text
-- sql, immutable, executed by vrss_rotation and vrss_runtime, 005_health_record_items.sql
app.category_set(categories text[]) returns smallint
-- plpgsql, executed by vrss_runtime, 018_codes_per_address.sql
app.challenge_address(token bytea, challenge uuid, code bytea, resend_after integer, codes_per_hour integer, address_key bytea, codes_per_address integer) returns TABLE(status text, wait double precision, link_id uuid, veteran_id uuid, recipient_email_ciphertext bytea)
-- plpgsql, executed by vrss_runtime, 035_people_change.sql
app.challenge_at_address(request bytea, cookie bytea, veteran uuid, address text, code bytea, resend_after integer, from_network bytea, known_for interval, network_key bytea, codes_per_network integer, address_key bytea, codes_per_address integer) returns TABLE(status text, wait double precision)
-- plpgsql, security definer, executed by vrss_runtime, 026_request_codes_by_network.sql
app.challenge_from_network(request bytea, cookie bytea, veteran uuid, code bytea, resend_after integer, from_network bytea, known_for interval, network_key bytea, codes_per_network integer, address_key bytea, codes_per_address integer) returns TABLE(status text, wait double precision)
-- plpgsql, security definer, executed by vrss_runtime, 015_secure_link_steps.sql
app.challenge_recipient(token bytea, challenge uuid, code bytea, resend_after integer, codes_per_hour integer) returns TABLE(status text, wait double precision, link_id uuid, veteran_id uuid, recipient_email_ciphertext bytea)
-- plpgsql, security definer, executed by vrss_runtime, 023_oauth.sql
app.challenge_request(request bytea, cookie bytea, veteran uuid, code bytea, resend_after integer, address_key bytea, codes_per_address integer) returns TABLE(status text, wait double precision)
-- plpgsql, executed by vrss_runtime, 036_provider_passwords.sql
app.change_password(provider uuid, session uuid, checked_hash text, new_hash text) returns boolean
-- plpgsql, security definer, executed by vrss_runtime, 033_veteran_identities.sql
app.change_patient(veteran uuid, patient text, idle integer) returns text
-- plpgsql, security definer, executed by vrss_runtime, 035_people_change.sql
app.change_provider(provider uuid, new_email text, new_name text, new_organization text, npi_given boolean, new_npi text) returns text
-- plpgsql, security definer, executed by vrss_runtime, 035_people_change.sql
app.change_veteran_email(veteran uuid, new_email text, by_veteran boolean) returns text
-- plpgsql, 033_veteran_identities.sql
app.check_device(proof bytea, proof_end timestamp with time zone, token bytea, token_end timestamp with time zone, veteran uuid, session uuid, thumbprint bytea, patient text, idle integer) returns text
-- sql, stable, 042_smart_health_links.sql
app.code_out(link secure_links, expires_in integer, tries_per_code integer) returns uuid
-- plpgsql, security definer, executed by vrss_runtime, 041_passkeys.sql
app.confirm_by_passkey(proof bytea, proof_end timestamp with time zone, challenge bytea, challenge_end timestamp with time zone, veteran uuid, session uuid, thumbprint bytea, passkey uuid, idle integer, confirmed_seconds integer) returns TABLE(status text, confirmed_until timestamp with time zone)
-- plpgsql, security definer, executed by vrss_runtime, 041_passkeys.sql
app.confirm_veteran_session(proof bytea, proof_end timestamp with time zone, token bytea, token_end timestamp with time zone, veteran uuid, session uuid, thumbprint bytea, of_issuer text, of_subject bytea, patient text, idle integer, confirmed_seconds integer) returns TABLE(status text, confirmed_until timestamp with time zone)
-- sql, executed by vrss_runtime, 048_bounds_of_acts.sql
app.count_act(for_key bytea, allowed integer, span double precision) returns TABLE(granted integer, retry_after double precision, moment timestamp with time zone)
-- plpgsql, security definer, 019_storage_used.sql
app.count_entry() returns trigger
-- plpgsql, 005_health_record_items.sql
app.count_items() returns trigger
-- plpgsql, security definer, 031_sharing.sql
app.count_look() returns trigger
-- plpgsql, security definer, 019_storage_used.sql
app.count_note() returns trigger
-- plpgsql, security definer, 019_storage_used.sql
app.count_release() returns trigger
-- plpgsql, security definer, 019_storage_used.sql
app.count_upload() returns trigger
-- sql, security definer, executed by vrss_runtime, 023_oauth.sql
app.decided_request(request bytea, cookie bytea, code_seconds integer) returns TABLE(status text, redirect_uri text, state text)
-- plpgsql, stable, security definer, executed by vrss_runtime, 037_deletion.sql
app.deletion_of(veteran uuid) returns TABLE(ends_at timestamp with time zone)
-- plpgsql, stable, security definer, executed by vrss_runtime, 037_deletion.sql
app.deletions_due(most integer) returns TABLE(veteran_id uuid)
-- plpgsql, security definer, executed by vrss_runtime, 023_oauth.sql
app.deny_request(request bytea, cookie bytea) returns TABLE(status text, redirect_uri text, state text)
-- plpgsql, stable, security definer, executed by vrss_runtime, 045_slots.sql
app.email_addressee(veteran uuid, challenge uuid, expires_in integer) returns TABLE(email text)
-- plpgsql, security definer, executed by vrss_runtime, 041_passkeys.sql
app.end_access(veteran uuid, idle integer) returns TABLE(sessions integer, grants integer, apps integer, links integer, releases integer)
-- plpgsql, 032_veteran_sessions.sql
app.end_all_tokens(veteran uuid, idle integer, by_veteran boolean) returns void
-- plpgsql, security definer, executed by vrss_runtime, 032_veteran_sessions.sql
app.end_all_veteran_sessions(idle integer) returns void
-- plpgsql, 045_slots.sql
app.end_app_grant(of_grant uuid, reason text) returns boolean
-- plpgsql, security definer, 042_smart_health_links.sql
app.end_bundle() returns trigger
-- plpgsql, security definer, executed by vrss_runtime, 042_smart_health_links.sql
app.end_expired_bundles(most integer) returns integer
-- plpgsql, 014_secure_links.sql
app.end_links() returns trigger
-- plpgsql, 041_passkeys.sql
app.end_passkeys(veteran uuid, named uuid, by_veteran boolean) returns integer
-- plpgsql, 036_provider_passwords.sql
app.end_password_links() returns trigger
-- plpgsql, 032_veteran_sessions.sql
app.end_sessions(veteran uuid, named uuid[], idle integer, by_veteran boolean) returns void
-- plpgsql, 037_deletion.sql
app.end_sharing(veteran uuid, by_veteran boolean, OUT grants integer, OUT apps integer, OUT links integer, OUT releases integer) returns record
-- sql, security definer, executed by vrss_runtime, 015_secure_link_steps.sql
app.end_transfer(veteran uuid, transfer uuid, sent bigint, over boolean) returns void
-- plpgsql, security definer, executed by vrss_runtime, 032_veteran_sessions.sql
app.end_veteran_session(session uuid, idle integer) returns boolean
-- plpgsql, 038_exports_and_notices.sql
app.endings_due(veteran uuid) returns TABLE(veteran_id uuid, subject_id uuid, ends_at timestamp with time zone)
-- plpgsql, stable, security definer, executed by vrss_runtime, 049_list_costs.sql
app.events_about(subjects bytea[], provider bytea, kinds text[], since uuid, before uuid, most integer) returns SETOF uuid
-- sql, security definer, executed by vrss_runtime, 015_secure_link_steps.sql
app.forget_challenge(veteran uuid, link uuid, challenge uuid) returns void
-- plpgsql, executed by vrss_runtime, 036_provider_passwords.sql
app.forget_password(link uuid, token bytea, address text, address_key bytea, per_day integer, seconds integer) returns void
-- sql, security definer, executed by vrss_runtime, 023_oauth.sql
app.forget_request_code(request bytea) returns void
-- plpgsql, 044_partitions.sql
app.forget_rows(veteran uuid, bound integer, OUT step text, OUT removed integer, OUT storage_keys text[]) returns record
-- plpgsql, security definer, 030_disclosure_subjects.sql
app.forget_subjects() returns trigger
-- plpgsql, security definer, executed by vrss_runtime, 037_deletion.sql
app.forget_veteran(veteran uuid, idle integer, most integer) returns TABLE(step text, removed integer, storage_keys text[])
-- plpgsql, immutable, 021_proof_tree.sql
app.full_tree_hash(hashes bytea) returns bytea
-- plpgsql, executed by vrss_runtime, 017_consent_limits.sql
app.has_room_for_grant(for_veteran uuid, for_grantee uuid, per_veteran integer, per_grantee integer) returns boolean
-- sql, stable, 023_oauth.sql
app.has_webhook(client uuid) returns boolean
-- sql, executed by vrss_runtime, 047_mail_lanes.sql
app.hold_mails(of_veteran uuid, mail uuid, kinds text[], seconds double precision) returns void
-- sql, stable, executed by vrss_runtime, 008_releases.sql
app.in_force(d documents) returns boolean
-- plpgsql, 033_veteran_identities.sql
app.is_confirmed(veteran uuid, session uuid, idle integer, confirmed_seconds integer) returns boolean
-- sql, 032_veteran_sessions.sql
app.is_live(session veteran_sessions, idle integer) returns boolean
-- plpgsql, security definer, 020_proofs.sql
app.is_new_this_minute(veteran uuid, act text, subject uuid) returns boolean
-- plpgsql, stable, security definer, executed by vrss_runtime, 048_bounds_of_acts.sql
app.is_of_new_device(veteran uuid, session uuid) returns boolean
-- sql, immutable, 025_record_limits.sql
app.item_bytes(raw_ciphertext bytea, refers_to bigint[]) returns bigint
-- sql, executed by vrss_runtime, 047_mail_lanes.sql
app.join_held(head uuid, of_veteran uuid, kinds text[], most integer) returns SETOF outbox
-- plpgsql, executed by public, 004_consent_grants.sql
app.keep_final_status() returns trigger
-- plpgsql, 032_veteran_sessions.sql
app.keep_identity(veteran uuid, identity uuid, of_issuer text, of_subject bytea, paired_how text) returns text
-- plpgsql, 037_deletion.sql
app.keep_leaf() returns trigger
-- plpgsql, security definer, 038_exports_and_notices.sql
app.keep_look() returns trigger
-- plpgsql, executed by vrss_runtime, 036_provider_passwords.sql
app.keep_password(provider uuid, session uuid, new_hash text) returns void
-- plpgsql, 008_releases.sql
app.keep_signed() returns trigger
-- plpgsql, security definer, 025_record_limits.sql
app.keep_tombstones() returns trigger
-- plpgsql, stable, security definer, executed by vrss_runtime, 048_bounds_of_acts.sql
app.known_way_in(veteran uuid, session uuid, passkey uuid, most_devices integer) returns text
-- sql, stable, 021_proof_tree.sql
app.last_tile(of_level integer) returns proof_tiles
-- plpgsql, stable, security definer, executed by vrss_runtime, 037_deletion.sql
app.late_deletions() returns integer
-- plpgsql, stable, security definer, executed by vrss_runtime, 037_deletion.sql
app.leaves_held(first bigint, most integer, OUT expected integer, OUT held integer) returns record
-- sql, stable, executed by vrss_runtime, 014_secure_links.sql
app.link_status(link secure_links) returns text
-- sql, stable, security definer, executed by vrss_runtime, 014_secure_links.sql
app.linked_documents() returns TABLE(veteran_id uuid, document_id uuid)
-- plpgsql, executed by vrss_runtime, 028_record_looks.sql
app.listed_patients(veterans uuid[], bytes bigint, largest integer) returns TABLE(veteran_id uuid, resource_types text[], looked_at timestamp with time zone, changed boolean, fhir_id text, raw_ciphertext bytea)
-- sql, 015_secure_link_steps.sql
app.lock_link(token bytea) returns secure_links
-- sql, 023_oauth.sql
app.lock_request(request bytea, cookie bytea) returns oauth_requests
-- sql, 032_veteran_sessions.sql
app.lock_sessions(veteran uuid) returns void
-- sql, 021_proof_tree.sql
app.lock_tree() returns void
-- plpgsql, stable, security definer, executed by vrss_runtime, 031_sharing.sql
app.looks_at(subjects uuid[]) returns SETOF looks_counted
-- plpgsql, executed by vrss_runtime, 036_provider_passwords.sql
app.mail_password_link(link uuid, token bytea, provider uuid, reason text, seconds integer) returns text
-- plpgsql, security definer, executed by vrss_runtime, 029_provider_invitations.sql
app.make_invitation(provider uuid, invitation uuid, hash bytea, days integer, most integer) returns SETOF provider_invitations
-- plpgsql, security definer, executed by vrss_runtime, 025_record_limits.sql
app.make_room(bytes bigint) returns integer
-- sql, stable, executed by vrss_runtime, 008_releases.sql
app.may_forget(d documents) returns boolean
-- sql, immutable, 026_request_codes_by_network.sql
app.network_of(veteran uuid, from_network bytea) returns bytea
-- plpgsql, security definer, executed by vrss_runtime, 015_secure_link_steps.sql
app.note_code_sent(veteran uuid, link uuid) returns void
-- plpgsql, 041_passkeys.sql
app.note_confirmed(veteran uuid, session uuid, by_what text, idle integer, confirmed_seconds integer) returns timestamp with time zone
-- plpgsql, 037_deletion.sql
app.note_deletion(veteran uuid, by_veteran boolean) returns timestamp with time zone
-- plpgsql, security definer, executed by vrss_runtime, 038_exports_and_notices.sql
app.note_export(veteran uuid, by_veteran boolean) returns void
-- plpgsql, 041_passkeys.sql
app.note_identity_removed(veteran uuid, by_veteran boolean, idle integer) returns void
-- plpgsql, security definer, executed by vrss_runtime, 028_record_looks.sql
app.note_look(at timestamp with time zone, seen timestamp with time zone) returns void
-- sql, security definer, executed by vrss_runtime, 015_secure_link_steps.sql
app.note_notified(veteran uuid, link uuid) returns void
-- plpgsql, security definer, 038_exports_and_notices.sql
app.note_sync() returns trigger
-- plpgsql, security definer, executed by vrss_runtime, 038_exports_and_notices.sql
app.notices_due() returns TABLE(veteran_id uuid)
-- plpgsql, security definer, executed by vrss_runtime, 015_secure_link_steps.sql
app.open_link(token bytea) returns TABLE(status text, link_id uuid, veteran_id uuid, recipient_email_ciphertext bytea, expires_at timestamp with time zone)
-- sql, 041_passkeys.sql
app.open_session(veteran uuid, session uuid, thumbprint bytea, device_name bytea, from_network text, most integer, idle integer, seconds integer) returns void
-- plpgsql, 041_passkeys.sql
app.open_session_by(how_begun text, veteran uuid, session uuid, thumbprint bytea, device_name bytea, from_network text, most integer, idle integer, seconds integer) returns void
-- plpgsql, security definer, executed by vrss_runtime, 032_veteran_sessions.sql
app.pair(proof bytea, proof_end timestamp with time zone, pairing uuid, thumbprint bytea, mailed_code bytea, operator_code bytea, identity uuid, from_network text, wrong_per_day integer, most_identities integer, most integer, idle integer, seconds integer, confirmed_seconds integer) returns TABLE(status text, attempts_left integer, veteran_id uuid, call_sign text, session_ends_at timestamp with time zone, seconds_left integer, previous_session_at timestamp with time zone, confirmed_until timestamp with time zone)
-- sql, security definer, executed by vrss_runtime, 032_veteran_sessions.sql
app.pair_by_hand(veteran uuid, identity uuid, of_issuer text, of_subject bytea) returns text
-- plpgsql, security definer, executed by vrss_runtime, 045_slots.sql
app.pairing_addressee(veteran uuid, pairing uuid) returns TABLE(email text)
-- sql, stable, security definer, executed by vrss_runtime, 042_smart_health_links.sql
app.passcode_state(shl bytea, expires_in integer, tries_per_code integer) returns TABLE(status text, veteran_id uuid, link_id uuid, token_hash bytea, challenge uuid, wrong_codes integer, created_at timestamp with time zone, byte_size integer)
-- plpgsql, stable, security definer, executed by vrss_runtime, 041_passkeys.sql
app.passkey_of(credential bytea, thumbprint bytea) returns TABLE(veteran_id uuid, id uuid, public_key bytea, algorithm integer, named_session uuid, device_name bytea)
-- plpgsql, stable, security definer, executed by vrss_runtime, 021_proof_tree.sql
app.proof_tree(OUT tree_size bigint, OUT root_hash bytea) returns record
-- plpgsql, stable, security definer, executed by vrss_runtime, 021_proof_tree.sql
app.proofs_waiting(OUT seconds double precision, OUT set_aside bigint) returns record
-- plpgsql, security definer, executed by vrss_runtime, 027_app_access_minutes.sql
app.prove_app_reading(types jsonb) returns void
-- plpgsql, security definer, 041_passkeys.sql
app.prove_document() returns trigger
-- plpgsql, security definer, 037_deletion.sql
app.prove_grant() returns trigger
-- plpgsql, security definer, 042_smart_health_links.sql
app.prove_link() returns trigger
-- plpgsql, security definer, 020_proofs.sql
app.prove_note() returns trigger
-- plpgsql, security definer, executed by vrss_runtime, 020_proofs.sql
app.prove_reading(document uuid) returns void
-- plpgsql, security definer, executed by vrss_runtime, 028_record_looks.sql
app.prove_saving(saved_under uuid, types jsonb) returns void
-- plpgsql, security definer, executed by vrss_runtime, 043_shapes.sql
app.prove_shape(document uuid, shared_under uuid) returns void
-- sql, 020_proofs.sql
app.prove_step(link secure_links, act text) returns void
-- plpgsql, security definer, executed by vrss_runtime, 020_proofs.sql
app.prove_sync(types jsonb) returns void
-- plpgsql, security definer, executed by vrss_runtime, 020_proofs.sql
app.prove_view(shown_under uuid, types jsonb, besides jsonb) returns void
-- sql, executed by vrss_runtime, 036_provider_passwords.sql
app.provider_of_password_link(token bytea) returns uuid
-- sql, 038_exports_and_notices.sql
app.put_notice(veteran uuid, facts jsonb) returns void
-- plpgsql, security definer, executed by vrss_runtime, 023_oauth.sql
app.redeem_code(code bytea, client uuid, sent_redirect_uri text, sent_challenge text, code_seconds integer, family bytea, refresh_token bytea) returns TABLE(status text, grant_id uuid, veteran_id uuid, scope text, offline boolean, expires_at timestamp with time zone)
-- plpgsql, 034_admin_acts.sql
app.refuse_change() returns trigger
-- plpgsql, 037_deletion.sql
app.refuse_forgotten() returns trigger
-- plpgsql, security definer, 037_deletion.sql
app.refuse_release() returns trigger
-- plpgsql, security definer, 037_deletion.sql
app.refuse_sharing() returns trigger
-- plpgsql, security definer, 037_deletion.sql
app.refuse_sync() returns trigger
-- sql, stable, executed by vrss_runtime, 008_releases.sql
app.release_status(d documents, r roi_revocations) returns text
-- sql, stable, executed by public, 001_roles.sql
app.released_types() returns text[]
-- plpgsql, executed by vrss_runtime, 037_deletion.sql
app.remove_document(veteran uuid, document uuid) returns TABLE(outcome text, storage_keys text[])
-- plpgsql, security definer, executed by vrss_runtime, 033_veteran_identities.sql
app.remove_identity(veteran uuid, session uuid, identity uuid, idle integer, confirmed_seconds integer) returns text
-- plpgsql, security definer, executed by vrss_runtime, 041_passkeys.sql
app.remove_passkey(passkey uuid) returns boolean
-- plpgsql, security definer, executed by vrss_runtime, 032_veteran_sessions.sql
app.renew_veteran_session(proof bytea, proof_end timestamp with time zone, session uuid, thumbprint bytea, from_network text, idle integer, confirmed_seconds integer) returns TABLE(status text, veteran_id uuid, call_sign text, session_ends_at timestamp with time zone, seconds_left integer, previous_session_at timestamp with time zone, confirmed_until timestamp with time zone)
-- plpgsql, security definer, 037_deletion.sql
app.require_veteran() returns trigger
-- plpgsql, security definer, executed by vrss_runtime, 023_oauth.sql
app.revoke_app_grant(of_grant uuid, of_family bytea, client uuid) returns void
-- plpgsql, security definer, executed by vrss_runtime, 023_oauth.sql
app.rotate_refresh_token(of_family bytea, old_token bytea, new_token bytea, client uuid) returns TABLE(status text, grant_id uuid, veteran_id uuid, client_id uuid, scope text, expires_at timestamp with time zone)
-- plpgsql, stable, security definer, executed by vrss_runtime, 037_deletion.sql
app.rows_of_nobody() returns TABLE(table_name text, rows bigint)
-- plpgsql, executed by vrss_runtime, 036_provider_passwords.sql
app.set_password(token bytea, new_hash text) returns boolean
-- plpgsql, security definer, executed by vrss_runtime, 021_proof_tree.sql
app.set_proofs_aside(veterans uuid[], ids uuid[], reasons text[]) returns void
-- sql, executed by vrss_runtime, 035_people_change.sql
app.share_sessions(veteran uuid) returns void
-- plpgsql, 038_exports_and_notices.sql
app.shares(veteran uuid) returns boolean
-- plpgsql, security definer, executed by vrss_runtime, 037_deletion.sql
app.sharing_refusal(veteran uuid, since timestamp with time zone DEFAULT now()) returns text
-- plpgsql, security definer, 025_record_limits.sql
app.size_items() returns trigger
-- plpgsql, 032_veteran_sessions.sql
app.spend_code(patient_hash bytea, codes_per_hour integer, wanted integer) returns boolean
-- plpgsql, executed by vrss_runtime, 012_rate_limits.sql
app.spend_permits(for_key bytea, allowed integer, span double precision, wanted integer) returns TABLE(granted integer, retry_after double precision, moment timestamp with time zone)
-- plpgsql, 032_veteran_sessions.sql
app.spend_token(token bytea, ends_at timestamp with time zone) returns boolean
-- plpgsql, security definer, executed by vrss_runtime, 037_deletion.sql
app.stop_sharing(OUT grants integer, OUT apps integer, OUT links integer, OUT releases integer) returns record
-- plpgsql, security definer, executed by vrss_runtime, 021_proof_tree.sql
app.store_checkpoint(new_note text, has_witness boolean) returns void
-- plpgsql, security definer, executed by vrss_runtime, 024_sweeps.sql
app.sweep(what text, after interval, most integer) returns integer
-- plpgsql, security definer, executed by vrss_runtime, 038_exports_and_notices.sql
app.sweep_email_changes(after interval, most integer) returns integer
-- plpgsql, security definer, executed by vrss_runtime, 025_record_limits.sql
app.sweep_inactive_items(after interval, most integer) returns integer
-- plpgsql, executed by vrss_runtime, 036_provider_passwords.sql
app.sweep_password_links(after interval, most integer) returns integer
-- plpgsql, security definer, executed by vrss_runtime, 032_veteran_sessions.sql
app.sweep_sign_ins(what text, after interval, most integer) returns integer
-- plpgsql, security definer, executed by vrss_runtime, 026_request_codes_by_network.sql
app.sweep_veteran_networks(after interval, most integer) returns integer
-- plpgsql, executed by vrss_runtime, 035_people_change.sql
app.sweep_waitlist(after interval, most integer) returns integer
-- plpgsql, 037_deletion.sql
app.take_deletion_back(veteran uuid, by_veteran boolean) returns text
-- sql, executed by vrss_runtime, 047_mail_lanes.sql
app.take_from(of_lane text) returns SETOF outbox
-- sql, executed by vrss_runtime, 013_outbox.sql
app.take_message(kinds text[]) returns SETOF outbox
-- sql, executed by vrss_runtime, 037_deletion.sql
app.take_sharing_turn(veteran uuid) returns void
-- plpgsql, security definer, 037_deletion.sql
app.take_turn_of_end() returns trigger
-- sql, executed by vrss_runtime, 001_roles.sql
app.takes_writes() returns boolean
-- plpgsql, security definer, 023_oauth.sql
app.tell_app() returns trigger
-- plpgsql, security definer, 023_oauth.sql
app.tell_apps_of_sync() returns trigger
-- plpgsql, 014_secure_links.sql
app.tell_link_ended() returns trigger
-- plpgsql, security definer, executed by vrss_runtime, 038_exports_and_notices.sql
app.tell_notices(veterans uuid[], per_day integer) returns integer
-- plpgsql, 038_exports_and_notices.sql
app.tell_veteran(veteran uuid, per_day integer) returns integer
-- plpgsql, security definer, executed by vrss_runtime, 037_deletion.sql
app.token_counts(veteran uuid, session uuid, not_before timestamp with time zone, idle integer) returns boolean
-- plpgsql, security definer, executed by vrss_runtime, 032_veteran_sessions.sql
app.token_still_counts(veteran uuid, session uuid, not_before timestamp with time zone, idle integer) returns boolean
-- sql, stable, security definer, executed by vrss_runtime, 032_veteran_sessions.sql
app.tokens_ended_at(veteran uuid) returns timestamp with time zone
-- plpgsql, security definer, executed by vrss_runtime, 015_secure_link_steps.sql
app.try_code(token bytea, challenge uuid, code bytea, view_session bytea, expires_in integer, tries_per_code integer, wrong_codes_per_link integer) returns TABLE(status text, attempts_left integer)
-- plpgsql, security definer, executed by vrss_runtime, 026_request_codes_by_network.sql
app.try_code_from_network(request bytea, cookie bytea, code bytea, expires_in integer, tries_per_request integer, from_network bytea, networks_per_veteran integer) returns TABLE(status text, attempts_left integer)
-- plpgsql, security definer, executed by vrss_runtime, 038_exports_and_notices.sql
app.try_email_code(challenge uuid, code bytea, expires_in integer, tries_per_code integer) returns TABLE(status text, attempts_left integer)
-- sql, executed by vrss_runtime, 021_proof_tree.sql
app.try_lock_tree() returns boolean
-- plpgsql, security definer, executed by vrss_runtime, 042_smart_health_links.sql
app.try_passcode(token bytea, challenge uuid, code bytea, view_session bytea, claimed bytea, expires_in integer, tries_per_code integer, wrong_codes_per_link integer) returns TABLE(status text, wrong_codes integer)
-- plpgsql, security definer, executed by vrss_runtime, 023_oauth.sql
app.try_request_code(request bytea, cookie bytea, code bytea, expires_in integer, tries_per_request integer) returns TABLE(status text, attempts_left integer, veteran_id uuid)
-- plpgsql, stable, security definer, executed by vrss_runtime, 021_proof_tree.sql
app.undrained_proofs(most integer) returns TABLE(veteran_id uuid, id uuid, kind text, at text, event text)
-- plpgsql, 041_passkeys.sql
app.use_passkey(veteran uuid, passkey uuid) returns boolean
-- sql, 020_proofs.sql
app.uuid_v7(moment timestamp with time zone) returns uuid
-- plpgsql, stable, security definer, executed by vrss_runtime, 008_releases.sql
app.verify_release(document uuid, digest bytea) returns TABLE(copy text, status text, signed_at timestamp with time zone, ends_at timestamp with time zone)
-- plpgsql, 032_veteran_sessions.sql
app.veteran_access(veteran uuid, session uuid, confirmed_seconds integer) returns TABLE(veteran_id uuid, call_sign text, session_ends_at timestamp with time zone, seconds_left integer, previous_session_at timestamp with time zone, confirmed_until timestamp with time zone)
-- plpgsql, security definer, executed by vrss_runtime, 023_oauth.sql
app.vouch_for_request(request bytea, cookie bytea, veteran uuid, assertion bytea, assertion_end timestamp with time zone) returns text
-- plpgsql, stable, security definer, executed by vrss_runtime, 038_exports_and_notices.sql
app.wants_looks(veteran uuid) returns boolean
-- plpgsql, security definer, 020_proofs.sql
app.write_proof(veteran uuid, act text, actor text, actor_id uuid, about jsonb) returns void
-- sql, 032_veteran_sessions.sql
app.wrong_codes(patient_hash bytea) returns bigint
