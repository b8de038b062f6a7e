-- A code that somebody waits for is found at once, however many other mails wait. What is too much for a veteran's hour is
-- held, and told in one mail.

alter table outbox add column held_at timestamptz;
-- The first row of the mail that tells this one too. That row alone waits for a try, and all of them are sent or given up with it.
alter table outbox add column joined_to uuid references outbox (id) on delete set null;
grant update (held_at, joined_to) on outbox to vrss_runtime;
create index outbox_joined on outbox (joined_to) where joined_to is not null;

-- Whose turn a message waits for. No other mail waits behind notices, which are thousands, nor behind sign-ups, with which strangers
-- may flood the operator. Codes wait behind nothing else.
alter table outbox add column lane text not null generated always as (
  case
    when kind in ('pairing_code', 'email_code', 'password_link') then 'codes'
    when kind in ('grant_revoked', 'grant_expired', 'record_updated') then 'apps'
    when kind = 'checkpoint_signed' then 'witness'
    when kind in ('notice', 'waitlist_joined') then 'notices'
    else 'mails'
  end
) stored;
create index outbox_lane on outbox (lane, due_at);
drop index outbox_due;
create index outbox_held on outbox (veteran_id, due_at) where held_at is not null;

-- As app.take_message (013), but from one lane, so that no other message is passed over. That function stays for processes of the
-- release before.
create function app.take_from(of_lane text) returns setof outbox language sql as $$
  update public.outbox o set attempts = o.attempts + 1, due_at = clock_timestamp() + interval '5 minutes'
  where o.id = (
    select id from public.outbox where lane = of_lane and due_at <= statement_timestamp() and joined_to is null
    order by due_at limit 1 for update skip locked
  )
  returning o.*
$$;

-- Holds a mail, and the veteran's others of these kinds that wait for their first try. One that is under way, or is tried again,
-- keeps its own time. A row with an address tells that address of a change, such as the one of before, so it is not held.
create function app.hold_mails(of_veteran uuid, mail uuid, kinds text[], seconds double precision) returns void language sql as $$
  update public.outbox set attempts = 0, held_at = clock_timestamp(), due_at = clock_timestamp() + make_interval(secs => seconds)
  where veteran_id = of_veteran and kind = any (kinds) and address is null
    and (id = mail or held_at is null and attempts = 0)
$$;

-- Joins to a mail those of its veteran that were held and are due, at most this many, and returns all that are joined to it, the
-- newest first. They are due after its next try, whose pause is an hour at most, in case a process of the release before deletes it.
create function app.join_held(head uuid, of_veteran uuid, kinds text[], most integer) returns setof outbox
  language sql as $$
  with fresh as (
    select id from public.outbox
    where veteran_id = of_veteran and held_at is not null and due_at <= clock_timestamp() and kind = any (kinds)
      and attempts = 0 and id <> head
    order by created_at desc limit most for update skip locked
  ), joined as (
    update public.outbox o set attempts = o.attempts + 1, joined_to = head, due_at = clock_timestamp() + interval '2 hours'
    from (select id from fresh union all select id from public.outbox where joined_to = head) told
    where o.id = told.id returning o.*
  )
  select * from joined order by created_at desc
$$;

revoke all on function app.take_from, app.hold_mails, app.join_held from public;
grant execute on function app.take_from, app.hold_mails, app.join_held to vrss_runtime;
