import { assert } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Logger, Stream } from "effect"
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import type { StoredFile } from "../../../src/services/document/SealedFile.ts"
import { Settings } from "../../../src/services/platform/Settings.ts"

/** Helpers for the tests of a failing UPLOAD_DIR. */

export interface Setting {
  /** The folder that UPLOAD_DIR names. */
  readonly directory: string
  /** The lines logged until now. */
  readonly lines: Array<unknown>
}

export type Test<Eff extends Effect.Effect<any, any, FileStore>, A> = (setting: Setting) => Generator<Eff, A, never>

export const withStore = <Eff extends Effect.Effect<any, any, FileStore>, A>(directory: string, test: Test<Eff, A>) => {
  const lines: Array<unknown> = []
  const environment = { APP_ENV: "test", DATABASE_URL: "postgres://nobody@localhost/none", UPLOAD_DIR: directory }
  return Effect.gen(() => test({ directory, lines })).pipe(Effect.provide(Layer.mergeAll(
    Layer.fresh(FileStore.layer).pipe(
      Layer.provide(Layer.fresh(Settings.layer)),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(environment)))
    ),
    Logger.layer([Logger.make(({ logLevel, message }) => lines.push([logLevel, message]))])
  )))
}

export const inFolder = <Eff extends Effect.Effect<any, any, FileStore>, A>(test: Test<Eff, A>) =>
  Effect.acquireUseRelease(
    Effect.promise(() => Fs.mkdtemp(join(tmpdir(), "vrss-faults-"))),
    (parent) =>
      Effect.andThen(Effect.promise(() => Fs.mkdir(join(parent, "uploads"))), withStore(join(parent, "uploads"), test)),
    (parent) => Effect.promise(() => Fs.rm(parent, { recursive: true, force: true }))
  )

export const write = (size: number) =>
  FileStore.use((store) => store.write(Stream.fromIterable(piecesOf(size), { chunkSize: 1 })))

export const piecesOf = (size: number) =>
  Array.from({ length: Math.ceil(size / 50_000) }, (_, n) => Buffer.alloc(Math.min(50_000, size - n * 50_000), "p"))

export const assertReads = (file: StoredFile, size: number) =>
  FileStore.use((store) => store.read(file)).pipe(
    Effect.flatMap(Stream.runCollect),
    Effect.map((pieces) => assert.isTrue(Buffer.concat(pieces).equals(Buffer.alloc(size, "p"))))
  )

export const failure = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

export const names = (...path: ReadonlyArray<string>) => Effect.promise(() => Fs.readdir(join(...path)))

/** Returns the log line that a failure must cause. Its level is Error, and it contains only the code. */
export const line = (code: string) => ["Error", [`upload directory: ${code}`]]

/** Tells a sweep that no row claims any file. */
export const untold = (_: ReadonlyArray<string>) => Effect.succeed([])
