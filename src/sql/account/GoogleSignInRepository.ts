import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { one, option } from "../Rows.ts"

const FinishedRow = Schema.Struct({
  known: Schema.Boolean,
  enabled: Schema.Boolean,
  same: Schema.Boolean,
  first: Schema.Boolean
})

const SpentRow = Schema.Struct({ opened: Schema.Boolean })

interface Finished {
  readonly subject: string
  readonly email: string
  /** Hash of the sign-in. It is stored, so that the sign-in can be finished only once. */
  readonly hash: Uint8Array
  readonly codeHash: Uint8Array
  readonly challenge: string
}

export const make = (sql: SqlClient.SqlClient) => ({
  /**
   * Stores a one-time code for the provider with this e-mail. The provider stays bound to their first Google account: a
   * person who later gets the same address has another account and is refused. Each column of the row is one check. If
   * a check fails, its column is false and no code is stored.
   */
  finish: ({ challenge, codeHash, email, hash, subject }: Finished) =>
    one(
      FinishedRow,
      sql`with named as (
            select id, disabled_at is null as enabled from providers where lower(email) = lower(${email})
          ), bound as (
            update providers p set google_subject = ${subject} from named n
            -- The address may have changed while this waited for the row.
            where p.id = n.id and lower(p.email) = lower(${email}) and p.disabled_at is null
              and (p.google_subject is null or p.google_subject = ${subject})
              and not exists (select from providers o where o.google_subject = ${subject} and o.id <> p.id)
            returning p.id
          ), noted as (
            insert into google_sign_ins (hash, code_hash, challenge, provider_id)
            select ${hash}, ${codeHash}, ${challenge}, id from bound
            on conflict (hash) do nothing returning hash
          )
          select exists (select from named) as known, exists (select from named where enabled) as enabled,
            exists (select from bound) as same, exists (select from noted) as first`
    ),
  /**
   * Spends the code and opens the session in one statement, so that only one of several concurrent calls succeeds.
   * Returns None if no live code has this challenge. `opened` is false if the provider has been disabled meanwhile.
   */
  spend: (
    { challenge, codeHash, hours, sessionId }: {
      readonly codeHash: Uint8Array
      readonly challenge: string
      readonly sessionId: string
      readonly hours: number
    }
  ) =>
    option(
      SpentRow,
      sql`with spent as (
            update google_sign_ins set used_at = now()
            where code_hash = ${codeHash} and challenge = ${challenge} and used_at is null
              and created_at > now() - interval '60 seconds'
            returning provider_id
          ), opened as (
            insert into provider_sessions (id, provider_id, expires_at)
            select ${sessionId}, p.id, now() + make_interval(hours => ${hours})
            from spent s join providers p on p.id = s.provider_id and p.disabled_at is null
            returning id
          )
          select exists (select from opened) as opened from spent`
    )
})
