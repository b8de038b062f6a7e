-- What has expired is refused when it is read. Later it is marked as expired, so that indexes of what is active stay small, or is
-- deleted, a few rows at a time. The caller says how long ago (src/domain/Retention.ts); the times below are the least, so that
-- whoever calls this can do nothing to what somebody may still ask for.
create index consent_grants_due on consent_grants (expires_at) where status = 'active';
create index secure_links_due on secure_links (expires_at) where status = 'active';
create index secure_link_otps_age on secure_link_otps (created_at);
create index secure_link_view_sessions_age on secure_link_view_sessions (created_at);
create index provider_sessions_end on provider_sessions (expires_at);
create index proofs_age on proofs (at) where leaf_ciphertext is not null;

create function app.sweep(what text, after interval, most int) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  before pg_catalog.timestamptz;
  least_time pg_catalog.interval := case what
    when 'grants' then '1 hour' when 'links' then '1 hour'
    when 'codes' then '1 day' when 'view sessions' then '1 day'
    when 'google sign-ins' then '1 hour' when 'app requests' then '1 hour' when 'app codes' then '1 day'
    when 'app tokens' then '1 day' when 'assertions' then '1 minute'
    when 'minutes' then '1 hour' when 'provider sessions' then '1 day' when 'rate limits' then '25 hours'
    when 'disclosures' then '6 years'
  end;
  bound pg_catalog.int4 := least(most, 1000);
  swept pg_catalog.int4;
begin
  if least_time is null then raise exception 'nothing is swept by this name'; end if;
  before := clock_timestamp() - greatest(after, least_time);
  case what
    when 'grants' then
      update public.consent_grants set status = 'expired' where (veteran_id, id) in (
        select veteran_id, id from public.consent_grants where status = 'active' and expires_at <= before
        order by expires_at limit bound for no key update skip locked
      );
    -- Whoever sends a document of such a link hears of it; no view takes an hour.
    when 'links' then
      update public.secure_links set status = 'expired' where id in (
        select id from public.secure_links where status = 'active' and expires_at <= before
        order by expires_at limit bound for no key update skip locked
      );
    when 'codes' then
      delete from public.secure_link_otps where (veteran_id, link_id, id) in (
        select veteran_id, link_id, id from public.secure_link_otps where created_at <= before
        order by created_at limit bound for update skip locked
      );
    when 'view sessions' then
      delete from public.secure_link_view_sessions where session_hash in (
        select session_hash from public.secure_link_view_sessions where created_at <= before
        order by created_at limit bound for update skip locked
      );
    -- It is kept for longer than its cookie is good, so that it is finished once.
    when 'google sign-ins' then
      delete from public.google_sign_ins where hash in (
        select hash from public.google_sign_ins where created_at <= before
        order by created_at limit bound for update skip locked
      );
    when 'app requests' then
      delete from public.oauth_requests where hash in (
        select hash from public.oauth_requests where created_at <= before
        order by created_at limit bound for update skip locked
      );
    -- As long as a grant could be active, a second use of its code is told from a guess.
    when 'app codes' then
      delete from public.oauth_codes where hash in (
        select hash from public.oauth_codes where access_until <= before
        order by access_until limit bound for update skip locked
      );
    when 'app tokens' then
      delete from public.oauth_refresh_tokens where family in (
        select t.family from public.oauth_refresh_tokens t
        join public.consent_grants g on g.veteran_id = t.veteran_id and g.id = t.grant_id
        where coalesce(g.revoked_at, g.expires_at) <= before
        limit bound for update of t skip locked
      );
    when 'assertions' then
      delete from public.identity_assertions where hash in (
        select hash from public.identity_assertions where expires_at <= before
        order by expires_at limit bound for update skip locked
      );
    when 'minutes' then
      delete from public.acts_noted where (veteran_id, kind, subject_id) in (
        select veteran_id, kind, subject_id from public.acts_noted where minute <= before
        limit bound for update skip locked
      );
    when 'provider sessions' then
      delete from public.provider_sessions where id in (
        select id from public.provider_sessions where expires_at <= before
        order by expires_at limit bound for update skip locked
      );
    when 'rate limits' then
      delete from public.rate_limit_spendings where ctid in (
        select ctid from public.rate_limit_spendings where spent_at <= before
        order by spent_at limit bound for update skip locked
      );
    -- The leaf's hash stays in the tree, and says nothing without the salt that goes with its text.
    when 'disclosures' then
      update public.proofs set leaf_ciphertext = null, provider_hash = null where (veteran_id, id) in (
        select p.veteran_id, p.id from public.proofs p where p.leaf_ciphertext is not null and p.at <= before
        order by p.at limit bound for no key update skip locked
      );
  end case;
  get diagnostics swept = row_count;
  return swept;
end $$;

revoke all on function app.sweep from public;
grant execute on function app.sweep to vrss_runtime;
