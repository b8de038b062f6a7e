import { Context, Effect, Layer, Option, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { GrantId, LinkId, ProviderId, VeteranId } from "../domain/Id.ts"
import { atEdge, type EdgeError, SyncConnections } from "./Connections.ts"
import { countTransactions, type PoolName } from "./PoolGauges.ts"

/** A transaction acts for an actor. All but a veteran name the one veteran whose rows it is about; an app acts under one grant. */
export type Actor =
  | { readonly kind: "veteran"; readonly veteranId: VeteranId }
  | { readonly kind: "provider"; readonly providerId: ProviderId; readonly veteranId: VeteranId }
  | { readonly kind: "recipient"; readonly linkId: LinkId; readonly veteranId: VeteranId }
  | { readonly kind: "app"; readonly grantId: GrantId; readonly veteranId: VeteranId }

/** Removes the releases that were kept for their time. */
interface Retention {
  readonly kind: "retention"
}

/** What a release shows its recipient of a record. */
export interface Shown {
  readonly resourceTypes: ReadonlyArray<string>
  readonly categories: ReadonlyArray<string>
}

/** A running transaction whose actor is stated is the only way to the seven protected tables. */
export class ActorTransaction
  extends Context.Service<ActorTransaction, SqlClient.SqlClient>()("vrss/ActorTransaction")
{}

/**
 * Opens transactions for an actor. Row-level security in PostgreSQL reads the actor from transaction-local settings
 * and decides every row; with none stated there is no row to see or write. One transaction has one actor: what is
 * stated in a savepoint outlives it, so a transaction within a transaction is a defect.
 */
export class Actors extends Context.Service<Actors, {
  readonly withActor: WithActor
  /** The same for what only reads, and reads all of one moment however many statements it takes. */
  readonly atOneMoment: WithActor
}>()("vrss/Actors") {
  static readonly layer = Layer.effect(
    Actors,
    Effect.map(SqlClient.SqlClient, (sql) =>
      Actors.of({
        withActor: withActorOn(sql, "own"),
        atOneMoment: withActorOn(sql, "own", {
          deadline: maxReadingMs,
          begin: sql`set transaction isolation level repeatable read, read only`
        })
      }))
  )
}

/** The same on the syncs' own connections. */
export class SyncActors extends Context.Service<SyncActors, { readonly withActor: WithActor }>()("vrss/SyncActors") {
  static readonly layer = Layer.effect(
    SyncActors,
    Effect.map(
      SyncConnections,
      (sql) => SyncActors.of({ withActor: withActorOn(sql, "sync", { deadline: maxSyncMs }) })
    )
  )
}

/** These milliseconds are enough for 64 MiB and a database under load. */
const maxSyncMs = 120_000

/** A release is read at the pace of the process that opens its items; each statement has a shorter time of its own. */
const maxReadingMs = 120_000

type Statement = Effect.Effect<unknown, SqlError.SqlError>

type WithActor = (
  actor: Actor | Retention
) => <A, E, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.Effect<A, Exclude<E, EdgeError>, Exclude<R, ActorTransaction>>

/** `deadline` holds for the transaction as a whole, and is in milliseconds; `begin` runs before any other statement. */
const withActorOn = (
  sql: SqlClient.SqlClient,
  pool: PoolName,
  { begin: first, deadline }: { readonly deadline?: number; readonly begin?: Statement } = {}
): WithActor => {
  const counted = countTransactions(pool)
  return (actor) => (effect) =>
    Effect.suspend(() => {
      const { begin, end } = counted()
      return Effect.sync(begin).pipe(
        Effect.andThen(first ?? Effect.void),
        Effect.andThen(stateActor(sql, actor)),
        Effect.andThen(Effect.provideService(effect, ActorTransaction, sql)),
        sql.withTransaction,
        Effect.ensuring(Effect.sync(end))
      )
    }).pipe(
      Effect.retry({ while: isConflict, times: 3, schedule: Schedule.jittered(Schedule.exponential("20 millis")) }),
      (transaction) => atEdge(transaction, deadline),
      (transaction) => Effect.andThen(refuseNesting(sql), transaction)
    ) as never
}

const refuseNesting = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(
    Effect.serviceOption(sql.transactionService),
    (open) => Option.isSome(open) ? Effect.die(new Error("withActor inside a transaction")) : Effect.void
  )

const stateActor = (sql: SqlClient.SqlClient, actor: Actor | Retention) =>
  sql`select set_config('app.actor', ${actor.kind}, true),
             set_config('app.veteran_id', ${actor.kind === "retention" ? "" : actor.veteranId}, true),
             set_config('app.provider_id', ${actor.kind === "provider" ? actor.providerId : ""}, true),
             set_config('app.link_id', ${actor.kind === "recipient" ? actor.linkId : ""}, true),
             set_config('app.grant_id', ${actor.kind === "app" ? actor.grantId : ""}, true)`

/**
 * From here on a veteran's transaction is one of a release of theirs: it sees those items and counts of theirs that the
 * recipient may see, and nothing else. It never goes back, so that no transaction sees more than it did.
 */
export const asRelease = ({ categories, resourceTypes }: Shown) =>
  Effect.flatMap(
    ActorTransaction.use((sql) =>
      sql`select set_config('app.actor', 'release', true),
                 set_config('app.resource_types', ${resourceTypes.join()}, true),
                 set_config('app.categories', ${categories.join() || ","}, true)
          where app.actor() = 'veteran'`
    ),
    (stated) => stated.length === 1 ? Effect.void : Effect.die(new Error("a release of no veteran"))
  )

/** A transaction lost to another one (deadlock, serialization) has written nothing, and the same may succeed now. */
const isConflict = (error: unknown) => {
  const reason = (error as { readonly _tag?: string; readonly reason?: { readonly _tag: string } }).reason?._tag
  return reason === "DeadlockError" || reason === "SerializationError"
}
