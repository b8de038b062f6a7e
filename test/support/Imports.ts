import { globSync, readFileSync } from "node:fs"
import { dirname, relative, resolve } from "node:path"

export const root = resolve(import.meta.dirname, "../..")

/** The imports and re-exports of a file of this project, including types, as they are written. */
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

export const filesUnder = (folder: string): ReadonlyArray<string> =>
  globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }).sort()
