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

-- A row for each provider who came back from Google. What the browser needs until then is in a cookie of its own, so that no
-- stranger can fill this table.
create table google_sign_ins (
  -- Neither the seed of the sign-in nor the one-time code is stored, only their HMACs.
  hash bytea primary key check (octet_length(hash) = 32),
  code_hash bytea not null unique check (octet_length(code_hash) = 32),
  challenge text not null,
  provider_id uuid not null references providers,
  created_at timestamptz not null default now(),
  used_at timestamptz
);

create index google_sign_ins_age on google_sign_ins (created_at);

grant select, insert, update (disabled_at, google_subject) on providers to vrss_runtime;
grant select, insert, update (revoked_at, resume_hashes) on provider_sessions to vrss_runtime;
grant select, insert, update (used_at) on google_sign_ins to vrss_runtime;
