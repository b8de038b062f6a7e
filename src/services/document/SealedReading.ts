import { Effect, Option, Stream } from "effect"
import { fromDisk } from "./DiskErrors.ts"
import { makeReader, type SealedBytes, type StoredFile } from "./SealedFile.ts"

export type OpenSealed = (storageKey: string) => Promise<SealedBytes>

export const openedFile = (open: OpenSealed, { storageKey }: StoredFile) =>
  Effect.acquireRelease(fromDisk(() => open(storageKey)), (sealed) => Effect.promise(() => sealed.close()))

/** Emits authentic chunks, and the last block only after the SHA-256 of the whole file was checked. */
export const authenticStream = (file: StoredFile, sealed: SealedBytes) => {
  const step = makeReader(file).run(sealed)
  return Stream.paginate(
    0,
    (first) =>
      Effect.map(fromDisk(() => step(first)), ({ block, next }) => [block, Option.fromUndefinedOr(next)] as const)
  )
}

/** Checks the beginning, and returns a stream that opens the file again. */
export const checkedStream = Effect.fnUntraced(function*(open: OpenSealed, file: StoredFile) {
  const begins = (sealed: SealedBytes) => fromDisk(() => makeReader(file).chunks(sealed, 0, 1))
  yield* Effect.scoped(Effect.flatMap(openedFile(open, file), begins))
  return Stream.unwrap(Effect.map(openedFile(open, file), (sealed) => authenticStream(file, sealed)))
})
