-- What the veteran's list of who has the record needs: which grant replaced another, and how often each sharing was used.

alter table consent_grants
  -- The grant to the same provider that replaced this one in the same step.
  add column superseded_by uuid,
  add check (superseded_by is null or status = 'revoked');

grant update (superseded_by) on consent_grants to vrss_runtime;

-- Counts the proofs by which somebody read under a grant or a link. Their events are sealed soon, and cannot be counted then.
create table looks_counted (
  veteran_id uuid not null,
  -- The id of the grant or link.
  subject_id uuid not null,
  looks bigint not null,
  last_at timestamptz not null,
  primary key (veteran_id, subject_id)
) with (fillfactor = 70);

create function app.count_look() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  subject pg_catalog.uuid := coalesce(new.event ->> 'grantId', new.event ->> 'linkId')::pg_catalog.uuid;
begin
  if subject is not null then
    insert into public.looks_counted as counted values (new.veteran_id, subject, 1, new.at)
    on conflict (veteran_id, subject_id) do update
    set looks = counted.looks + 1, last_at = greatest(counted.last_at, excluded.last_at);
  end if;
  return null;
end $$;

create trigger looks_are_counted after insert on proofs
  for each row when (new.kind in ('record_viewed', 'document_read', 'oauth_access_used', 'link_viewed'))
  execute function app.count_look();

-- Looks before this migration are sealed. What is still known of them is that there was one, and when.
insert into looks_counted
  select veteran_id, subject_id, 1, minute from acts_noted where kind in ('record_viewed', 'oauth_access_used')
  union all
  select veteran_id, id, 1, viewed_at from secure_links where viewed_at is not null;

-- The looks under these grants and links of the stated veteran.
create function app.looks_at(subjects uuid[]) returns setof public.looks_counted
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if app.actor() is distinct from 'veteran' then return; end if;
  return query select c.* from public.looks_counted c
    where c.veteran_id = app.actor_veteran() and c.subject_id = any (subjects);
end $$;

revoke all on function app.count_look, app.looks_at from public;
grant execute on function app.looks_at to vrss_runtime;
