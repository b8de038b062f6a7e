import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { ProviderId } from "../../domain/Id.ts"
import { DirectoryEntry } from "../../domain/Provider.ts"
import type { PageQuery } from "../Page.ts"
import { all, option } from "../Rows.ts"

const InvitationRow = Schema.Struct({
  id: Schema.String,
  createdAt: Schema.Date,
  expiresAt: Schema.Date,
  revokedAt: Schema.NullOr(Schema.Date),
  used: Schema.Finite
})

interface NewInvitation {
  readonly id: string
  readonly providerId: ProviderId
  readonly codeHash: Uint8Array
  readonly days: number
  readonly most: number
}

export const make = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal("id, created_at, expires_at, revoked_at, used::float8 as used")
  return {
    /** Returns None if the provider has `most` live codes, or is disabled. */
    insert: ({ codeHash, days, id, most, providerId }: NewInvitation) =>
      option(
        InvitationRow,
        sql`select ${columns} from app.make_invitation(${providerId}, ${id}, ${codeHash}, ${days}::int, ${most}::int)`
      ),
    /** The newest first. */
    list: ({ after, limit, providerId }: PageQuery & { readonly providerId: ProviderId }) =>
      all(
        InvitationRow,
        sql`select ${columns} from provider_invitations
            where provider_id = ${providerId} and (${after ?? null}::uuid is null or id < ${after ?? null})
            order by id desc limit ${limit}`
      ),
    /** A code that was revoked or expired stays as it is. */
    revoke: (providerId: ProviderId, id: string) =>
      option(
        InvitationRow,
        sql`update provider_invitations
            set revoked_at = coalesce(revoked_at, case when expires_at > now() then now() end)
            where provider_id = ${providerId} and id = ${id} returning ${columns}`
      ),
    /** Counts the use. Returns None unless the code is live and its provider is not disabled. */
    find: (codeHash: Uint8Array) =>
      option(
        Schema.Struct(DirectoryEntry.fields),
        sql`update provider_invitations i set used = i.used + 1 from providers p
            where i.code_hash = ${codeHash} and i.revoked_at is null and i.expires_at > now()
              and p.id = i.provider_id and p.disabled_at is null
            returning p.id, p.email, p.display_name, p.organization, p.npi`
      )
  }
}
