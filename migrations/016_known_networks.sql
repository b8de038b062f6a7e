-- A provider signed in from these networks before; tries from them do not share the limit of those from elsewhere. `network` is
-- a keyed hash of e-mail and network, so that neither is kept here.
create table known_networks (
  network bytea primary key,
  provider_id uuid not null references providers,
  seen_at timestamptz not null default now()
);

create index known_networks_provider on known_networks (provider_id, seen_at);
create index known_networks_age on known_networks (seen_at);

grant select, insert, update (seen_at), delete on known_networks to vrss_runtime;
