create table waitlist_signups (
  id uuid primary key,
  email text not null,
  created_at timestamptz not null default now()
);

create unique index waitlist_signups_email on waitlist_signups (lower(email));

grant select, insert on waitlist_signups to vrss_runtime;
