-- vrss_runtime holds what the web process may do; its login role is a member. vrss_backup reads everything and writes nothing.
-- vrss_rotation replaces sealed values when keys are rotated (migration 022).
-- Roles belong to the cluster, so they may be there already (made by an operator, or for another database).
do $$
declare
  role_name text;
begin
  foreach role_name in array array['vrss_runtime', 'vrss_backup', 'vrss_rotation'] loop
    begin
      execute format('create role %I nologin', role_name);
    exception when duplicate_object or unique_violation then null;
    end;
  end loop;
end $$;

revoke create on schema public from public;

-- A role that may make temporary types and functions has one more way to have its own code run in another's name. A database
-- does not take this with it: a dump that is restored into another database leaves it to whoever makes that one.
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
end $$;

create schema app;
grant usage on schema public, app to vrss_runtime;
-- At its start the web process compares what was applied with its own migrations; the doctor compares their texts, too.
grant select (name, sha256) on schema_migrations to vrss_runtime;

-- Backups may read later tables without a line in each migration; where row-level security holds, a table has a policy for
-- them.
grant usage on schema public, app to vrss_backup;
alter default privileges grant select on tables to vrss_backup;
alter default privileges grant select on sequences to vrss_backup;
grant select on schema_migrations to vrss_backup;

-- src/sql/Actor.ts states the actor of a transaction with transaction-local settings. After such a transaction a setting
-- reads '' instead of NULL, hence nullif. The types are qualified, because a function that is inlined is read with the search
-- path of whoever asks, where a temporary type comes first.
create function app.actor() returns text language sql stable parallel safe as
  $$ select nullif(current_setting('app.actor', true), '') $$;

create function app.actor_veteran() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('app.veteran_id', true), '')::pg_catalog.uuid $$;

create function app.actor_provider() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('app.provider_id', true), '')::pg_catalog.uuid $$;

-- An app acts under one grant of the veteran's.
create function app.actor_grant() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('app.grant_id', true), '')::pg_catalog.uuid $$;

-- What a release shows: null where nothing is stated, so that no row fits. An empty list of categories is stated as ','.
create function app.released_types() returns text[] language sql stable parallel safe as
  $$ select string_to_array(nullif(current_setting('app.resource_types', true), ''), ',') $$;

create function app.accepted_categories() returns text[] language sql stable parallel safe as
  $$ select string_to_array(nullif(current_setting('app.categories', true), ''), ',') $$;

-- Says whether the database takes writes, which a standby does not. The rows do not fit into work_mem, so that they go to a
-- temporary file, of which nothing stays: a full disk refuses it (53100) before a statement of somebody meets it.
create function app.takes_writes() returns boolean language sql set work_mem = '64kB' set temp_tablespaces = '' as
  $$ select count(*) > 0 and not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
     from generate_series(1, 10000) $$;
revoke all on function app.takes_writes from public;
grant execute on function app.takes_writes to vrss_runtime;
