create table veterans (
  id uuid primary key,
  va_patient_id text not null unique,
  call_sign text not null,
  email text not null,
  created_at timestamptz not null default now(),
  fhir_sync_manifest jsonb not null default '{}'
);

-- An app's request finds the veteran by e-mail; more than one may have an address.
create index veterans_email on veterans (lower(email));

grant select, insert, update (call_sign, email, fhir_sync_manifest) on veterans to vrss_runtime;
