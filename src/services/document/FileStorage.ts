import type { Effect, Scope, Stream } from "effect"
import type { StorageFull } from "../../domain/Document.ts"
import type { SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import type { FindClaimed } from "./FileSweeper.ts"
import type { StoredFile } from "./SealedFile.ts"
import type { StoreFolders } from "./StoreFolders.ts"

/** What a folder and a bucket do for the files of the service. */
export interface FileStorage {
  /** Stores `content`. A failed or interrupted write leaves no file. */
  readonly write: <E, R>(
    content: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<StoredFile, E | StorageFull | ServiceUnavailable, R>
  /**
   * Succeeds if the file has the right size and an authentic beginning. The stream opens the file again and emits only
   * authentic chunks. It emits the last block only after it has checked the SHA-256 of the whole file.
   */
  readonly read: (
    file: StoredFile
  ) => Effect.Effect<Stream.Stream<Uint8Array, SealBroken | ServiceUnavailable>, SealBroken | ServiceUnavailable>
  /** Where worker processes write their files. They reach no bucket. */
  readonly folders: StoreFolders
  /** Stores the files that a worker process has finished in `folders`. */
  readonly keep: (storageKeys: ReadonlyArray<string>) => Effect.Effect<void, StorageFull | ServiceUnavailable>
  /** Lends files to a worker process: it finds them under `paths`, from `fetch` until the scope closes. */
  readonly lend: (files: ReadonlyArray<StoredFile>) => {
    readonly paths: ReadonlyArray<string>
    readonly fetch: Effect.Effect<void, SealBroken | ServiceUnavailable | StorageFull, Scope.Scope>
  }
  /** Reads a file in `tmp` once: it is unlinked immediately, and can be read until the scope closes. */
  readonly readOnce: (
    file: StoredFile
  ) => Effect.Effect<
    Stream.Stream<Uint8Array, SealBroken | ServiceUnavailable>,
    SealBroken | ServiceUnavailable,
    Scope.Scope
  >
  /** Removes files. Those that it cannot remove are swept later, once no row claims them. */
  readonly remove: (storageKeys: ReadonlyArray<string>) => Effect.Effect<void>
  /** Removes the files, complete or not, of a worker process that has ended. */
  readonly abandon: (storageKeys: ReadonlyArray<string>) => Effect.Effect<void>
  /** Moves files that no row claims to `trash`, as a sweep would. */
  readonly discard: (storageKeys: ReadonlyArray<string>) => Effect.Effect<void>
  /**
   * Removes unfinished files. Moves complete files to `trash` if they are at least an hour old and unclaimed. They stay
   * there for 7 days. If more files than the configured limit would be moved, none is. Returns the number of files that
   * were removed as unfinished or moved.
   */
  readonly sweep: (claimed: FindClaimed) => Effect.Effect<number>
}
