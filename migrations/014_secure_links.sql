create table secure_links (
  veteran_id uuid not null references veterans,
  id uuid not null unique,
  -- This is null once the document was deleted, which only the end of its release allows; the link's history stays.
  document_id uuid,
  recipient_name text not null,
  recipient_email_ciphertext bytea not null,
  -- The token itself is stored nowhere, only its HMAC.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  status text not null default 'active' check (status in ('active', 'disabled', 'expired')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  disabled_at timestamptz,
  notified_at timestamptz,
  opened_at timestamptz,
  code_sent_at timestamptz,
  viewed_at timestamptz,
  wrong_codes int not null default 0 check (wrong_codes >= 0),
  primary key (veteran_id, id),
  foreign key (veteran_id, document_id) references documents on delete set null (document_id)
);

-- The veteran makes a link and ends it. The other columns belong to its steps (migration 015), which run as the owner.
grant select, update (status, disabled_at),
  insert (veteran_id, id, document_id, recipient_name, recipient_email_ciphertext, token_hash, expires_at)
  on secure_links to vrss_runtime;

create trigger secure_links_final before update of status, disabled_at on secure_links
  for each row execute function app.keep_final_status();

-- Whichever process sends a document of this link hears of its end, and stops at once.
create function app.tell_link_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('transfers_ended', new.id::pg_catalog.text);
  return null;
end $$;
revoke all on function app.tell_link_ended from public;

create trigger secure_links_ended after update of status on secure_links
  for each row execute function app.tell_link_ended();

-- A release that ends takes its links with it, and waits for whoever is about to send the first byte.
create function app.end_links() returns trigger language plpgsql as $$
begin
  update public.secure_links set status = 'disabled', disabled_at = clock_timestamp()
  where veteran_id = new.veteran_id and document_id = new.document_id and status = 'active' and expires_at > new.revoked_at;
  return null;
end $$;
revoke all on function app.end_links from public;

create trigger roi_revocations_end_links after insert on roi_revocations
  for each row execute function app.end_links();

create table secure_link_otps (
  veteran_id uuid not null,
  link_id uuid not null,
  -- The id is the challenge: only the browser that asked for the code knows it.
  id uuid not null,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  tries int not null default 0 check (tries >= 0),
  -- A code ends when it is used, and when a later one replaces it.
  ended_at timestamptz,
  primary key (veteran_id, link_id, id),
  foreign key (veteran_id, link_id) references secure_links on delete cascade
);

create table secure_link_view_sessions (
  veteran_id uuid not null,
  link_id uuid not null,
  -- The view session's secret is stored nowhere, only its HMAC.
  session_hash bytea not null unique check (octet_length(session_hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  consumed_at timestamptz,
  -- These tell how much of the document has been sent, and which transfer may send more; none may once its end was noted.
  sent_bytes bigint not null default 0,
  transfer_id uuid,
  -- When the transfer that came furthest broke.
  broke_at timestamptz,
  -- All of it was sent, and then the client closed the connection in order or used it again: nothing is gone on with.
  is_over boolean not null default false,
  primary key (veteran_id, link_id, session_hash),
  foreign key (veteran_id, link_id) references secure_links on delete cascade
);

-- Codes and view sessions belong to the steps alone; whoever has a view session's hash finds its link.
grant select (veteran_id, link_id, session_hash) on secure_link_view_sessions to vrss_runtime;

-- This is the one predicate of liveness: a link is live while its status here is 'active'. It ends with the release of its
-- document.
create function app.link_status(link secure_links) returns text language sql stable as $$
  select case
    when link.status <> 'active' then link.status
    when exists (
      select from public.roi_revocations r
      where r.veteran_id = link.veteran_id and r.document_id = link.document_id and r.revoked_at < link.expires_at
    ) then 'disabled'
    when link.expires_at <= clock_timestamp() then 'expired'
    else 'active'
  end
$$;
revoke all on function app.link_status from public;
grant execute on function app.link_status to vrss_runtime;

-- Finds the document of the stated link while that link is live. The policy reads links through this function alone: it runs
-- as the owner, so that no policy depends on the reader's rights.
create function app.linked_documents() returns table (veteran_id uuid, document_id uuid)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select link.veteran_id, link.document_id from public.secure_links link
    where app.actor() = 'recipient'
      and link.veteran_id = app.actor_veteran()
      and link.id = nullif(current_setting('app.link_id', true), '')::pg_catalog.uuid
      and app.link_status(link) = 'active'
  $$;
revoke all on function app.linked_documents from public;
grant execute on function app.linked_documents to vrss_runtime;

create policy recipient_reads_linked on documents for select to vrss_runtime
  using (
    (select app.actor()) = 'recipient'
    and veteran_id = (select app.actor_veteran())
    and kind = 'roi'
    and ends_at > statement_timestamp()
    and id in (select linked.document_id from app.linked_documents() linked)
  );

-- Removes a document, and tells its files. A release that a recipient was shown ends, and is kept: it only looks deleted.
-- Nothing is removed that a release in force needs, nor such a release that nobody was shown. No row: there is no document.
create function app.remove_document(veteran uuid, document uuid) returns table (outcome text, storage_keys text[])
  language plpgsql as $$
declare
  d public.documents;
begin
  -- Whoever signs a release that names the document, or is about to send it, comes before this or after it.
  perform from public.veterans v where v.id = veteran for no key update;
  perform from public.secure_links l where l.veteran_id = veteran and l.document_id = document for no key update;
  select * into d from public.documents where veteran_id = veteran and id = document;
  if not found then return; end if;
  if exists (
    select from public.documents r
    where r.veteran_id = veteran and document = any (r.released_documents) and app.in_force(r)
  ) then
    outcome := 'needed';
  elsif not app.may_forget(d) and exists (
    select from public.secure_links l
    where l.veteran_id = veteran and l.document_id = document and l.viewed_at is not null
  ) then
    outcome := 'kept';
    if app.in_force(d) then
      insert into public.roi_revocations (veteran_id, document_id) values (veteran, document) on conflict do nothing;
    end if;
    insert into public.kept_releases (veteran_id, document_id) values (veteran, document);
  elsif app.in_force(d) then
    outcome := 'needed';
  else
    outcome := 'removed';
    storage_keys := array_remove(array[d.storage_key, d.recipient_storage_key, d.record_storage_key], null);
    delete from public.documents where veteran_id = veteran and id = document;
  end if;
  return next;
end $$;
revoke all on function app.remove_document from public;
grant execute on function app.remove_document to vrss_runtime;
