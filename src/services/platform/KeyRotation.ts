import { Data, Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { positions, type RowKey } from "../../sql/platform/SealedValueRepository.ts"
import { headLength, keyIdOf, type Place } from "./Envelope.ts"
import { type Keyring, makeKeyring } from "./Keyring.ts"
import { placeAt } from "./SealedColumns.ts"
import { columns, nameOf, type OpenColumn, openSealed, type Pacing, walk } from "./SealedWalk.ts"
import type { Key } from "./VariableRules.ts"

/** Number of tries, a second apart, for a row that another session has locked. Only a long sync locks it that long. */
const triesWhenLocked = 30

/** The database has values with the first key's id, but the key opened none of those that were tried. */
export class FirstKeyDiffers extends Data.TaggedError("FirstKeyDiffers")<{ readonly place: string }> {
  override get message() {
    return `${this.place} names the first key of TOKEN_ENCRYPTION_KEY and does not open with it, nor did any other value ` +
      "that names it. Has the service another key of this id? Nothing more is sealed with this one."
  }
}

type Failure = FirstKeyDiffers | SqlError.SqlError

/** Values that do not open. They stay as they are. */
export interface Broken {
  readonly count: number
  /** The places of the first hundred values, each with the key id in the value. */
  readonly places: ReadonlyArray<string>
}

interface Rotated {
  readonly resealed: number
  readonly broken: Broken
  /** Number of values per key id after the rotation. The empty id stands for values without a key id. */
  readonly values: ReadonlyMap<string, number>
}

/** Counts the values of each column by their key id. */
export const countByKey = (sql: SqlClient.SqlClient) =>
  Effect.forEach(columns, (column) =>
    Effect.map(
      Effect.flatMap(openSealed(sql, column), ({ count }) => count),
      (rows) => ({ column: nameOf(column), values: new Map(rows.map(({ keyId, values }) => [keyId, values])) })
    ))

/**
 * Reseals every value that another key sealed, so that all values are under the first key. It works in batches, while
 * the service runs. If another session changes a value meanwhile, that change is kept. If a run is killed, the
 * next run continues after the last page of rows that was complete.
 */
export const rotate = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  keys: ReadonlyArray<Key>,
  pacing: Pacing
): Effect.fn.Return<Rotated, Failure> {
  const keyring = makeKeyring(keys)
  const first = keys[0]!.id
  const progress = positions(sql, first)
  let opener = makeOpener(keyring)
  let resealed = 0
  let hasOpenedFirst = false

  /**
   * Tries to open one value with the first key's id, for each page of rows that has such a value. If none has opened so
   * far, the rotation stops: the running service may have another key under this id.
   */
  const tryFirstKey = Effect.fnUntraced(function*(key: RowKey, column: OpenColumn, placeOf: (key: RowKey) => Place) {
    const [row] = yield* column.values([key])
    if (row === undefined || keyIdOf(row.value) !== first) return
    const isOpen = Option.isSome(yield* opener.open(placeOf(key), row.value))
    hasOpenedFirst ||= isOpen
    if (!hasOpenedFirst) return yield* new FirstKeyDiffers({ place: textOf(placeOf(key)) })
  })

  /** Returns how many values it sealed, and the rows that another session has locked or changed. */
  const resealSome = Effect.fnUntraced(
    function*(keys: ReadonlyArray<RowKey>, column: OpenColumn, placeOf: (key: RowKey) => Place) {
      const replacements = []
      for (const { key, value } of yield* column.values(keys)) {
        if (keyIdOf(value) === first) continue
        const plaintext = yield* opener.open(placeOf(key), value)
        if (Option.isNone(plaintext)) continue
        const sealed = keyring.seal(placeOf(key), plaintext.value)
        replacements.push({ key, head: value.subarray(0, headLength), value: sealed })
      }
      // A key id of another length changes the record's stored size (migrations/025). A running sync locks the row of
      // that size. So this statement may wait for the sync, and is tried again after a deadlock.
      const written = replacements.length === 0 ? [] : yield* column.replace(replacements).pipe(
        Effect.retry({ while: ({ reason }) => reason._tag === "DeadlockError", times: 3 })
      )
      const names = new Set(written.map(({ key }) => key.join()))
      return {
        sealed: written.length,
        refused: replacements.flatMap(({ key }) => names.has(key.join()) ? [] : [key])
      }
    }
  )

  yield* progress.forget(false)
  for (;;) {
    const from = yield* progress.load
    opener = makeOpener(keyring)
    let walked = 0
    for (const sealed of columns) {
      const placeOf = (key: RowKey) => placeAt(sealed.table, sealed.column, key)
      walked += yield* walk(sql, sealed, from.get(nameOf(sealed)), pacing, {
        done: "sealed anew",
        pick: Effect.fnUntraced(function*(page, column) {
          const underFirst = page.find(({ head }) => keyIdOf(head) === first)
          if (underFirst !== undefined) yield* tryFirstKey(underFirst.key, column, placeOf)
          return page.filter(({ head }) => keyIdOf(head) !== first)
        }),
        on: Effect.fnUntraced(function*(keys, column) {
          let count = 0
          for (let [remaining, tries] = [keys, 1]; remaining.length > 0 && tries <= triesWhenLocked; tries++) {
            if (tries > 1) yield* Effect.sleep("1 second")
            const round = yield* resealSome(remaining, column, placeOf)
            count += round.sealed
            remaining = round.refused
          }
          return count
        }),
        upTo: (key) => progress.save(nameOf(sealed), key)
      })
    }
    resealed += walked
    yield* progress.forget(true)
    const values = sum((yield* countByKey(sql)).map(({ values }) => values))
    // If a walk over all rows changed nothing, another walk would change nothing either.
    if ([...values.keys()].every((keyId) => keyId === first) || (from.size === 0 && walked === 0)) {
      return { resealed, broken: opener.broken(), values }
    }
    yield* pacing.say("some values are not under the first key yet: once more from the first row")
  }
})

/** Opens every value under any of the keys, and returns the places of those that do not open. */
export const verify = Effect.fnUntraced(
  function*(sql: SqlClient.SqlClient, keys: ReadonlyArray<Key>, pacing: Pacing) {
    const { broken, open } = makeOpener(makeKeyring(keys))
    for (const sealed of columns) {
      yield* walk<SqlError.SqlError>(sql, sealed, undefined, pacing, {
        done: "opened",
        pick: (page) => Effect.succeed(page),
        on: Effect.fnUntraced(function*(keys, column) {
          const values = yield* column.values(keys)
          for (const { key, value } of values) yield* open(placeAt(sealed.table, sealed.column, key), value)
          return values.length
        }),
        upTo: () => Effect.void
      })
    }
    return broken()
  }
)

const makeOpener = (keyring: Keyring) => {
  let count = 0
  const places: Array<string> = []
  return {
    open: (place: Place, value: Uint8Array) =>
      Effect.tap(Effect.option(keyring.open(place, value)), (plaintext) => {
        if (Option.isNone(plaintext) && ++count <= 100) {
          places.push(`${textOf(place)}, under ${keyIdOf(value) ?? "no key"}`)
        }
        return Effect.void
      }),
    broken: (): Broken => ({ count, places })
  }
}

const textOf = ({ column, row, table, veteranId }: Place) => `${table}.${column} of veteran ${veteranId}, row ${row}`

const sum = (all: ReadonlyArray<ReadonlyMap<string, number>>) => {
  const sums = new Map<string, number>()
  for (const [id, values] of all.flatMap((counts) => [...counts])) sums.set(id, (sums.get(id) ?? 0) + values)
  return sums
}
