-- A table of PostgreSQL ends at 32 TiB, wherever its pages lie: about 4 million veterans' items. So the two tables that grow with
-- each record are in 64 parts, by veteran. Policies hold at the whole: nobody has rights to a part but the backup, which reads part
-- by part. This writes each row once again, and meanwhile nobody reads or writes the two tables (docs/operator.md, "Partitions").

-- Forced row-level security would show the owner none of the rows.
alter table health_record_items no force row level security;
alter table proofs no force row level security;

do $$
declare
  whole text;
  part text;
  again text[];
  step text;
begin
  foreach whole in array array['health_record_items', 'proofs'] loop
    -- What the table has is made again as it is. The policies come last, so that they do not hold here.
    again := array(
      -- No index of all parts is unique without the veteran. The lock of the tree keeps two leaves from one place (migrations/021).
      select replace(pg_get_indexdef(i.indexrelid), ' UNIQUE ', ' ') from pg_index i where i.indrelid = whole::regclass and not i.indisprimary
    ) || array(
      select format('alter table %I add constraint %I %s', whole, k.conname, pg_get_constraintdef(k.oid))
      from pg_constraint k where k.conrelid = whole::regclass and k.contype in ('p', 'f')
    ) || array(
      select pg_get_triggerdef(t.oid) from pg_trigger t where t.tgrelid = whole::regclass and not t.tgisinternal
    ) || array(
      select format('grant %s on %I to %I', a.privilege_type, whole, a.grantee::regrole)
      from pg_class c, aclexplode(c.relacl) a where c.oid = whole::regclass and a.grantee <> c.relowner
    ) || array(
      select format('grant %s (%I) on %I to %I', a.privilege_type, c.attname, whole, a.grantee::regrole)
      from pg_attribute c, aclexplode(c.attacl) a where c.attrelid = whole::regclass
    ) || array(
      select format('create policy %I on %I for %s to %s using (%s)', p.polname, whole,
        case p.polcmd when 'r' then 'select' else 'all' end,
        (select string_agg(quote_ident(one::regrole::text), ', ') from unnest(p.polroles) one), pg_get_expr(p.polqual, p.polrelid)
      ) || coalesce(' with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', '')
      from pg_policy p where p.polrelid = whole::regclass
    ) || format('alter table %I enable row level security, force row level security', whole);

    execute format('alter table %I rename to undivided', whole);
    if whole = 'proofs' then
      -- A column of parts can be an identity only from PostgreSQL 17 on.
      alter table undivided alter column seq drop identity;
      create sequence proofs_seq_seq;
      perform setval('proofs_seq_seq', coalesce(max(seq), 1), max(seq) is not null) from undivided;
      alter table undivided alter column seq set default nextval('proofs_seq_seq');
    end if;
    execute format(
      'create table %I (like undivided including defaults including generated including constraints including storage)
       partition by hash (veteran_id)', whole
    );
    for n in 0 .. 63 loop
      part := format('app.%I', whole || '_' || lpad(n::text, 2, '0'));
      execute format('create table %s partition of %I for values with (modulus 64, remainder %s)%s', part, whole, n,
        case whole when 'health_record_items' then ' with (fillfactor = 90)' else '' end);
    end loop;
    execute format('insert into %I (%s) select %2$s from undivided', whole, (
      select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
      where attrelid = 'undivided'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    ));
    drop table undivided;
    foreach step in array again loop execute step; end loop;

    for n in 0 .. 63 loop
      part := format('app.%I', whole || '_' || lpad(n::text, 2, '0'));
      execute format('alter table %s enable row level security, force row level security', part);
      execute format('create policy backup_reads on %s for select to vrss_backup using (true)', part);
      if whole = 'proofs' then
        execute format('create trigger proofs_are_never_emptied before truncate on %s execute function app.keep_leaf()', part);
      end if;
    end loop;
  end loop;
end $$;
alter sequence proofs_seq_seq owned by proofs.seq;

-- As before (migrations/037), but that it names the veteran twice: rows of other parts have the same ctid.
create or replace function app.forget_rows(veteran uuid, bound int, out step text, out removed int, out storage_keys text[])
  language plpgsql as $$
declare
  kept pg_catalog.text[] := array['proofs', 'documents', 'roi_revocations', 'kept_releases', 'secure_links', 'storage_used',
    'veteran_deletions'];
  -- In this order, because of their foreign keys. The others need none.
  first pg_catalog.text[] := array['health_record_items', 'self_reported_entries', 'provider_notes', 'oauth_codes',
    'oauth_refresh_tokens', 'consent_grants'];
  document pg_catalog.uuid;
  outcome record;
begin
  storage_keys := '{}';
  removed := 0;
  with gone as (
    delete from public.documents d where d.veteran_id = veteran and d.id in (
      select u.id from public.documents u where u.veteran_id = veteran and u.kind = 'upload' order by u.id limit bound
    )
    returning d.storage_key
  )
  select count(*), coalesce(array_agg(g.storage_key), '{}') into removed, storage_keys from gone g;
  if removed > 0 then step := 'uploads'; end if;
  if step is null then
    -- What a recipient was shown is kept for its time, out of everybody's sight (migrations/008).
    for document in
      select d.id from public.documents d where d.veteran_id = veteran and not exists (
        select from public.kept_releases k where k.veteran_id = veteran and k.document_id = d.id
      ) order by d.id limit least(bound, 50)
    loop
      select r.* into outcome from app.remove_document(veteran, document) r;
      if outcome.outcome = 'needed' then raise exception 'a release of nobody is in force'; end if;
      removed := removed + 1;
      storage_keys := storage_keys || coalesce(outcome.storage_keys, '{}');
    end loop;
    if removed > 0 then step := 'releases'; end if;
  end if;
  delete from public.stored_files f where f.storage_key = any (storage_keys);
  if step is not null then return; end if;
  -- The links of a release that is kept say to whom it was shown.
  delete from public.secure_links where id in (
    select l.id from public.secure_links l where l.veteran_id = veteran and (l.viewed_at is null or not exists (
      select from public.kept_releases k where k.veteran_id = veteran and k.document_id = l.document_id
    )) limit bound
  );
  get diagnostics removed = row_count;
  if removed > 0 then step := 'links'; return; end if;
  for step in
    select c.relname from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'veteran_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and c.relname <> all (kept)
    order by array_position(first, c.relname::pg_catalog.text), c.relname
  loop
    execute format(
      'delete from public.%1$I where veteran_id = $1 and ctid = any (array(
         select ctid from public.%1$I where veteran_id = $1 limit $2
       ))', step
    ) using veteran, bound;
    get diagnostics removed = row_count;
    if removed > 0 then return; end if;
  end loop;
  step := null;
end $$;
