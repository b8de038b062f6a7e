create table veterans (
  id uuid primary key,
  va_patient_id text not null unique,
  call_sign text not null,
  email text not null,
  created_at timestamptz not null default now(),
  fhir_sync_manifest jsonb not null default '{}'
);

grant select, insert, update (call_sign, email, fhir_sync_manifest) on veterans to vrss_runtime;
