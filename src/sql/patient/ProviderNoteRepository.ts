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

/** Newest first. Row-level security shows a veteran all notes, and a provider their own. */
export const list = ({ after, limit, veteranId }: PageQuery & { readonly veteranId: VeteranId }) =>
  asActor.all(NoteRow, (sql) =>
    sql`select n.*, p.display_name as provider_name
        from provider_notes n join providers p on p.id = n.provider_id
        where n.veteran_id = ${veteranId} and (${after ?? null}::uuid is null or n.id < ${after ?? null})
        order by n.id desc limit ${limit}`)

export const insert = (note: NewNote) =>
  asActor.one(NoteRow, (sql) =>
    sql`with n as (insert into provider_notes ${sql.insert({ ...note })} returning *)
        select n.*, p.display_name as provider_name from n join providers p on p.id = n.provider_id`)
