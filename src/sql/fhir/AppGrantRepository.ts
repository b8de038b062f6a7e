import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { ClientId, GrantId, VeteranId } from "../../domain/Id.ts"
import { option } from "../Rows.ts"

const AppGrantRow = Schema.Struct({ scope: Schema.String, sensitiveCategories: Schema.Array(Schema.String) })

export const make = (sql: SqlClient.SqlClient) => ({
  /** Returns None if the veteran's grant to this app is not active or the app is disabled. */
  active: (grantId: GrantId, veteranId: VeteranId, clientId: ClientId) =>
    option(
      AppGrantRow,
      sql`select g.scope, g.sensitive_categories from consent_grants g
          join oauth_clients c on c.id = g.client_id and c.disabled_at is null
          where g.veteran_id = ${veteranId} and g.id = ${grantId} and g.client_id = ${clientId}
            and g.status = 'active' and g.expires_at > now()`
    )
})
