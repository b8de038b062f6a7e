import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { root } from "./Imports.ts"

export interface Finding {
  readonly code: string
  readonly file: string
  readonly line: number
}

/** Returns what the project's lint finds in these made-up files. */
export const lint = async (files: Readonly<Record<string, string>>): Promise<ReadonlyArray<Finding>> => {
  const directory = await mkdtemp(join(tmpdir(), "vrss-lint-"))
  try {
    // Simultaneous runs must not write the same cache.
    const settings = (await readFile(resolve(root, ".oxlintrc.json"), "utf8")).replace(
      /"cache": \{.*?\}/,
      "\"cache\": false"
    )
    await writeFile(join(directory, ".oxlintrc.json"), settings)
    // Oxlint searches for plugins from the folder of its settings, so these links lead to them.
    for (const name of ["node_modules", "lint"]) await symlink(resolve(root, name), join(directory, name))
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory, file)), { recursive: true })
      await writeFile(join(directory, file), text)
    }
    const output = await new Promise<string>((done) =>
      execFile(
        resolve(root, "node_modules/.bin/oxlint"),
        ["--format", "json"],
        { cwd: directory },
        (_, text) => done(text)
      )
    )
    return (JSON.parse(output).diagnostics as ReadonlyArray<any>).map(({ code, filename, labels: [{ span }] }) => ({
      code,
      file: filename,
      line: span.line
    }))
  } finally {
    await rm(directory, { recursive: true })
  }
}
