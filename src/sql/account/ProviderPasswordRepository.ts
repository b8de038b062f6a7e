import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { ProviderId } from "../../domain/Id.ts"
import { passwordLimits as limits } from "../../domain/ProviderPassword.ts"
import { atEdge } from "../Connections.ts"
import { one, option } from "../Rows.ts"

const MailedRow = Schema.Struct({ status: Schema.Literals(["mailed", "unknown", "disabled"]) })

const KeptRow = Schema.Struct({ kept: Schema.Boolean })

interface Link {
  readonly id: string
  readonly tokenHash: Uint8Array
}

interface Forgotten extends Link {
  readonly email: string
  /** Under this key the links of one address are counted. */
  readonly addressKey: Uint8Array
}

interface OperatorsLink extends Link {
  readonly providerId: ProviderId
  readonly why: "registered" | "operator"
}

interface Change {
  readonly providerId: ProviderId
  /** The session that goes on. */
  readonly sessionId: string
  readonly checkedHash: string
  readonly newHash: string
}

/** The steps by which a provider chooses a password (migrations/036). */
export const make = (sql: SqlClient.SqlClient) => ({
  /** Takes the same steps for every address. */
  forget: ({ addressKey, email, id, tokenHash }: Forgotten) =>
    atEdge(
      sql`select app.forget_password(${id}, ${tokenHash}, ${email}, ${addressKey}, ${limits.linksPerDay},
            ${limits.linkSeconds})`
    ),
  mailLink: ({ id, providerId, tokenHash, why }: OperatorsLink) =>
    one(
      MailedRow,
      sql`select app.mail_password_link(${id}, ${tokenHash}, ${providerId}, ${why}, ${limits.linkSeconds}) as status`
    ),
  /** Returns the address of the provider who may use the token, or None if it is not good. */
  addressOf: (tokenHash: Uint8Array) =>
    option(
      Schema.Struct({ email: Schema.String }),
      sql`select email from providers where id = app.provider_of_password_link(${tokenHash})`
    ),
  /** `kept` is false if the token is not good. */
  set: (tokenHash: Uint8Array, newHash: string) =>
    one(KeptRow, sql`select app.set_password(${tokenHash}, ${newHash}) as kept`),
  hashOf: (providerId: ProviderId) =>
    option(
      Schema.Struct({ passwordHash: Schema.String }),
      sql`select password_hash from providers where id = ${providerId} and disabled_at is null`
    ),
  /** `kept` is false if the password is no longer the one that was checked. */
  change: ({ checkedHash, newHash, providerId, sessionId }: Change) =>
    one(
      KeptRow,
      sql`select app.change_password(${providerId}, ${sessionId}, ${checkedHash}, ${newHash}) as kept`
    )
})
