-- These are the recipient's steps. Each locks the link's row first, so that revoking, and any two steps, run one after the
-- other. What a step counts or spends is written in the same statement that decides. The clock is the database's. The caller
-- passes the limits (linkLimits in src/domain/SecureLink.ts); their times are in seconds. They run as the owner, so that the
-- web process can take a step, and can do nothing else to what the steps count, spend and note.

-- Locks the link of a token until the transaction ends. The row is null when no link has the token.
create function app.lock_link(token bytea) returns secure_links language sql as $$
  select * from public.secure_links where token_hash = token for no key update
$$;

-- Opening tells where the code would go. The veteran is told of the first time.
create function app.open_link(token bytea)
  returns table (status text, link_id uuid, veteran_id uuid, recipient_email_ciphertext bytea, expires_at timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  link public.secure_links := app.lock_link(token);
begin
  if link.id is null then return; end if;
  status := app.link_status(link);
  if status = 'active' then
    if app.is_new_this_minute(link.veteran_id, 'link_opened', link.id) then
      perform app.prove_step(link, 'link_opened');
    end if;
    if link.opened_at is null then
      update public.secure_links set opened_at = clock_timestamp() where id = link.id;
      insert into public.outbox (kind, subject_id) values ('link_opened', link.id);
    end if;
  end if;
  return query select status, link.id, link.veteran_id, link.recipient_email_ciphertext, link.expires_at;
end $$;

-- A new challenge ends the older ones. It is 'limited', for `wait` seconds, too soon after the last one and when an hour has
-- had its codes.
create function app.challenge_recipient(token bytea, challenge uuid, code bytea, resend_after int, codes_per_hour int)
  returns table (status text, wait double precision, link_id uuid, veteran_id uuid, recipient_email_ciphertext bytea)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  link public.secure_links := app.lock_link(token);
  recent pg_catalog.timestamptz[];
begin
  if link.id is null then return; end if;
  status := app.link_status(link);
  wait := 0;
  if status = 'active' then
    recent := array(
      select otp.created_at from public.secure_link_otps otp
      where otp.veteran_id = link.veteran_id and otp.link_id = link.id
        and otp.created_at > clock_timestamp() - interval '1 hour'
      order by otp.created_at desc
    );
    wait := greatest(
      extract(epoch from recent[1] - clock_timestamp()) + resend_after,
      extract(epoch from recent[codes_per_hour] + interval '1 hour' - clock_timestamp()),
      0
    );
    if wait > 0 then
      status := 'limited';
    else
      update public.secure_link_otps otp set ended_at = clock_timestamp()
      where otp.veteran_id = link.veteran_id and otp.link_id = link.id and otp.ended_at is null;
      insert into public.secure_link_otps (veteran_id, link_id, id, code_hash)
      values (link.veteran_id, link.id, challenge, code);
    end if;
  end if;
  return query select status, wait, link.id, link.veteran_id, link.recipient_email_ciphertext;
end $$;

-- A try is counted before it is compared, for the code and, when it is wrong, for the link's whole life. The right code,
-- once and in time, makes a view session.
create function app.try_code(token bytea, challenge uuid, code bytea, view_session bytea,
    expires_in int, tries_per_code int, wrong_codes_per_link int)
  returns table (status text, attempts_left int)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  link public.secure_links := app.lock_link(token);
  otp public.secure_link_otps;
begin
  if link.id is null then return; end if;
  status := app.link_status(link);
  attempts_left := 0;
  if status = 'active' then
    update public.secure_link_otps set tries = tries + 1
    where veteran_id = link.veteran_id and link_id = link.id and id = challenge and ended_at is null
      and tries < tries_per_code and created_at > clock_timestamp() - make_interval(secs => expires_in)
    returning * into otp;
    if not found then
      status := 'wrong';
      -- It was no try of a code that lives, and nothing but the limit of its address counts it.
      if app.is_new_this_minute(link.veteran_id, 'link_code_failed', link.id) then
        perform app.prove_step(link, 'link_code_failed');
      end if;
    elsif otp.code_hash = code then
      status := 'right';
      update public.secure_link_otps set ended_at = clock_timestamp()
      where veteran_id = link.veteran_id and link_id = link.id and id = challenge;
      insert into public.secure_link_view_sessions (veteran_id, link_id, session_hash)
      values (link.veteran_id, link.id, view_session);
    else
      status := 'wrong';
      attempts_left := tries_per_code - otp.tries;
      perform app.prove_step(link, 'link_code_failed');
      if link.wrong_codes + 1 < wrong_codes_per_link then
        update public.secure_links set wrong_codes = wrong_codes + 1 where id = link.id;
      else
        attempts_left := 0;
        update public.secure_links set wrong_codes = wrong_codes + 1, status = 'disabled', disabled_at = clock_timestamp()
        where id = link.id;
        insert into public.outbox (kind, subject_id) values ('link_locked', link.id);
      end if;
    end if;
  end if;
  return query select status, attempts_left;
end $$;

-- Spends a view session, once and in time. For `resume_for` after its transfer broke its holder may go on at a place no further
-- back than the last `resume_bytes` that were sent; one that comes no further than another before begins no new time. 'running':
-- the transfer is told to end, and once that is noted the caller asks again; where it waited in vain the sender is `gone`. The
-- lock on the link is the caller's until its transaction ends.
create function app.begin_transfer(view_session bytea, transfer uuid, resume_at bigint, size bigint, gone boolean,
    expires_in int, resume_for int, resume_bytes int)
  returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  link public.secure_links := app.lock_link((
    select token_hash from public.secure_links
    where id = (select link_id from public.secure_link_view_sessions where session_hash = view_session)
  ));
  session public.secure_link_view_sessions;
  status pg_catalog.text;
begin
  if link.id is null then return 'view_session_expired'; end if;
  status := app.link_status(link);
  if status <> 'active' then return status; end if;
  select * into session from public.secure_link_view_sessions where session_hash = view_session;
  if session.consumed_at is null then
    if session.created_at <= clock_timestamp() - make_interval(secs => expires_in) then return 'view_session_expired'; end if;
    if resume_at > 0 then return 'not_sent_so_far'; end if;
    perform app.prove_step(link, 'link_viewed');
    if link.viewed_at is null then
      update public.secure_links set viewed_at = clock_timestamp() where id = link.id;
      insert into public.outbox (kind, subject_id) values ('link_viewed', link.id);
    end if;
  else
    if resume_at is null or session.is_over then return 'view_session_used'; end if;
    if resume_at >= size then return 'not_sent_so_far'; end if;
    if session.transfer_id is not null and not gone then
      perform pg_notify('transfers_ended', session.transfer_id::pg_catalog.text);
      return 'running';
    end if;
    -- A transfer whose end nobody noted may have sent everything.
    if resume_at < (case when session.transfer_id is null then session.sent_bytes else size end) - resume_bytes
      or coalesce(session.broke_at, session.consumed_at) <= clock_timestamp() - make_interval(secs => resume_for)
    then
      return 'view_session_used';
    end if;
  end if;
  update public.secure_link_view_sessions
  set consumed_at = coalesce(consumed_at, clock_timestamp()), transfer_id = transfer,
    -- Nobody notes the end of a transfer that is taken over, so it counts as having sent everything.
    sent_bytes = case when transfer_id is null then sent_bytes else size end
  where session_hash = view_session;
  return 'active';
end $$;

-- A transfer's end is noted with how far it came, and whether it is over rather than broken.
create function app.end_transfer(veteran uuid, transfer uuid, sent bigint, over boolean) returns void
  language sql security definer set search_path = pg_catalog, pg_temp as $$
    update public.secure_link_view_sessions set transfer_id = null, sent_bytes = greatest(sent_bytes, sent), is_over = over,
      broke_at = case when broke_at is null or sent > sent_bytes then clock_timestamp() else broke_at end
    where veteran_id = veteran and transfer_id = transfer
  $$;

create function app.note_notified(veteran uuid, link uuid) returns void
  language sql security definer set search_path = pg_catalog, pg_temp as $$
    update public.secure_links set notified_at = now() where veteran_id = veteran and id = link
  $$;

create function app.note_code_sent(veteran uuid, link uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  sent_to public.secure_links;
begin
  update public.secure_links set code_sent_at = now() where veteran_id = veteran and id = link returning * into sent_to;
  if found then perform app.prove_step(sent_to, 'link_code_sent'); end if;
end $$;

-- A code that could not be sent is forgotten, so that another may be asked for at once; nobody has tried it.
create function app.forget_challenge(veteran uuid, link uuid, challenge uuid) returns void
  language sql security definer set search_path = pg_catalog, pg_temp as $$
    delete from public.secure_link_otps where veteran_id = veteran and link_id = link and id = challenge and tries = 0
  $$;

revoke all on function app.lock_link, app.open_link, app.challenge_recipient, app.try_code, app.begin_transfer,
  app.end_transfer, app.note_notified, app.note_code_sent, app.forget_challenge from public;
grant execute on function app.open_link, app.challenge_recipient, app.try_code, app.begin_transfer, app.end_transfer,
  app.note_notified, app.note_code_sent, app.forget_challenge to vrss_runtime;
