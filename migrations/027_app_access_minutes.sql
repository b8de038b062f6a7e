-- An app's answers are told as a provider's views are (app.prove_view in 020): one row for a grant, a minute and what it
-- names. A type is noted as `Condition?` once it was asked for, and as `Condition` too once items of it were told. So an
-- answer with the first items of a type is told, although the same minute has an answer that found none.
create or replace function app.prove_app_reading(types jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  client pg_catalog.uuid := (
    select g.client_id from public.consent_grants g
    where g.veteran_id = app.actor_veteran() and g.id = app.actor_grant() and app.actor() = 'app'
  );
begin
  if client is null then raise exception 'no app is stated'; end if;
  insert into public.acts_noted as noted
  values (app.actor_veteran(), 'oauth_access_used', app.actor_grant(), date_trunc('minute', clock_timestamp()), array(
    select told.key || '?' from jsonb_each(types) as told
    union all select told.key from jsonb_each(types) as told where told.value > '0'
  ))
  on conflict (veteran_id, kind, subject_id) do update
  set minute = excluded.minute,
    resource_types = excluded.resource_types
      || case when noted.minute = excluded.minute then noted.resource_types else '{}' end
  where noted.minute <> excluded.minute or not noted.resource_types @> excluded.resource_types;
  if found then
    perform app.write_proof(app.actor_veteran(), 'oauth_access_used', 'app', client,
      jsonb_build_object('clientId', client, 'grantId', app.actor_grant(), 'resourceTypes', types));
  end if;
end $$;
