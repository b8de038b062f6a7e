-- Makes a challenge, which counts against the recipient's address too, over all links to it (`address_key` is its keyed hash).
-- What the address is refused leaves no challenge, and what the link is refused costs the address nothing. Both read alike.
create function app.challenge_address(token bytea, challenge uuid, code bytea, resend_after int, codes_per_hour int,
    address_key bytea, codes_per_address int)
  returns table (status text, wait double precision, link_id uuid, veteran_id uuid, recipient_email_ciphertext bytea)
  -- Counting alone does not wait for the disk, a challenge does.
  language plpgsql set synchronous_commit = on as $$
declare
  spent record;
begin
  begin
    select step.* into status, wait, link_id, veteran_id, recipient_email_ciphertext
    from app.challenge_recipient(token, challenge, code, resend_after, codes_per_hour) as step;
    if not found then return; end if;
    if status = 'active' then
      select * into spent from app.spend_permits(address_key, codes_per_address, 3600, 1);
      if spent.granted = 0 then raise exception 'no codes left for this address' using errcode = 'VR429'; end if;
    end if;
  exception when sqlstate 'VR429' then
    status := 'limited';
    wait := spent.retry_after;
  end;
  return next;
end $$;

revoke all on function app.challenge_address from public;
grant execute on function app.challenge_address to vrss_runtime;
