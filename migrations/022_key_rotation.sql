-- The program rotate-keys takes on the role vrss_rotation, which may read and replace sealed values and nothing else: it opens
-- and seals them outside of the database. The web process is no member, so that it gains nothing by this.
-- Whoever migrates may take the role on (SET ROLE), and is without its rights until then. Where others made the role, they grant it.
-- PostgreSQL 15 cannot grant that without the rights: there an administrator makes a login of its own for it.
do $$
begin
  if current_setting('server_version_num')::int >= 160000 then
    if not pg_has_role(current_user, 'vrss_rotation', 'set') then
      execute 'grant vrss_rotation to current_user with inherit false, set true';
    end if;
  end if;
exception when insufficient_privilege then null;
end $$;

grant usage on schema public, app to vrss_rotation;

grant select (veteran_id, resource_type, fhir_id, raw_ciphertext), update (raw_ciphertext) on health_record_items to vrss_rotation;
grant select (veteran_id, id, body_ciphertext), update (body_ciphertext) on self_reported_entries to vrss_rotation;
grant select (veteran_id, id, body_ciphertext), update (body_ciphertext) on provider_notes to vrss_rotation;
grant select (veteran_id, id, title, file_key, authorization_ciphertext, recipient_file_key, record_file_key),
  update (title, file_key, authorization_ciphertext, recipient_file_key, record_file_key) on documents to vrss_rotation;
grant select (veteran_id, id, recipient_email_ciphertext), update (recipient_email_ciphertext) on secure_links to vrss_rotation;
grant select (veteran_id, id, leaf_ciphertext), update (leaf_ciphertext) on proofs to vrss_rotation;

-- Where row-level security holds, the rights above are what limits the role.
create policy rotation_reseals on health_record_items to vrss_rotation using (true);
create policy rotation_reseals on self_reported_entries to vrss_rotation using (true);
create policy rotation_reseals on provider_notes to vrss_rotation using (true);
create policy rotation_reseals on documents to vrss_rotation using (true);
create policy rotation_reseals on proofs to vrss_rotation using (true);

-- The trigger that counts items runs for every update with the rights of who writes. A sealed value changes no count, and
-- without a policy the role could write none.
grant execute on function app.category_set to vrss_rotation;
grant select, insert, update on health_record_counts to vrss_rotation;

-- A rotation to the key `key_id` has walked a column up to this row, in the order of its key; a killed one goes on from there.
create table key_rotations (
  key_id text not null,
  column_name text not null,
  up_to text[] not null,
  primary key (key_id, column_name)
);

grant select, insert, update, delete on key_rotations to vrss_rotation;
