import { Effect } from "effect"
import type { VeteranId } from "../../domain/Id.ts"
import { Actors } from "../../sql/Actor.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as SealedSampleRepository from "../../sql/doctor/SealedSampleRepository.ts"
import { Crypto } from "../platform/Crypto.ts"
import { keyIdOf } from "../platform/Envelope.ts"
import { sealedColumns } from "../platform/SealedColumns.ts"
import { Settings } from "../platform/Settings.ts"
import { check, error } from "./Finding.ts"

/** Number of values that are opened, for each sealed column of each veteran in the sample. */
const valuesEach = 5

const columns = Object.entries(sealedColumns).flatMap(([table, { columns, row }]) =>
  columns.map((column) => ({ table, column, row: row as ReadonlyArray<string> }))
)

const keys = Effect.fnUntraced(function*(deep: boolean) {
  const { tokenEncryptionKeys } = yield* Settings
  const { asVeteran } = yield* Actors
  const { open } = yield* Crypto
  const { someVeterans, veteransAfter } = SealedSampleRepository.make(yield* SharedConnections)
  const configured = new Set(tokenEncryptionKeys.map(({ id }) => id))
  const [unknown, broken] = [new Map<string, number>(), new Map<string, number>()]
  const count = (of: Map<string, number>, name: string) => of.set(name, (of.get(name) ?? 0) + 1)

  const look = Effect.fnUntraced(function*(veteranId: VeteranId) {
    for (const at of columns) {
      const values = yield* asVeteran(veteranId)(
        SealedSampleRepository.sample(veteranId, at, valuesEach)
      )
      for (const { row, sealed } of values) {
        const keyId = keyIdOf(sealed) ?? "of no id"
        const place = { table: at.table, column: at.column, row: row.join("/"), veteranId }
        if (!configured.has(keyId)) count(unknown, keyId)
        else if (yield* Effect.isFailure(open(place, sealed))) {
          count(broken, `${at.table}.${at.column} under ${keyId}`)
        }
      }
    }
  })

  if (deep) {
    for (let after = "00000000-0000-0000-0000-000000000000";;) {
      const page = yield* veteransAfter(after, 100)
      for (const { id } of page) yield* look(id)
      if (page.length === 0) break
      after = page.at(-1)!.id
    }
  } else for (const { id } of yield* someVeterans(10)) yield* look(id)

  return [
    ...[...unknown].map(([id, times]) =>
      error(
        `${times} stored values that were looked at are sealed under the key ${id}, which TOKEN_ENCRYPTION_KEY does not have.`,
        "They cannot be opened, and requests for them answer 500. Nothing is lost while the key exists somewhere.",
        `Add ${id}:... after the first key of TOKEN_ENCRYPTION_KEY, and restart. Remove a key only after npm run rotate-keys says so.`
      )
    ),
    ...[...broken].map(([place, times]) =>
      error(
        `${times} stored values of ${place} do not open, though TOKEN_ENCRYPTION_KEY has a key of that id.`,
        "The key has another value than when they were sealed, or the rows were changed by hand. Requests for them answer 500.",
        "Compare the key with the one that was kept beside the backups; if it is the same, restore these rows."
      )
    )
  ]
})

export const keysCheck = (deep: boolean) =>
  check("sealed values", ["TOKEN_ENCRYPTION_KEY", "DATABASE_APP_URL"], keys(deep))
