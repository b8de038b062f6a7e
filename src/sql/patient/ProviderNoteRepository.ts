import { Schema } from "effect"
import type { PageQuery } from "../Page.ts"
import { asActor } from "../Rows.ts"

const NoteRow = Schema.Struct({
  id: Schema.String,
  veteranId: Schema.String,
  providerId: Schema.String,
  providerName: Schema.String,
  bodyCiphertext: Schema.Uint8Array,
  createdAt: Schema.Date
})

interface NewNote {
  readonly id: string
  readonly veteranId: string
  readonly providerId: string
  readonly bodyCiphertext: Uint8Array
}

/** The newest come first: all of them for the veteran, a provider's own for that provider (row-level security). */
export const list = ({ after, limit, veteranId }: PageQuery & { readonly veteranId: string }) =>
  asActor.all(NoteRow, (sql) =>
    sql`select n.*, p.display_name as provider_name
        from provider_notes n join providers p on p.id = n.provider_id
        where n.veteran_id = ${veteranId} and (${after ?? null}::uuid is null or n.id < ${after ?? null})
        order by n.id desc limit ${limit}`)

export const insert = (note: NewNote) =>
  asActor.one(NoteRow, (sql) =>
    sql`with n as (insert into provider_notes ${sql.insert({ ...note })} returning *)
        select n.*, p.display_name as provider_name from n join providers p on p.id = n.provider_id`)
