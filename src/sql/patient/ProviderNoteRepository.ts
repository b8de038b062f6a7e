import { Schema } from "effect"
import { ProviderId, VeteranId } from "../../domain/Id.ts"
import type { PageQuery } from "../Page.ts"
import { asActor } from "../Rows.ts"

const NoteRow = Schema.Struct({
  id: Schema.String,
  veteranId: VeteranId,
  providerId: ProviderId,
  providerName: Schema.String,
  bodyCiphertext: Schema.Uint8Array,
  createdAt: Schema.Date
})

interface NewNote {
  readonly id: string
  readonly veteranId: VeteranId
  readonly providerId: ProviderId
  readonly bodyCiphertext: Uint8Array
}

/** All notes about a veteran, or those of one provider. Newest first. Row-level security shows a provider their own. */
export const list = (
  { after, limit, providerId, veteranId }: PageQuery & {
    readonly veteranId: VeteranId
    readonly providerId?: ProviderId
  }
) =>
  asActor.all(NoteRow, (sql) =>
    sql`select n.*, p.display_name as provider_name
        from (
          select * from provider_notes
          where veteran_id = ${veteranId} ${
      providerId === undefined ? sql.literal("") : sql`and provider_id = ${providerId}`
    }
            and (${after ?? null}::uuid is null or id < ${after ?? null})
          order by id desc limit ${limit}
        ) n join providers p on p.id = n.provider_id
        order by n.id desc`)

export const insert = (note: NewNote) =>
  asActor.one(NoteRow, (sql) =>
    sql`with n as (insert into provider_notes ${sql.insert({ ...note })} returning *)
        select n.*, p.display_name as provider_name from n join providers p on p.id = n.provider_id`)
