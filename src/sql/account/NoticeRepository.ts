import { Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { VeteranId } from "../../domain/Id.ts"
import { noticeLimits, type Notices } from "../../domain/Notices.ts"
import { atEdge } from "../Connections.ts"
import { asActor, value, values } from "../Rows.ts"

const NoticesRow = Schema.Struct({
  looks: Schema.Literals(["each", "daily", "off"]),
  endings: Schema.Boolean,
  staleAfterDays: Schema.NullOr(Schema.Int)
})

/** These run in a veteran's transaction. */

export const read = asActor.one(
  NoticesRow,
  (sql) => sql`select looks, endings, stale_after_days from veteran_notices where veteran_id = app.actor_veteran()`
)

export const write = ({ endings, looks, staleAfterDays }: Notices) =>
  asActor.one(NoticesRow, (sql) =>
    sql`update veteran_notices
        set looks = ${looks}, endings = ${endings}::boolean, stale_after_days = ${staleAfterDays}::int
        where veteran_id = app.actor_veteran() returning looks, endings, stale_after_days`)

/** These statements need no actor, and may wait for longer than a request (migrations/038). */
const maxMs = 60_000

export const make = (sql: SqlClient.SqlClient) => ({
  /** Returns the veterans to whom something may be told now. */
  due: atEdge(values(VeteranId, sql`select veteran_id from app.notices_due() order by 1`), maxMs),
  /** Puts out the mails that are due to these veterans, marks them as told, and returns their number. */
  tell: (veteranIds: ReadonlyArray<VeteranId>) =>
    value(Schema.Int, sql`select app.tell_notices(${veteranIds}::uuid[], ${noticeLimits.perDay}) as mails`)
})
