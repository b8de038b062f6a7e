import { Context, Data, Effect, Layer, Option, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { deviceSessionLimits } from "../domain/DeviceSession.ts"
import type { GrantId, LinkId, ProviderId, VeteranId } from "../domain/Id.ts"
import { atEdge, DatabaseUnavailable, type EdgeError, isSqlError, SyncConnections } from "./Connections.ts"
import { codesOf } from "./ErrorCodes.ts"
import { ReadOnly } from "./platform/DatabaseProbe.ts"
import { countTransactions, type PoolName } from "./PoolGauges.ts"

/**
 * Each transaction acts for one actor and concerns one veteran's rows. An app acts under one grant. Only
 * `app.listed_patients` (migrations/028) states one veteran after the other, for a provider's list.
 */
export type Actor =
  | { readonly kind: "veteran"; readonly veteranId: VeteranId }
  | { readonly kind: "provider"; readonly providerId: ProviderId; readonly veteranId: VeteranId }
  | { readonly kind: "recipient"; readonly linkId: LinkId; readonly veteranId: VeteranId }
  | { readonly kind: "app"; readonly grantId: GrantId; readonly veteranId: VeteranId }

/** The actor that removes kept releases after their retention period. */
interface Retention {
  readonly kind: "retention"
}

/** The part of a record that a release shows its recipient. */
export interface Shown {
  readonly resourceTypes: ReadonlyArray<string>
  readonly categories: ReadonlyArray<string>
}

/** The session of a veteran's token: its id, or when all tokens had been ended before it was issued, if ever. */
export interface TokenSession {
  readonly id: string | null
  readonly notBefore: Date | null
}

/**
 * The session of the token by which the fiber's veteran acts; undefined if no token is used. The statement that states
 * the actor checks it, so that a transaction under an ended session can read and write nothing.
 */
export const ActingSession = Context.Reference<TokenSession | undefined>("vrss/sql/Actor/ActingSession", {
  defaultValue: () => undefined
})

/** The session of the veteran's token has ended. A transaction fails with this defect; the HTTP edge answers 401. */
export class SessionEnded extends Data.TaggedError("SessionEnded") {}

/** A running transaction with an actor. Only such a transaction can reach the protected tables. */
export class ActorTransaction
  extends Context.Service<ActorTransaction, SqlClient.SqlClient>()("vrss/sql/Actor/ActorTransaction")
{}

/**
 * Opens transactions for an actor. Row-level security in PostgreSQL reads the actor from transaction-local settings
 * and decides every row; without an actor no row can be read or written. Nesting transactions is a defect: the
 * inner one's settings would outlive its savepoint, so the outer one would continue as the inner one's actor.
 */
export class Actors extends Context.Service<Actors, {
  readonly withActor: WithActor
  readonly asVeteran: (veteranId: VeteranId) => ReturnType<WithActor>
  /** As `withActor`, where it may wait for a sync. It writes nothing if the actor's token ended meanwhile. */
  readonly withWaitingActor: WithActor
  /** Opens a read-only transaction in which all statements see the database as of the same moment. */
  readonly atOneMoment: WithActor
}>()("vrss/sql/Actor/Actors") {
  static readonly layer = Layer.effect(
    Actors,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const withActor = withActorOn(sql, "own")
      return Actors.of({
        withActor,
        asVeteran: (veteranId) => withActor({ kind: "veteran", veteranId }),
        withWaitingActor: withActorOn(sql, "own", { isLong: true }),
        atOneMoment: withActorOn(sql, "own", {
          deadline: maxReadingMs,
          begin: sql`set transaction isolation level repeatable read, read only`
        })
      })
    })
  )
}

/** Opens transactions as `Actors` does, on the connections reserved for syncs. */
export class SyncActors
  extends Context.Service<SyncActors, { readonly withActor: WithActor }>()("vrss/sql/Actor/SyncActors")
{
  static readonly layer = Layer.effect(
    SyncActors,
    Effect.map(
      SyncConnections,
      (sql) => SyncActors.of({ withActor: withActorOn(sql, "sync", { deadline: maxSyncMs, isLong: true }) })
    )
  )
}

/** Limit of a sync's transaction in milliseconds: enough for 64 MiB while the database is under load. */
const maxSyncMs = 120_000

/** Limit of an `atOneMoment` transaction in milliseconds. It is long: the caller decrypts between statements. */
const maxReadingMs = 120_000

type Statement = Effect.Effect<unknown, SqlError.SqlError>

type WithActor = (
  actor: Actor | Retention
) => <A, E, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.Effect<A, Exclude<E, EdgeError>, Exclude<R, ActorTransaction>>

interface Transaction {
  /** Limit of the whole transaction, in milliseconds. */
  readonly deadline?: number
  /** Runs before every other statement. */
  readonly begin?: Statement
  /** If the token of the actor was ended meanwhile, the transaction writes nothing. */
  readonly isLong?: boolean
}

const withActorOn = (
  sql: SqlClient.SqlClient,
  pool: PoolName,
  { begin: first, deadline, isLong = false }: Transaction = {}
): WithActor => {
  const counted = countTransactions(pool)
  return (actor) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.withFiber((fiber) => {
      const { begin, end } = counted()
      const session = actor.kind === "veteran" ? fiber.getRef(ActingSession) : undefined
      return Effect.sync(begin).pipe(
        Effect.andThen(first ?? Effect.void),
        Effect.andThen(stateActor(sql, pool, actor, session)),
        Effect.andThen(Effect.provideService(effect, ActorTransaction, sql)),
        Effect.tap(() => isLong ? requireToken(sql, actor, session) : Effect.void),
        sql.withTransaction,
        Effect.catchIf(isOfNobody, () => Effect.die(new SessionEnded())),
        Effect.ensuring(Effect.sync(end))
      )
    }).pipe(
      Effect.retry({ while: isConflict, times: 3, schedule: Schedule.jittered(Schedule.exponential("20 millis")) }),
      (transaction) => atEdge(transaction, deadline),
      (transaction) => Effect.andThen(refuseNesting(sql), transaction)
    )
}

const refuseNesting = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(
    Effect.serviceOption(sql.transactionService),
    (open) => Option.isSome(open) ? Effect.die(new Error("withActor inside a transaction")) : Effect.void
  )

/**
 * Lists are read in the order of an index, a page at a time. A bitmap would read all of a veteran's rows to sort them,
 * whenever the planner takes this veteran for an average one (test/sql/statement-costs.long.test.ts).
 */
const readsInOrder = (sql: SqlClient.SqlClient, pool: PoolName) =>
  sql`set_config('enable_bitmapscan', ${pool === "sync" ? "on" : "off"}, true)`

const stateActor = (
  sql: SqlClient.SqlClient,
  pool: PoolName,
  actor: Actor | Retention,
  session: TokenSession | undefined
) => {
  const stated = sql<Stated>`
    select set_config('app.actor', ${actor.kind}, true),
           set_config('app.veteran_id', ${actor.kind === "retention" ? "" : actor.veteranId}, true),
           set_config('app.provider_id', ${actor.kind === "provider" ? actor.providerId : ""}, true),
           set_config('app.link_id', ${actor.kind === "recipient" ? actor.linkId : ""}, true),
           set_config('app.grant_id', ${actor.kind === "app" ? actor.grantId : ""}, true),
           set_config('app.session_id', ${session?.id ?? ""}, true),
           ${readsInOrder(sql, pool)},
           pg_is_in_recovery() as is_standby`
  if (session === undefined || actor.kind !== "veteran") return Effect.flatMap(stated, requirePrimary)
  return Effect.flatMap(
    sql<Stated>`${stated} where app.token_counts(${actor.veteranId}, ${session.id}, ${session.notBefore},
          ${deviceSessionLimits.idleSeconds})`,
    (rows) => Effect.andThen(requirePrimary(rows), requireRow(rows))
  )
}

interface Stated {
  readonly isStandby: boolean
}

/** A standby may lag: it would show what a revoke has ended, and it takes no row of the account of disclosures. */
const requirePrimary = (rows: ReadonlyArray<Stated>) =>
  rows.some(({ isStandby }) => isStandby) ? Effect.die(new DatabaseUnavailable({ cause: new ReadOnly() })) : Effect.void

const requireToken = (sql: SqlClient.SqlClient, actor: Actor | Retention, session: TokenSession | undefined) =>
  session === undefined || actor.kind !== "veteran"
    ? Effect.void
    : Effect.flatMap(
      sql`select where app.token_still_counts(${actor.veteranId}, ${session.id}, ${session.notBefore},
            ${deviceSessionLimits.idleSeconds})`,
      requireRow
    )

/** The session of the veteran's token has ended if a statement on this condition answers no row. */
const requireRow = (rows: ReadonlyArray<unknown>) => rows.length === 1 ? Effect.void : Effect.die(new SessionEnded())

/** Limits the rest of a veteran's transaction to the items and counts that a release's recipient may see. */
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

/** The veteran was forgotten while the transaction ran (migrations/037). */
export const isOfNobody = (error: unknown) => isSqlError(error) && codesOf(error).sqlState === "VR401"

/** A transaction that lost a conflict (deadlock, serialization) has written nothing, and a retry may succeed. */
const isConflict = (error: unknown) => {
  const reason = (error as { readonly _tag?: string; readonly reason?: { readonly _tag: string } }).reason?._tag
  return reason === "DeadlockError" || reason === "SerializationError"
}
