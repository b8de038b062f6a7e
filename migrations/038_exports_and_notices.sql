-- What a veteran is told by mail of their own accord, a new address for it, and the proof of an export. Days are those of UTC.

-- A new address counts once a code that was mailed to it came back. It is kept until then, or until the code has had its time.
create table email_changes (
  veteran_id uuid not null references veterans on delete cascade,
  -- The challenge, from whose id the code is derived when it is mailed.
  id uuid not null,
  email text not null,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  tries int not null default 0 check (tries >= 0),
  -- A code ends when it is used, and when a later one replaces it.
  ended_at timestamptz,
  primary key (veteran_id, id)
);

create index email_changes_id on email_changes (id);
create index email_changes_age on email_changes (created_at);

alter table email_changes enable row level security;
alter table email_changes force row level security;
create policy functions_keep on email_changes to current_role using (true) with check (true);
create policy backup_reads on email_changes for select to vrss_backup using (true);

-- Asks for a code to a new address, from a confirmed session. A new code ends the one before. What is refused costs nothing.
-- 'limited': for `wait` seconds, because the veteran or the address has had its codes.
create function app.ask_email_change(veteran uuid, session uuid, challenge uuid, new_email text, code bytea,
    veteran_key bytea, changes_per_day int, address_key bytea, codes_per_address int, idle int, confirmed_seconds int)
  returns table (status text, wait double precision)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  spent record;
begin
  wait := 0;
  perform app.lock_sessions(veteran);
  if not app.is_confirmed(veteran, session, idle, confirmed_seconds) then
    status := 'unconfirmed';
  elsif exists (select from public.veterans v where v.id = veteran and v.email = new_email) then
    status := 'same';
  else
    begin
      status := 'asked';
      select * into spent from app.spend_permits(veteran_key, changes_per_day, 86400, 1);
      if spent.granted = 0 then raise exception 'no changes left' using errcode = 'VR429'; end if;
      select * into spent from app.spend_permits(address_key, codes_per_address, 3600, 1);
      if spent.granted = 0 then raise exception 'no codes left for this address' using errcode = 'VR429'; end if;
      update public.email_changes c set ended_at = clock_timestamp() where c.veteran_id = veteran and c.ended_at is null;
      insert into public.email_changes (veteran_id, id, email, code_hash) values (veteran, challenge, new_email, code);
      insert into public.outbox (kind, subject_id) values ('email_code', challenge);
      -- Counting alone does not wait for the disk (012), a challenge does.
      perform set_config('synchronous_commit', 'on', true);
    exception when sqlstate 'VR429' then
      status := 'limited';
      wait := spent.retry_after;
    end;
  end if;
  return next;
end $$;

-- The address to which a challenge's code is mailed. Answers no row if there is nothing to mail, or no longer.
create function app.email_addressee(challenge uuid, expires_in int) returns table (email text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select c.email from public.email_changes c
    where c.id = challenge and c.ended_at is null
      and c.created_at > clock_timestamp() - make_interval(secs => expires_in);
end $$;

-- Tries a code of the stated veteran. A try is counted before it is compared. The right code, once and in time, changes the
-- address, by the function that the operator's change uses too (035).
create function app.try_email_code(challenge uuid, code bytea, expires_in int, tries_per_code int)
  returns table (status text, attempts_left int)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  veteran pg_catalog.uuid := app.actor_veteran();
  asked public.email_changes;
begin
  status := 'wrong';
  attempts_left := 0;
  if app.actor() is distinct from 'veteran' then return next; return; end if;
  perform app.lock_sessions(veteran);
  update public.email_changes c set tries = c.tries + 1
  where c.veteran_id = veteran and c.id = challenge and c.ended_at is null and c.tries < tries_per_code
    and c.created_at > clock_timestamp() - make_interval(secs => expires_in)
  returning * into asked;
  if asked.code_hash = code then
    status := 'right';
    update public.email_changes c set ended_at = clock_timestamp() where c.veteran_id = veteran and c.id = challenge;
    perform app.change_veteran_email(veteran, asked.email, true);
  elsif asked.id is not null then
    attempts_left := tries_per_code - asked.tries;
  end if;
  return next;
end $$;

create function app.sweep_email_changes(after interval, most int) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  swept pg_catalog.int4;
begin
  delete from public.email_changes where (veteran_id, id) in (
    select veteran_id, id from public.email_changes
    where created_at <= clock_timestamp() - greatest(after, interval '1 day')
    order by created_at limit least(most, 1000) for update skip locked
  );
  get diagnostics swept = row_count;
  return swept;
end $$;

-- What was exported leaves the service. The proof and the mail are written before the first byte is sent.
create function app.note_export(veteran uuid, by_veteran boolean) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app.write_proof(veteran, 'export_made', case when by_veteran then 'veteran' else 'service' end,
    case when by_veteran then veteran end, '{}');
  insert into public.outbox (kind, subject_id, facts)
  values ('export_made', veteran, jsonb_build_object('by', case when by_veteran then 'veteran' else 'operator' end));
end $$;

-- Each veteran has a row: what they want to be told, and what they were told.
create table veteran_notices (
  veteran_id uuid primary key references veterans on delete cascade,
  looks text not null default 'daily' check (looks in ('each', 'daily', 'off')),
  endings boolean not null default true,
  stale_after_days int default 30 check (stale_after_days between 7 and 365),
  -- How many notices the day had. If it was too many, `is_over`, and what is left waits for the next day's one mail.
  day date not null default '-infinity',
  sent int not null default 0,
  is_over boolean not null default false,
  -- When the last sync was stored, and whether the veteran was told that it was long ago.
  synced_at timestamptz,
  is_stale_told boolean not null default false
) with (fillfactor = 90);

create index veteran_notices_each on veteran_notices (veteran_id) where looks = 'each';
create index veteran_notices_stale on veteran_notices (synced_at) where not is_stale_told and stale_after_days is not null;

create function app.begin_notices() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.veteran_notices (veteran_id) values (new.id) on conflict do nothing;
  return null;
end $$;

create trigger veterans_have_notices after insert on veterans for each row execute function app.begin_notices();

-- A migration may not write past row-level security, which begins below.
insert into veteran_notices (veteran_id, synced_at)
  select v.id, (select max((e.value ->> 'lastFetchAt')::timestamptz) from jsonb_each(v.fhir_sync_manifest) e)
  from veterans v;

alter table veteran_notices enable row level security;
alter table veteran_notices force row level security;
create policy veteran_owns on veteran_notices to vrss_runtime
  using ((select app.actor()) = 'veteran' and veteran_id = (select app.actor_veteran()));
create policy functions_keep on veteran_notices to current_role using (true) with check (true);
create policy backup_reads on veteran_notices for select to vrss_backup using (true);
grant select, update (looks, endings, stale_after_days) on veteran_notices to vrss_runtime;

-- Looks of which the veteran was not told yet. `times` has the first of them, up to what a day may tell one by one.
create table looks_untold (
  veteran_id uuid not null references veterans on delete cascade,
  -- The id of the grant or link; the veteran's own for looks that wait for the daily mail.
  subject_id uuid not null,
  looks bigint not null,
  first_at timestamptz not null,
  times timestamptz[] not null,
  primary key (veteran_id, subject_id)
) with (fillfactor = 70);

create index looks_untold_age on looks_untold (first_at);

alter table looks_untold enable row level security;
alter table looks_untold force row level security;
create policy functions_keep on looks_untold to current_role using (true) with check (true);
create policy backup_reads on looks_untold for select to vrss_backup using (true);

-- Grants, links and releases whose end was told. A row goes a day after that end.
create table endings_told (
  veteran_id uuid not null references veterans on delete cascade,
  subject_id uuid not null,
  ends_at timestamptz not null,
  primary key (veteran_id, subject_id)
);

create index endings_told_end on endings_told (ends_at);

alter table endings_told enable row level security;
alter table endings_told force row level security;
create policy functions_keep on endings_told to current_role using (true) with check (true);
create policy backup_reads on endings_told for select to vrss_backup using (true);

-- Whether a link's veteran is mailed about its first opening and view.
create function app.wants_looks(veteran uuid) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return coalesce((select n.looks <> 'off' from public.veteran_notices n where n.veteran_id = veteran), true);
end $$;

create function app.note_sync() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update public.veteran_notices set synced_at = new.at, is_stale_told = false where veteran_id = new.veteran_id;
  return null;
end $$;

create trigger syncs_are_noted after insert on proofs
  for each row when (new.kind = 'sync_stored') execute function app.note_sync();

-- As app.count_look (031). The first view by a link is told at once, by a mail of its own.
create function app.keep_look() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  subject pg_catalog.uuid := coalesce(new.event ->> 'grantId', new.event ->> 'linkId')::pg_catalog.uuid;
begin
  if subject is null or (new.kind = 'link_viewed' and exists (
    select from public.secure_links l where l.veteran_id = new.veteran_id and l.id = subject and l.viewed_at is null
  )) then
    return null;
  end if;
  insert into public.looks_untold as untold values (new.veteran_id, subject, 1, new.at, array[new.at])
  on conflict (veteran_id, subject_id) do update
  set looks = untold.looks + 1,
    times = case when cardinality(untold.times) < 20 then untold.times || excluded.times else untold.times end;
  return null;
end $$;

create trigger looks_are_kept after insert on proofs
  for each row when (new.kind in ('record_viewed', 'document_read', 'oauth_access_used', 'link_viewed'))
  execute function app.keep_look();

-- Leads to the releases that end soon.
create index documents_ending on documents (ends_at) where kind = 'roi';

-- Forced row-level security holds for the owner too, as whom the functions below run. They state this actor for as long.
create policy notices_read on documents for select to current_role
  using ((select app.actor()) = 'notices' and kind = 'roi');

-- What ends soon and was not told, of one veteran or of all. It is told three days before its end, and if it was made for less
-- than six days, when half of its time is over.
create function app.endings_due(veteran uuid) returns table (veteran_id uuid, subject_id uuid, ends_at timestamptz)
  language plpgsql as $$
begin
  return query select e.veteran_id, e.subject_id, e.ends_at from (
    select g.veteran_id, g.id, g.expires_at, g.granted_at from public.consent_grants g
    where g.status = 'active' and g.expires_at > statement_timestamp()
      and g.expires_at <= statement_timestamp() + interval '3 days' and (veteran is null or g.veteran_id = veteran)
      and not exists (
        select from public.providers p where p.id = g.provider_id and p.disabled_at is not null
        union all select from public.oauth_clients c where c.id = g.client_id and c.disabled_at is not null
      )
    union all
    select l.veteran_id, l.id, l.expires_at, l.created_at from public.secure_links l
    where l.status = 'active' and l.viewed_at is null and l.expires_at > statement_timestamp()
      and l.expires_at <= statement_timestamp() + interval '3 days' and (veteran is null or l.veteran_id = veteran)
      and app.link_status(l) = 'active'
    union all
    select d.veteran_id, d.id, d.ends_at, d.signed_at from public.documents d
    where d.kind = 'roi' and d.ends_at > statement_timestamp()
      and d.ends_at <= statement_timestamp() + interval '3 days' and (veteran is null or d.veteran_id = veteran)
      and app.in_force(d)
  ) e (veteran_id, subject_id, ends_at, made_at)
  where e.made_at + (e.ends_at - e.made_at) / 2 <= statement_timestamp()
    and not exists (
      select from public.endings_told t where t.veteran_id = e.veteran_id and t.subject_id = e.subject_id
    );
end $$;

-- Whether somebody could read something of the veteran's now.
create function app.shares(veteran uuid) returns boolean language plpgsql as $$
begin
  return exists (
    select from public.consent_grants g left join public.providers p on p.id = g.provider_id
      left join public.oauth_clients c on c.id = g.client_id
    where g.veteran_id = veteran and g.status = 'active' and g.expires_at > statement_timestamp()
      and p.disabled_at is null and c.disabled_at is null
  ) or exists (
    select from public.secure_links l
    where l.veteran_id = veteran and l.status = 'active' and app.link_status(l) = 'active'
  ) or exists (
    select from public.documents d where d.veteran_id = veteran and d.kind = 'roi' and app.in_force(d)
  );
end $$;

-- The veterans to whom something may be told now.
create function app.notices_due() returns table (veteran_id uuid)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  stated pg_catalog.text := app.actor();
begin
  perform set_config('app.actor', 'notices', true);
  return query
    select u.veteran_id from public.looks_untold u
    where u.first_at < date_trunc('day', statement_timestamp(), 'UTC')
    union
    select u.veteran_id from public.veteran_notices n join public.looks_untold u on u.veteran_id = n.veteran_id
    where n.looks = 'each'
    union
    select e.veteran_id from app.endings_due(null) e join public.veteran_notices n on n.veteran_id = e.veteran_id
    where n.endings
    union
    select n.veteran_id from public.veteran_notices n
    where not n.is_stale_told and n.stale_after_days is not null
      and n.synced_at <= statement_timestamp() - interval '7 days'
      and n.synced_at <= statement_timestamp() - make_interval(days => n.stale_after_days) and app.shares(n.veteran_id);
  perform set_config('app.actor', coalesce(stated, ''), true);
end $$;

-- Tells these veterans what is due, and marks it as told in the same transaction. Whoever comes at the same time passes by.
-- Answers how many mails were put out.
create function app.tell_notices(veterans uuid[], per_day int) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  stated pg_catalog.text := app.actor();
  veteran pg_catalog.uuid;
  told pg_catalog.int4 := 0;
begin
  perform set_config('app.actor', 'notices', true);
  foreach veteran in array veterans loop
    told := told + app.tell_veteran(veteran, per_day);
  end loop;
  perform set_config('app.actor', coalesce(stated, ''), true);
  delete from public.endings_told t where t.ends_at < statement_timestamp() - interval '1 day';
  return told;
end $$;

create function app.put_notice(veteran uuid, facts jsonb) returns void language sql as $$
  insert into public.outbox (kind, subject_id, facts) values ('notice', veteran, facts)
$$;

create function app.tell_veteran(veteran uuid, per_day int) returns int language plpgsql as $$
declare
  n public.veteran_notices;
  today pg_catalog.date := (statement_timestamp() at time zone 'UTC')::pg_catalog.date;
  room pg_catalog.int4;
  looks pg_catalog.int8 := 0;
  told pg_catalog.int4;
  endings pg_catalog.int8 := 0;
  next_end pg_catalog.timestamptz;
  ending record;
begin
  select * into n from public.veteran_notices v where v.veteran_id = veteran for update skip locked;
  if not found then return 0; end if;
  -- Nothing is shared any more, and whoever is about to be forgotten is told of that alone.
  if exists (select from public.veteran_deletions d where d.veteran_id = veteran) then return 0; end if;
  if n.day < today then n.sent := 0; end if;
  room := per_day - n.sent;

  -- What was over yesterday, and the looks of past days, are one mail.
  if n.looks = 'off' then
    delete from public.looks_untold u where u.veteran_id = veteran;
  elsif room > 0 and (n.looks = 'daily' or (n.is_over and n.day < today)) then
    with gone as (
      delete from public.looks_untold u
      where u.veteran_id = veteran and u.first_at < date_trunc('day', statement_timestamp(), 'UTC') returning u.looks
    )
    select coalesce(sum(g.looks), 0) into looks from gone g;
  end if;
  if n.is_over and n.day < today and n.endings then
    with due as (
      insert into public.endings_told as t select * from app.endings_due(veteran) on conflict do nothing returning t.ends_at
    )
    select count(*), min(d.ends_at) into endings, next_end from due d;
  end if;
  if looks > 0 or endings > 0 then
    perform app.put_notice(veteran, jsonb_strip_nulls(
      jsonb_build_object('about', 'day', 'looks', looks, 'endings', endings, 'at', next_end)));
    room := room - 1;
  end if;
  if n.day < today then n.is_over := false; end if;

  if n.endings then
    for ending in select * from app.endings_due(veteran) e order by e.ends_at loop
      if room = 0 then n.is_over := true; exit; end if;
      insert into public.endings_told values (veteran, ending.subject_id, ending.ends_at);
      perform app.put_notice(veteran, jsonb_build_object('about', 'ending', 'at', ending.ends_at));
      room := room - 1;
    end loop;
  end if;

  if not n.is_stale_told and room > 0 and app.shares(veteran)
    and n.synced_at <= statement_timestamp() - make_interval(days => n.stale_after_days)
  then
    n.is_stale_told := true;
    perform app.put_notice(veteran, jsonb_build_object('about', 'stale', 'at', n.synced_at));
    room := room - 1;
  end if;

  if n.looks = 'each' then
    select coalesce(sum(u.looks), 0) into looks from public.looks_untold u where u.veteran_id = veteran;
    if looks > 0 and room > 0 then
      with gone as (
        delete from public.looks_untold u where u.veteran_id = veteran returning u.looks, u.times
      ), one_by_one as (
        select t.at from gone g cross join unnest(g.times) as t (at) order by t.at limit room
      ), put as (
        insert into public.outbox (kind, subject_id, facts)
        select 'notice', veteran, jsonb_build_object('about', 'look', 'at', o.at) from one_by_one o
        returning 1
      )
      select sum(g.looks), (select count(*) from put) into looks, told from gone g;
      room := room - told;
      looks := looks - told;
      if looks > 0 then
        insert into public.looks_untold as u values (veteran, veteran, looks, statement_timestamp(), '{}')
        on conflict (veteran_id, subject_id) do update set looks = u.looks + excluded.looks;
      end if;
    end if;
    if looks > 0 then n.is_over := true; end if;
  end if;

  told := per_day - n.sent - room;
  update public.veteran_notices v
  set day = today, sent = n.sent + told, is_over = n.is_over, is_stale_told = n.is_stale_told
  where v.veteran_id = veteran;
  return told;
end $$;

revoke all on function app.ask_email_change, app.email_addressee, app.try_email_code, app.sweep_email_changes,
  app.note_export, app.begin_notices, app.wants_looks, app.note_sync, app.keep_look, app.endings_due, app.shares, app.notices_due,
  app.tell_notices, app.put_notice, app.tell_veteran from public;
grant execute on function app.ask_email_change, app.email_addressee, app.try_email_code, app.sweep_email_changes,
  app.note_export, app.wants_looks, app.notices_due, app.tell_notices to vrss_runtime;
