create table veterans (
  id uuid primary key,
  va_patient_id text not null unique,
  call_sign text not null,
  email text not null,
  created_at timestamptz not null default now(),
  fhir_sync_manifest jsonb not null default '{}',
  -- By type keyed hashes of its list as it was last synchronised completely: {"list", "digest"} in base64. Whoever writes items of
  -- a type in another way takes its hashes away.
  fhir_list_hashes jsonb not null default '{}'
);

-- An app's request finds the veteran by e-mail; more than one may have an address.
create index veterans_email on veterans (lower(email));

grant select, insert, update (call_sign, email, fhir_sync_manifest, fhir_list_hashes) on veterans to vrss_runtime;
