create table providers (
  id uuid primary key,
  email text not null,
  password_hash text not null,
  display_name text not null,
  organization text not null,
  npi text,
  google_subject text unique,
  disabled_at timestamptz,
  created_at timestamptz not null default now()
);

create unique index providers_email on providers (lower(email));

create table provider_sessions (
  id uuid primary key,
  provider_id uuid not null references providers,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- Keyed hashes of the cookies by which the portal resumes this session, the newest first.
  resume_hashes bytea[] not null default '{}'
);

create index provider_sessions_provider on provider_sessions (provider_id) where revoked_at is null;

grant select, insert, update (disabled_at) on providers to vrss_runtime;
grant select, insert, update (revoked_at, resume_hashes) on provider_sessions to vrss_runtime;
