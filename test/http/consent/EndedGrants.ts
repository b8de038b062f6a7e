import type pg from "pg"

/** Inserts grants that were revoked, without their events. Thousands over HTTP would take minutes. */
export const insertEnded = async (
  superuser: pg.Client,
  veteran: { readonly id: string },
  provider: { readonly id: string },
  count: number
) => {
  await superuser.query("set session_replication_role = replica")
  const { rows } = await superuser.query(
    `insert into consent_grants (veteran_id, id, provider_id, sensitive_categories, include_self_reported,
       include_documents, purpose, status, expires_at, revoked_at)
     select $1, app.uuid_v7(clock_timestamp()), $2, '{}', true, true, 'treatment', 'revoked', now(), now()
     from generate_series(1, $3) returning id`,
    [veteran.id, provider.id, count]
  )
  await superuser.query("reset session_replication_role")
  return rows.map(({ id }): string => id).toSorted().toReversed()
}
