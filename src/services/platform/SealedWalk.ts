import { Clock, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { openColumn, type RowKey, type SealedColumn } from "../../sql/platform/SealedValueRepository.ts"
import { headLength } from "./Envelope.ts"
import { sealedColumns } from "./SealedColumns.ts"

/** Rows of a page. The next two constants limit the number and the bytes of the values in one call of `on`. */
const rowsAtOnce = 2_000

const valuesAtOnce = 500

const bytesAtOnce = 8 * 1024 * 1024

const millisecondsBetweenLines = 5_000

export const columns: ReadonlyArray<SealedColumn> = Object.entries(sealedColumns).flatMap(
  ([table, { columns, row }]) => columns.map((column) => ({ table, column, row }))
)

export const nameOf = ({ column, table }: SealedColumn) => `${table}.${column}`

export const openSealed = (sql: SqlClient.SqlClient, column: SealedColumn) => openColumn(sql, column, headLength)

export type OpenColumn = Effect.Success<ReturnType<typeof openSealed>>

interface Stored {
  readonly key: RowKey
  readonly head: Uint8Array
  readonly bytes: number
}

interface Work<E> {
  /** The words after the number of values in a line of progress, such as "sealed anew". */
  readonly done: string
  /** Picks the values of a page to work on. */
  readonly pick: (page: ReadonlyArray<Stored>, column: OpenColumn) => Effect.Effect<ReadonlyArray<Stored>, E>
  /** Does the work and returns how many of the values it has dealt with. */
  readonly on: (keys: ReadonlyArray<RowKey>, column: OpenColumn) => Effect.Effect<number, E>
  /** Records how far the walk has come. */
  readonly upTo: (key: RowKey) => Effect.Effect<unknown, E>
}

export interface Pacing {
  /** The share of time, in percent, that the walk works; it rests for the remainder. */
  readonly effort: number
  readonly say: (line: string) => Effect.Effect<void>
}

/** Walks a column in the order of its table's key, from the row after `after`. Returns how many values it handled. */
export const walk = Effect.fnUntraced(function*<E>(
  sql: SqlClient.SqlClient,
  sealed: SealedColumn,
  after: RowKey | undefined,
  { effort, say }: Pacing,
  { done, on, pick, upTo }: Work<E>
): Effect.fn.Return<number, E | SqlError.SqlError> {
  const column = yield* openSealed(sql, sealed)
  const began = yield* Clock.currentTimeMillis
  let [rows, handled, last, lastLine] = [0, 0, after, began]

  const report = (now: number) => {
    const rate = Math.round(rows * 1_000 / Math.max(now - began, 1))
    const share = Math.min(100, Math.round(100 * rows / Math.max(column.rows, rows, 1)))
    lastLine = now
    return say(
      `${nameOf(sealed)}: ${rows} of about ${Math.max(column.rows, rows)} rows (${share} %)` +
        `${after === undefined ? "" : ", going on where it was left"}, ${handled} ${done}, ${rate} rows/s`
    )
  }

  const worked = Effect.fnUntraced(function*<A, R>(work: Effect.Effect<A, E | SqlError.SqlError, R>) {
    const from = yield* Clock.currentTimeMillis
    const result = yield* work
    const now = yield* Clock.currentTimeMillis
    if (now - lastLine >= millisecondsBetweenLines) yield* report(now)
    yield* Effect.sleep((now - from) * (100 - effort) / effort)
    return result
  })

  for (;;) {
    const page = yield* worked(column.page(last, rowsAtOnce))
    if (page.length === 0) break
    rows += page.length
    const stored = page.flatMap(({ bytes, head, key }) => bytes === null || head === null ? [] : [{ bytes, head, key }])
    for (const group of groups(yield* pick(stored, column))) handled += yield* worked(on(group, column))
    last = page.at(-1)!.key
    yield* upTo(last)
  }
  yield* report(yield* Clock.currentTimeMillis)
  return handled
})

const groups = (picked: ReadonlyArray<Stored>) => {
  const all: Array<Array<RowKey>> = []
  let bytes = Infinity
  for (const value of picked) {
    const group = all.at(-1)
    bytes += value.bytes
    if (group === undefined || group.length === valuesAtOnce || bytes > bytesAtOnce) {
      all.push([value.key])
      bytes = value.bytes
    } else group.push(value.key)
  }
  return all
}
