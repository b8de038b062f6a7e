-- The Merkle tree over the account of disclosures (RFC 6962), which only grows. The functions below are the one way to it for the
-- runtime role: they compute the tree themselves, so that whoever has that role can append a leaf and can neither change nor
-- remove one, and no checkpoint is stored that is not of the tree as it is.

-- A tile of level L holds the hashes of up to 256 full subtrees of height 8L, one after the other (C2SP tlog-tiles). A full
-- tile's root is an entry of the next level.
create table proof_tiles (
  level smallint not null,
  index bigint not null,
  hashes bytea not null check (octet_length(hashes) between 32 and 8192 and octet_length(hashes) % 32 = 0),
  primary key (level, index)
);
-- Hashes do not compress.
alter table proof_tiles alter column hashes set storage external;

-- A signed note for each state of the tree that was told to anybody (C2SP tlog-checkpoint). A size has another one where the
-- key has changed.
create table proof_checkpoints (
  id uuid primary key,
  tree_size bigint not null check (tree_size > 0),
  root_hash bytea not null check (octet_length(root_hash) = 32),
  note text not null check (octet_length(note) <= 10000),
  created_at timestamptz not null
);
create index proof_checkpoints_latest on proof_checkpoints (tree_size, id);

grant select on proof_tiles, proof_checkpoints to vrss_runtime;

create index proofs_set_aside on proofs (seq) where set_aside is not null;

-- One drainer at a time, over all processes, until its transaction ends.
create function app.try_lock_tree() returns boolean language sql as
  $$ select pg_try_advisory_xact_lock(hashtextextended('proof_tree', 0)) $$;

create function app.lock_tree() returns void language sql as
  $$ select pg_advisory_xact_lock(hashtextextended('proof_tree', 0)) $$;

-- The root of a full tree over these hashes: one, two, four ... of them, one after the other.
create function app.full_tree_hash(hashes bytea) returns bytea language plpgsql immutable as $$
begin
  while octet_length(hashes) > 32 loop
    hashes := (
      select string_agg(sha256('\x01'::pg_catalog.bytea || substr(hashes, n * 64 + 1, 64)), ''::pg_catalog.bytea order by n)
      from generate_series(0, octet_length(hashes) / 64 - 1) n
    );
  end loop;
  return hashes;
end $$;

create function app.last_tile(of_level int) returns proof_tiles language sql stable as
  $$ select t from public.proof_tiles t where t.level = of_level order by t.index desc limit 1 $$;

-- How many leaves the tree has, and its root: the full subtrees along its right edge, joined from right to left.
create function app.proof_tree(out tree_size bigint, out root_hash bytea)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  tile public.proof_tiles;
  entries pg_catalog.int4;
  width pg_catalog.int4;
  subtree pg_catalog.bytea;
begin
  tree_size := 0;
  for of_level in 0 .. 7 loop
    tile := app.last_tile(of_level);
    exit when tile.hashes is null;
    entries := octet_length(tile.hashes) / 32;
    if of_level = 0 then tree_size := tile.index * 256 + entries; end if;
    -- A full tile is an entry of the next level.
    continue when entries = 256;
    while entries > 0 loop
      width := entries & -entries;
      entries := entries - width;
      subtree := app.full_tree_hash(substr(tile.hashes, entries * 32 + 1, width * 32));
      root_hash := case when root_hash is null then subtree else sha256('\x01'::pg_catalog.bytea || subtree || root_hash) end;
    end loop;
  end loop;
  root_hash := coalesce(root_hash, sha256(''));
end $$;

-- What reads a table with forced row-level security is PL/pgSQL: a migration has row security off, under which SQL would not
-- even be parsed.

-- Rows that are no leaves yet, in their order. An event that no act of ours writes comes as null, and so does a moment out of
-- the calendar's years.
create function app.undrained_proofs(most int)
  returns table (veteran_id uuid, id uuid, kind text, at text, event text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query
    select p.veteran_id, p.id, p.kind,
      case when p.at >= '1970-01-01' and p.at < '10000-01-01'
        then to_char(p.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
      case when octet_length(p.event::pg_catalog.text) <= 16384 then p.event::pg_catalog.text end
    from public.proofs p where p.tree_index is null and p.set_aside is null
    order by p.seq limit least(most, 10000);
end $$;

-- How long the first of them has waited, in seconds, and how many rows are set aside.
create function app.proofs_waiting(out seconds float8, out set_aside bigint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  seconds := coalesce((
    select greatest(0, extract(epoch from clock_timestamp() - p.at)) from public.proofs p
    where p.tree_index is null and p.set_aside is null order by p.seq limit 1
  ), 0);
  set_aside := (select count(*) from public.proofs p where p.set_aside is not null);
end $$;

-- Makes these rows the tree's next leaves, in this order, grows the tree by their hashes, and answers it.
create function app.append_leaves(veterans uuid[], ids uuid[], ciphertexts bytea[], hashes bytea[], providers bytea[],
    out tree_size bigint, out root_hash bytea)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  size pg_catalog.int8;
  leaf record;
  tile public.proof_tiles;
  entries pg_catalog.bytea;
  roots pg_catalog.bytea;
begin
  perform app.lock_tree();
  size := (app.proof_tree()).tree_size;
  -- Row by row, so that each is found by its key: of all together the planner expects one, and would compare each with each.
  -- coalesce hides the condition of proofs_undrained, which it would walk else.
  for leaf in
    select * from unnest(veterans, ids, ciphertexts, hashes, providers) with ordinality
      as given (veteran, id, ciphertext, hash, provider, place)
  loop
    update public.proofs p
    set event = null, leaf_ciphertext = leaf.ciphertext, leaf_hash = leaf.hash, provider_hash = leaf.provider,
      tree_index = size + leaf.place - 1
    where p.veteran_id = leaf.veteran and p.id = leaf.id and coalesce(p.tree_index, -1) = -1 and p.set_aside is null
      and octet_length(leaf.ciphertext) > 0;
    if not found then
      raise exception 'each leaf must be one row that was not drained before';
    end if;
  end loop;
  select string_agg(hash, ''::pg_catalog.bytea order by place) into entries
  from unnest(hashes) with ordinality as leaf (hash, place);
  for of_level in 0 .. 7 loop
    exit when octet_length(entries) = 0 or entries is null;
    roots := '';
    tile := app.last_tile(of_level);
    if tile.hashes is null then tile := row (of_level, 0, ''::pg_catalog.bytea); end if;
    while octet_length(entries) > 0 loop
      if octet_length(tile.hashes) = 8192 then tile := row (of_level, tile.index + 1, ''::pg_catalog.bytea); end if;
      size := 8192 - octet_length(tile.hashes);
      tile.hashes := tile.hashes || substr(entries, 1, size::pg_catalog.int4);
      entries := substr(entries, size::pg_catalog.int4 + 1);
      insert into public.proof_tiles values (tile.*)
      on conflict (level, index) do update set hashes = excluded.hashes;
      if octet_length(tile.hashes) = 8192 then roots := roots || app.full_tree_hash(tile.hashes); end if;
    end loop;
    entries := roots;
  end loop;
  select * into tree_size, root_hash from app.proof_tree();
end $$;

-- A row that cannot become a leaf waits for whoever looks into it, and keeps no other waiting.
create function app.set_proofs_aside(veterans uuid[], ids uuid[], reasons text[]) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update public.proofs p set set_aside = left(one.reason, 100)
  from unnest(veterans, ids, reasons) as one (veteran, id, reason)
  where p.veteran_id = one.veteran and p.id = one.id and coalesce(p.tree_index, -1) = -1 and p.set_aside is null;
end $$;

-- Stores a checkpoint of the tree as it is, and has the witness told of it, if there is one. Whether the signature is good only
-- the key's owner can tell.
create function app.store_checkpoint(new_note text, has_witness boolean) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  tree record;
  moment pg_catalog.timestamptz := clock_timestamp();
  checkpoint pg_catalog.uuid := app.uuid_v7(moment);
begin
  perform app.lock_tree();
  tree := app.proof_tree();
  if split_part(new_note, E'\n', 2) <> tree.tree_size::pg_catalog.text
    or split_part(new_note, E'\n', 3) <> encode(tree.root_hash, 'base64') then
    raise exception 'a checkpoint must be of the tree as it is';
  end if;
  insert into public.proof_checkpoints values (checkpoint, tree.tree_size, tree.root_hash, new_note, moment);
  if has_witness then
    insert into public.outbox (kind, subject_id) values ('checkpoint_signed', checkpoint);
  end if;
end $$;

revoke all on function app.try_lock_tree, app.lock_tree, app.full_tree_hash, app.last_tile, app.proof_tree,
  app.undrained_proofs, app.proofs_waiting, app.append_leaves, app.set_proofs_aside, app.store_checkpoint from public;
grant execute on function app.try_lock_tree, app.proof_tree, app.undrained_proofs, app.proofs_waiting, app.append_leaves,
  app.set_proofs_aside, app.store_checkpoint to vrss_runtime;
