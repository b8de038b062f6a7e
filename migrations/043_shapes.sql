-- A veteran took the FHIR shape of a release, of a grant or of their account of disclosures.
alter table proofs drop constraint proofs_kind_check, add constraint proofs_kind_check
  check (kind in ('sync_stored', 'grant_given', 'grant_revoked', 'record_viewed', 'record_saved', 'note_written',
    'document_stored', 'document_read', 'roi_signed', 'link_created', 'link_opened', 'link_code_sent',
    'link_code_failed', 'link_viewed', 'link_revoked', 'oauth_access_granted', 'oauth_access_denied',
    'oauth_token_refreshed', 'oauth_access_used', 'oauth_access_revoked', 'oauth_code_replayed',
    'oauth_refresh_replayed', 'session_started', 'session_ended', 'passkey_added', 'passkey_removed', 'identity_paired',
    'identity_removed', 'email_changed', 'export_made', 'deletion_asked', 'deletion_cancelled', 'deletion_done',
    'shape_exported'));

-- The stated veteran was given a shape. The same shape again in the same minute, such as a further page, adds nothing.
create function app.prove_shape(document uuid, shared_under uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if app.is_new_this_minute(app.actor_veteran(), 'shape_exported', coalesce(document, shared_under, app.actor_veteran())) then
    perform app.write_proof(app.actor_veteran(), 'shape_exported', 'veteran', app.actor_veteran(),
      jsonb_build_object('documentId', document, 'grantId', shared_under));
  end if;
end $$;
revoke all on function app.prove_shape from public;
grant execute on function app.prove_shape to vrss_runtime;
