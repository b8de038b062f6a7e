import { Schema } from "effect"
import { VeteranId } from "../../domain/Id.ts"
import type { PageQuery } from "../Page.ts"
import { asActor } from "../Rows.ts"

const EntryRow = Schema.Struct({
  id: Schema.String,
  veteranId: VeteranId,
  category: Schema.String,
  bodyCiphertext: Schema.Uint8Array,
  occurredOn: Schema.NullOr(Schema.String),
  createdAt: Schema.Date,
  updatedAt: Schema.Date
})

type Entry = Omit<typeof EntryRow.Type, "createdAt" | "updatedAt">

const RemovedRow = Schema.Struct({ id: Schema.String })

export const list = ({ after, limit, veteranId }: PageQuery & { readonly veteranId: VeteranId }) =>
  asActor.all(EntryRow, (sql) =>
    sql`select * from self_reported_entries
        where veteran_id = ${veteranId} and deleted_at is null
          and (${after ?? null}::uuid is null or id < ${after ?? null})
        order by id desc limit ${limit}`)

export const insert = (entry: Entry) =>
  asActor.one(EntryRow, (sql) => sql`insert into self_reported_entries ${sql.insert({ ...entry })} returning *`)

/** Locks the row for a change later in the same transaction. */
export const findForUpdate = (veteranId: VeteranId, id: string) =>
  asActor.option(EntryRow, (sql) =>
    sql`select * from self_reported_entries
        where veteran_id = ${veteranId} and id = ${id} and deleted_at is null for update`)

export const update = ({ id, veteranId, ...changed }: Entry) =>
  asActor.one(EntryRow, (sql) =>
    sql`update self_reported_entries set ${sql.update(changed)}, updated_at = now()
        where veteran_id = ${veteranId} and id = ${id} returning *`)

/** Returns None if the entry does not exist or was already deleted. */
export const remove = (veteranId: VeteranId, id: string) =>
  asActor.option(RemovedRow, (sql) =>
    sql`update self_reported_entries set deleted_at = now()
        where veteran_id = ${veteranId} and id = ${id} and deleted_at is null returning id`)
