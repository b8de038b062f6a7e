-- The account of disclosures. Each act that matters writes its row in its own transaction, by the triggers and functions below:
-- where the row cannot be written the act fails, and no handler can do the one without the other. The drainer (migration 021)
-- makes each row a leaf of the Merkle tree, which seals what the row says.

-- Moment and id agree, as RFC 9562 (5.7, and 6.2, method 3) has it: 48 bits of milliseconds, 12 bits of the next fraction.
create function app.uuid_v7(moment timestamptz) returns uuid language sql volatile as $$
  select (
    lpad(to_hex(us / 1000), 12, '0') || to_hex(28672 + us % 1000 * 4096 / 1000)
      || right(replace(gen_random_uuid()::pg_catalog.text, '-', ''), 16)
  )::pg_catalog.uuid
  from (select (extract(epoch from moment) * 1000000)::pg_catalog.int8) as clock (us)
$$;
revoke all on function app.uuid_v7 from public;

-- veteran_id has no foreign key: only what follows inserts, from rows that have one, and a record view would pay for the check.
create table proofs (
  veteran_id uuid not null,
  id uuid not null,
  -- The order in which the drainer takes rows. One that commits late is taken late.
  seq bigint not null generated always as identity,
  kind text not null check (kind in ('sync_stored', 'grant_given', 'grant_revoked', 'record_viewed', 'note_written',
    'document_stored', 'document_read', 'roi_signed', 'link_created', 'link_opened', 'link_code_sent', 'link_code_failed',
    'link_viewed', 'link_revoked', 'oauth_access_granted', 'oauth_access_denied', 'oauth_token_refreshed', 'oauth_access_used',
    'oauth_access_revoked', 'oauth_code_replayed', 'oauth_refresh_replayed')),
  -- It is whole milliseconds, as the leaf has it.
  at timestamptz not null,
  -- Who did what to what, in ids and counts, until the drainer seals it together with a salt.
  event jsonb,
  leaf_ciphertext bytea,
  -- A keyed hash of the provider whom the sealed event concerns, so that the veteran's list can be filtered.
  provider_hash bytea check (octet_length(provider_hash) = 32),
  leaf_hash bytea check (octet_length(leaf_hash) = 32),
  tree_index bigint,
  -- Why the row cannot become a leaf.
  set_aside text,
  primary key (veteran_id, id),
  check ((tree_index is null) = (leaf_hash is null)),
  check (tree_index is null or event is null)
);

create index proofs_undrained on proofs (seq) where tree_index is null and set_aside is null;
create unique index proofs_leaf on proofs (tree_index) where tree_index is not null;

alter table proofs enable row level security;
alter table proofs force row level security;

create policy veteran_reads on proofs for select to vrss_runtime
  using ((select app.actor()) = 'veteran' and veteran_id = (select app.actor_veteran()));

-- Forced row-level security holds for the owner too, as whom the functions run.
create policy functions_keep on proofs to current_role using (true) with check (true);

create policy backup_reads on proofs for select to vrss_backup using (true);

grant select on proofs to vrss_runtime;

create function app.write_proof(veteran uuid, act text, actor text, actor_id uuid, about jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment pg_catalog.timestamptz := clock_timestamp();
begin
  insert into public.proofs (veteran_id, id, kind, at, event)
  values (veteran, app.uuid_v7(moment), act, date_trunc('milliseconds', moment),
    jsonb_strip_nulls(jsonb_build_object('actor', jsonb_build_object('kind', actor, 'id', actor_id)) || about));
end $$;
revoke all on function app.write_proof from public;

-- What was noted last of an act that one row a minute tells of: page after page of a record, tries that cost the one who
-- tries nothing.
create table acts_noted (
  veteran_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  minute timestamptz not null,
  -- Those that a view's row names.
  resource_types text[] not null default '{}',
  primary key (veteran_id, kind, subject_id)
) with (fillfactor = 70);

-- Tells whether this minute's row is still to be written.
create function app.is_new_this_minute(veteran uuid, act text, subject uuid) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.acts_noted as noted values (veteran, act, subject, date_trunc('minute', clock_timestamp()))
  on conflict (veteran_id, kind, subject_id) do update set minute = excluded.minute
  where noted.minute <> excluded.minute;
  return found;
end $$;
revoke all on function app.is_new_this_minute from public;

-- The stated veteran's sync was stored. `types` has each of its types and how many active items there are now.
create function app.prove_sync(types jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app.write_proof(app.actor_veteran(), 'sync_stored', 'veteran', app.actor_veteran(),
    jsonb_build_object('resourceTypes', types));
end $$;

-- The stated provider was shown the stated veteran's record. `types` has each type that was shown and how many items of it the
-- grants cover, `besides` how many entries, notes and documents. A further page of such a type in the same minute adds nothing.
-- This is what is_new_this_minute and write_proof do, in one function: each view pays for each call.
create function app.prove_view(shown_under uuid, types jsonb, besides jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moment pg_catalog.timestamptz := clock_timestamp();
  veteran pg_catalog.uuid := app.actor_veteran();
begin
  insert into public.acts_noted as noted
  values (veteran, 'record_viewed', shown_under, date_trunc('minute', moment), array(select jsonb_object_keys(types)))
  on conflict (veteran_id, kind, subject_id) do update
  set minute = excluded.minute,
    resource_types = excluded.resource_types
      || case when noted.minute = excluded.minute then noted.resource_types else '{}' end
  where noted.minute <> excluded.minute or not noted.resource_types @> excluded.resource_types;
  if found then
    insert into public.proofs (veteran_id, id, kind, at, event)
    values (veteran, app.uuid_v7(moment), 'record_viewed', date_trunc('milliseconds', moment),
      jsonb_build_object('actor', jsonb_build_object('kind', 'provider', 'id', app.actor_provider()),
        'grantId', shown_under, 'resourceTypes', types) || besides);
  end if;
end $$;

-- The stated veteran or provider was given a document's content.
create function app.prove_reading(document uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  read_under pg_catalog.uuid := (
    select id from public.consent_grants g
    where g.veteran_id = app.actor_veteran() and g.provider_id = app.actor_provider() and g.include_documents
      and g.status = 'active' and g.expires_at > statement_timestamp()
    order by id desc limit 1
  );
begin
  perform app.write_proof(app.actor_veteran(), 'document_read', app.actor(), coalesce(app.actor_provider(), app.actor_veteran()),
    jsonb_build_object('documentId', document, 'grantId', read_under));
end $$;

revoke all on function app.prove_sync, app.prove_view, app.prove_reading from public;
grant execute on function app.prove_sync, app.prove_view, app.prove_reading to vrss_runtime;

create function app.prove_grant() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_veteran pg_catalog.bool := new.ended_by is null;
begin
  if new.provider_id is not null then
    perform app.write_proof(new.veteran_id, case new.status when 'active' then 'grant_given' else 'grant_revoked' end,
      'veteran', new.veteran_id, jsonb_build_object('providerId', new.provider_id, 'grantId', new.id));
  else
    perform app.write_proof(new.veteran_id,
      case
        when new.status = 'active' then 'oauth_access_granted'
        when new.ended_by = 'code_replay' then 'oauth_code_replayed'
        when new.ended_by = 'refresh_replay' then 'oauth_refresh_replayed'
        else 'oauth_access_revoked'
      end,
      case when by_veteran then 'veteran' when new.ended_by = 'app' then 'app' else 'service' end,
      case when by_veteran then new.veteran_id when new.ended_by = 'app' then new.client_id end,
      jsonb_build_object('clientId', new.client_id, 'grantId', new.id));
  end if;
  return null;
end $$;

create trigger grants_are_proved after insert on consent_grants
  for each row execute function app.prove_grant();
create trigger revoked_grants_are_proved after update of status on consent_grants
  for each row when (new.status = 'revoked') execute function app.prove_grant();

create function app.prove_note() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app.write_proof(new.veteran_id, 'note_written', 'provider', new.provider_id, jsonb_build_object('noteId', new.id));
  return null;
end $$;

create trigger notes_are_proved after insert on provider_notes
  for each row execute function app.prove_note();

create function app.prove_document() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app.write_proof(new.veteran_id, case new.kind when 'roi' then 'roi_signed' else 'document_stored' end,
    'veteran', new.veteran_id, jsonb_build_object('documentId', new.id));
  return null;
end $$;

create trigger documents_are_proved after insert on documents
  for each row execute function app.prove_document();

-- A recipient has no id here: the link names them.
create function app.prove_step(link secure_links, act text) returns void language sql as $$
  select app.write_proof(link.veteran_id, act, 'recipient', null,
    jsonb_build_object('linkId', link.id, 'documentId', link.document_id))
$$;
revoke all on function app.prove_step from public;

-- The veteran makes a link and ends it, but for the one that too many wrong codes end.
create function app.prove_link() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  by_codes pg_catalog.bool := tg_op = 'UPDATE' and new.wrong_codes > old.wrong_codes;
begin
  perform app.write_proof(new.veteran_id, case new.status when 'active' then 'link_created' else 'link_revoked' end,
    case when by_codes then 'service' else 'veteran' end, case when not by_codes then new.veteran_id end,
    jsonb_build_object('linkId', new.id, 'documentId', new.document_id));
  return null;
end $$;

create trigger links_are_proved after insert on secure_links
  for each row execute function app.prove_link();
create trigger ended_links_are_proved after update of status on secure_links
  for each row when (old.status = 'active' and new.status = 'disabled') execute function app.prove_link();

revoke all on function app.prove_grant, app.prove_note, app.prove_document, app.prove_link from public;
