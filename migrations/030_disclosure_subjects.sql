-- What a sealed event is about, so that the veteran's list can be filtered by it: keyed hashes, 16 bytes each, one after
-- the other. Null in rows that were sealed before this migration; the service opens those.
alter table proofs add column subject_hashes bytea check (octet_length(subject_hashes) % 16 = 0);

-- A program of the version before goes on to call it without the last parameter.
drop function app.append_leaves;

create function app.append_leaves(veterans uuid[], ids uuid[], ciphertexts bytea[], hashes bytea[], providers bytea[],
    subjects bytea[] default null, out tree_size bigint, out root_hash bytea)
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
    select * from unnest(veterans, ids, ciphertexts, hashes, providers, subjects) with ordinality
      as given (veteran, id, ciphertext, hash, provider, subject, place)
  loop
    update public.proofs p
    set event = null, leaf_ciphertext = leaf.ciphertext, leaf_hash = leaf.hash, provider_hash = leaf.provider,
      subject_hashes = leaf.subject, tree_index = size + leaf.place - 1
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

-- An erased event says nothing more of what it was about.
create function app.forget_subjects() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  new.subject_hashes := null;
  return new;
end $$;

create trigger forget_subjects before update of leaf_ciphertext on proofs
  for each row when (new.leaf_ciphertext is null) execute function app.forget_subjects();

revoke all on function app.append_leaves, app.forget_subjects from public;
grant execute on function app.append_leaves to vrss_runtime;
