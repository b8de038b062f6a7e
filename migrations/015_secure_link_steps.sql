-- The recipient's steps. Each locks the link's row first, so that revoking, and any two steps, run one after the other; what
-- a step counts or spends is written in the same statement that decides. The clock is the database's.

-- Opening tells where the code would go. The veteran is told of the first time.
create function app.open_link(token bytea)
  returns table (status text, link_id uuid, veteran_id uuid, recipient_email_ciphertext bytea, expires_at timestamptz)
  language plpgsql as $$
declare
  l public.secure_links;
begin
  select * into l from public.secure_links s where s.token_hash = token for no key update;
  if not found then return; end if;
  status := app.link_status(l);
  if status = 'active' and l.opened_at is null then
    update public.secure_links s set opened_at = clock_timestamp() where s.veteran_id = l.veteran_id and s.id = l.id;
    insert into public.outbox (kind, subject_id) values ('link_opened', l.id);
  end if;
  return query select status, l.id, l.veteran_id, l.recipient_email_ciphertext, l.expires_at;
end $$;

-- A new challenge ends the older ones. 'limited': within 30 s of the last, or the sixth within an hour; wait seconds.
create function app.challenge_recipient(token bytea, challenge uuid, code bytea)
  returns table (status text, wait double precision, link_id uuid, veteran_id uuid, recipient_email_ciphertext bytea)
  language plpgsql as $$
declare
  l public.secure_links;
  recent timestamptz[];
begin
  select * into l from public.secure_links s where s.token_hash = token for no key update;
  if not found then return; end if;
  status := app.link_status(l);
  wait := 0;
  if status = 'active' then
    recent := array(
      select o.created_at from public.secure_link_otps o
      where o.veteran_id = l.veteran_id and o.link_id = l.id and o.created_at > clock_timestamp() - interval '1 hour'
      order by o.created_at desc
    );
    wait := greatest(
      extract(epoch from recent[1] + interval '30 seconds' - clock_timestamp()),
      extract(epoch from recent[5] + interval '1 hour' - clock_timestamp()),
      0
    );
    if wait > 0 then
      status := 'limited';
    else
      update public.secure_link_otps o set ended_at = clock_timestamp()
      where o.veteran_id = l.veteran_id and o.link_id = l.id and o.ended_at is null;
      insert into public.secure_link_otps (veteran_id, link_id, id, code_hash) values (l.veteran_id, l.id, challenge, code);
    end if;
  end if;
  return query select status, wait, l.id, l.veteran_id, l.recipient_email_ciphertext;
end $$;

-- A try is counted before it is compared: 5 for a code, 15 wrong ones in a link's life. The right code, once, within 10
-- minutes, makes a view session.
create function app.try_code(token bytea, challenge uuid, code bytea, session bytea)
  returns table (status text, attempts_left int) language plpgsql as $$
declare
  l public.secure_links;
  o public.secure_link_otps;
begin
  select * into l from public.secure_links s where s.token_hash = token for no key update;
  if not found then return; end if;
  status := app.link_status(l);
  attempts_left := 0;
  if status = 'active' then
    update public.secure_link_otps p set tries = p.tries + 1
    where p.veteran_id = l.veteran_id and p.link_id = l.id and p.id = challenge and p.ended_at is null and p.tries < 5
      and p.created_at > clock_timestamp() - interval '10 minutes'
    returning * into o;
    if not found then
      status := 'wrong';
    elsif o.code_hash = code then
      status := 'right';
      update public.secure_link_otps p set ended_at = clock_timestamp()
      where p.veteran_id = l.veteran_id and p.link_id = l.id and p.id = challenge;
      insert into public.secure_link_view_sessions (veteran_id, link_id, session_hash) values (l.veteran_id, l.id, session);
    else
      status := 'wrong';
      attempts_left := 5 - o.tries;
      update public.secure_links s set wrong_codes = s.wrong_codes + 1
      where s.veteran_id = l.veteran_id and s.id = l.id returning s.wrong_codes into l.wrong_codes;
      if l.wrong_codes = 15 then
        attempts_left := 0;
        update public.secure_links s set status = 'disabled', disabled_at = clock_timestamp()
        where s.veteran_id = l.veteran_id and s.id = l.id;
        insert into public.outbox (kind, subject_id) values ('link_locked', l.id);
      end if;
    end if;
  end if;
  return query select status, attempts_left;
end $$;

-- Spends a view session, once and within 5 minutes; or, for 60 seconds from then, lets its holder go on at a place no further
-- back than the last 256 KiB that were sent. The lock on the link is the caller's until its transaction ends.
create function app.begin_transfer(session bytea, transfer uuid, resume_at bigint, size bigint)
  returns text language plpgsql as $$
declare
  l public.secure_links;
  v public.secure_link_view_sessions;
  status text;
begin
  select s.* into l from public.secure_links s
    join public.secure_link_view_sessions w on w.veteran_id = s.veteran_id and w.link_id = s.id
    where w.session_hash = session for no key update of s;
  if not found then return 'view_session_expired'; end if;
  status := app.link_status(l);
  if status <> 'active' then return status; end if;
  select * into v from public.secure_link_view_sessions w where w.session_hash = session;
  if v.consumed_at is null then
    if v.created_at <= clock_timestamp() - interval '5 minutes' then return 'view_session_expired'; end if;
    if resume_at > 0 then return 'not_sent_so_far'; end if;
    if l.viewed_at is null then
      update public.secure_links s set viewed_at = clock_timestamp() where s.veteran_id = l.veteran_id and s.id = l.id;
      insert into public.outbox (kind, subject_id) values ('link_viewed', l.id);
    end if;
  else
    if resume_at is null or v.consumed_at <= clock_timestamp() - interval '60 seconds' then return 'view_session_used'; end if;
    if resume_at >= size then return 'not_sent_so_far'; end if;
    -- A transfer whose end nobody noted may have sent everything.
    if resume_at < (case when v.transfer_id is null then v.sent_bytes else size end) - 262144 then
      return 'view_session_used';
    end if;
    perform pg_notify('transfers_ended', v.transfer_id::text) where v.transfer_id is not null;
  end if;
  update public.secure_link_view_sessions w
  set consumed_at = coalesce(w.consumed_at, clock_timestamp()), transfer_id = transfer,
    -- Of a transfer that is taken over nobody notes the end: it counts as having sent everything.
    sent_bytes = case when w.transfer_id is null then w.sent_bytes else size end
  where w.session_hash = session;
  return 'active';
end $$;

revoke all on function app.open_link, app.challenge_recipient, app.try_code, app.begin_transfer from public;
grant execute on function app.open_link, app.challenge_recipient, app.try_code, app.begin_transfer to vrss_runtime;
