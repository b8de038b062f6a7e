-- Mail that may wait, and what a witness is told, is written in the transaction of its cause. A row names what the message is
-- about and never holds its text or an address: whoever sends it reads those from the rows that it names.
create table outbox (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('link_opened', 'link_viewed', 'link_locked', 'waitlist_joined', 'checkpoint_signed',
    'app_connected', 'app_replayed', 'grant_revoked', 'grant_expired', 'record_updated')),
  subject_id uuid not null,
  created_at timestamptz not null default now(),
  attempts int not null default 0,
  due_at timestamptz not null default now()
);
create index outbox_due on outbox (due_at);
-- What an app is told once for all that it would be told again of the same grant.
create index outbox_said_again on outbox (subject_id) where kind = 'record_updated';

grant select, insert, update (attempts, due_at), delete on outbox to vrss_runtime;

-- Takes one message of these kinds that is due, for as long as the slowest receiver may need. It is deleted once it was sent; a
-- process that ends before that leaves it to be sent once more. Its time is the statement's: with one that goes on (clock_timestamp)
-- an index would be walked past all that is not due, for as long as a receiver that is away has them wait.
create function app.take_message(kinds text[]) returns setof outbox language sql as $$
  update public.outbox o set attempts = o.attempts + 1, due_at = clock_timestamp() + interval '5 minutes'
  where o.id = (
    select id from public.outbox where due_at <= statement_timestamp() and kind = any (kinds) order by due_at limit 1 for update skip locked
  )
  returning o.*
$$;
revoke all on function app.take_message from public;
grant execute on function app.take_message to vrss_runtime;
