import { globSync, readFileSync } from "node:fs"
import { dirname, relative, resolve } from "node:path"

export const root = resolve(import.meta.dirname, "../..")

/** What a file of ours imports and passes on, as it is written, types too. */
const specifiers = (file: string): ReadonlyArray<string> => {
  const text = readFileSync(resolve(root, file), "utf8")
  return [...text.matchAll(/^(?:import|export|\}) .*?from "([^"]+)"|\bimport\("([^"]+)"\)|^import "([^"]+)"/gm)].map((
    [, from, dynamic, bare]
  ) => (from ?? dynamic ?? bare)!)
}

export interface Imports {
  /** Paths from the root of the repository. */
  readonly own: ReadonlyArray<string>
  readonly foreign: ReadonlyArray<string>
}

export const importsOf = (file: string): Imports => {
  const [own, foreign] = [true, false].map((isOwn) =>
    specifiers(file).filter((specifier) => specifier.startsWith(".") === isOwn)
  )
  return { own: own!.map((path) => relative(root, resolve(root, dirname(file), path))), foreign: foreign! }
}

export const filesUnder = (folder: string): ReadonlyArray<string> => globSync(`${folder}/**/*.ts`, { cwd: root }).sort()
