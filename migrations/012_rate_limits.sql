-- This is a sliding log with a row for each spending of permits. `key` is a keyed hash, so no address or e-mail is kept here.
create table rate_limit_spendings (
  key bytea not null,
  spent_at timestamptz not null,
  permits integer not null check (permits > 0)
);

create index rate_limit_spendings_key on rate_limit_spendings (key, spent_at);
create index rate_limit_spendings_age on rate_limit_spendings (spent_at);

grant select, insert, update (permits), delete on rate_limit_spendings to vrss_runtime;

-- Spends up to `wanted` permits. No span of `span` seconds ever holds more than `allowed`: callers with one key take
-- turns, in every process, and the time is taken once the turn has come. `moment` names the row that was written.
create function app.spend_permits(for_key bytea, allowed integer, span double precision, wanted integer)
  returns table (granted integer, retry_after double precision, moment timestamptz) language plpgsql as $$
declare
  used integer;
begin
  -- A crash of the server may forget the last fraction of a second of spendings; waiting for the disk here would
  -- make each request pay for that.
  perform set_config('synchronous_commit', 'off', true);
  perform pg_advisory_xact_lock(('x' || encode(substr(for_key, 1, 8), 'hex'))::bit(64)::bigint);
  moment := clock_timestamp();
  delete from public.rate_limit_spendings s where s.key = for_key and s.spent_at <= moment - make_interval(secs => span);
  select coalesce(sum(s.permits), 0), extract(epoch from min(s.spent_at) - moment) + span
    into used, retry_after from public.rate_limit_spendings s where s.key = for_key;
  granted := least(wanted, allowed - used);
  if granted > 0 then
    insert into public.rate_limit_spendings values (for_key, moment, granted);
    retry_after := 0;
  else
    granted := 0;
  end if;
  return next;
end $$;

revoke all on function app.spend_permits(bytea, integer, double precision, integer) from public;
grant execute on function app.spend_permits(bytea, integer, double precision, integer) to vrss_runtime;
