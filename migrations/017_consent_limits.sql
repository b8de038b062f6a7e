-- Tells whether a veteran may have one more active grant, in all and with one provider or app (grantLimits in
-- src/domain/ConsentGrant.ts). Those who give grants for one veteran take turns until their transactions end, so that each
-- counts what the others gave.
create function app.has_room_for_grant(for_veteran uuid, for_grantee uuid, per_veteran int, per_grantee int)
  returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('consent_grants ' || for_veteran, 0));
  -- This is a statement of its own, so that it sees what the wait for the lock was for.
  return (
    select count(*) < per_veteran and count(*) filter (where for_grantee in (g.provider_id, g.client_id)) < per_grantee
    from public.consent_grants g
    where g.veteran_id = for_veteran and g.status = 'active' and g.expires_at > clock_timestamp()
  );
end $$;

revoke all on function app.has_room_for_grant from public;
grant execute on function app.has_room_for_grant to vrss_runtime;
