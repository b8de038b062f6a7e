import { Effect, Schema } from "effect"
import { DeletionPending } from "../../domain/Deletion.ts"
import { Conflict } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { asActor } from "../Rows.ts"

const RefusalRow = Schema.Struct({ refusal: Schema.NullOr(Schema.Literals(["deletion", "stopped"])) })

/**
 * Takes the turn of whoever shares a veteran's record until the transaction ends: nothing is stopped meanwhile, and each
 * counts what the others shared. Fails if the record is about to be deleted. Fails too if everything was stopped after
 * `since`, which is the begin of the transaction if it is missing.
 */
export const take = (veteranId: VeteranId, since?: Date) =>
  Effect.flatMap(
    asActor.one(RefusalRow, (sql) =>
      sql`select app.sharing_refusal(${veteranId}, least(now(), ${since ?? null}::timestamptz)) as refusal`),
    ({ refusal }): Effect.Effect<void, Conflict | DeletionPending> => {
      if (refusal === "deletion") {
        return Effect.fail(new DeletionPending())
      }
      return refusal === "stopped" ? Effect.fail(new Conflict({ message: stopped })) : Effect.void
    }
  )

const stopped =
  "Everything that you shared was stopped meanwhile. Look at the list of who has the record, and share again."
