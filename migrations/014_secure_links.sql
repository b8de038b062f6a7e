create table secure_links (
  veteran_id uuid not null references veterans,
  id uuid not null unique,
  -- Null once the document was deleted, which takes the end of its release; the link's history stays.
  document_id uuid,
  recipient_name text not null,
  recipient_email_ciphertext bytea not null,
  -- HMAC of the token, which is nowhere else.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  status text not null default 'active' check (status in ('active', 'disabled', 'expired')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  disabled_at timestamptz,
  notified_at timestamptz,
  opened_at timestamptz,
  code_sent_at timestamptz,
  viewed_at timestamptz,
  wrong_codes int not null default 0 check (wrong_codes between 0 and 15),
  primary key (veteran_id, id),
  foreign key (veteran_id, document_id) references documents on delete set null (document_id)
);

grant select, insert, update (status, disabled_at, notified_at, opened_at, code_sent_at, viewed_at, wrong_codes)
  on secure_links to vrss_runtime;

create trigger secure_links_final before update of status on secure_links
  for each row execute function app.keep_final_status();

-- Whoever sends a document of this link stops at once, on every process.
create function app.tell_link_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('transfers_ended', new.id::text);
  return null;
end $$;
revoke all on function app.tell_link_ended from public;

create trigger secure_links_ended after update of status on secure_links
  for each row execute function app.tell_link_ended();

-- A release that ends takes its links with it, and waits for whoever is about to send the first byte.
create function app.end_links() returns trigger language plpgsql as $$
begin
  update public.secure_links l set status = 'disabled', disabled_at = clock_timestamp()
  where l.veteran_id = new.veteran_id and l.document_id = new.document_id and l.status = 'active'
    and l.expires_at > new.revoked_at;
  return null;
end $$;
revoke all on function app.end_links from public;

create trigger roi_revocations_end_links after insert on roi_revocations
  for each row execute function app.end_links();

create table secure_link_otps (
  veteran_id uuid not null,
  link_id uuid not null,
  -- The challenge, known to the browser that asked for the code.
  id uuid not null,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  tries int not null default 0 check (tries between 0 and 5),
  -- Used, or replaced by a later one.
  ended_at timestamptz,
  primary key (veteran_id, link_id, id),
  foreign key (veteran_id, link_id) references secure_links on delete cascade
);

create table secure_link_view_sessions (
  veteran_id uuid not null,
  link_id uuid not null,
  -- HMAC of the view session's secret.
  session_hash bytea not null unique check (octet_length(session_hash) = 32),
  created_at timestamptz not null default clock_timestamp(),
  consumed_at timestamptz,
  -- How much of the document has been sent, and the transfer that may send more; null once its end was noted.
  sent_bytes bigint not null default 0,
  transfer_id uuid,
  primary key (veteran_id, link_id, session_hash),
  foreign key (veteran_id, link_id) references secure_links on delete cascade
);

grant select, insert, update (tries, ended_at), delete on secure_link_otps to vrss_runtime;
grant select, insert, update (consumed_at, transfer_id, sent_bytes) on secure_link_view_sessions to vrss_runtime;

-- The one predicate of liveness: a link is live while this is 'active'. It dies with the release of its document.
create function app.link_status(l secure_links) returns text language sql stable as $$
  select case
    when l.status <> 'active' then l.status
    when exists (
      select from public.roi_revocations r
      where r.veteran_id = l.veteran_id and r.document_id = l.document_id and r.revoked_at < l.expires_at
    ) then 'disabled'
    when l.expires_at <= clock_timestamp() then 'expired'
    else 'active'
  end
$$;
revoke all on function app.link_status from public;
grant execute on function app.link_status to vrss_runtime;

-- The document of the stated link, now. The policy reads links through this function alone: it runs as the owner, so that
-- no policy depends on the reader's rights.
create function app.linked_documents() returns table (veteran_id uuid, document_id uuid)
  language sql stable security definer set search_path = '' as $$
    select l.veteran_id, l.document_id from public.secure_links l
    where app.actor() = 'recipient'
      and l.veteran_id = app.actor_veteran()
      and l.id = nullif(current_setting('app.link_id', true), '')::uuid
      and app.link_status(l) = 'active'
  $$;
revoke all on function app.linked_documents from public;
grant execute on function app.linked_documents to vrss_runtime;

create policy recipient_reads_linked on documents for select to vrss_runtime
  using (
    (select app.actor()) = 'recipient'
    and veteran_id = (select app.actor_veteran())
    and kind = 'roi'
    and ends_at > statement_timestamp()
    and id in (select l.document_id from app.linked_documents() l)
  );
