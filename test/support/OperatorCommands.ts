import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { openCluster } from "./DebianPostgres.ts"
import { inherited, programFile } from "./Environment.ts"

/** The commands of a section of docs/operator.md, as an operator would copy them. */
export const commandsOf = (section: string) => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/operator.md"), "utf8")
  const [, level, text] = new RegExp(`\n(##+) ${section}\n([^]*)`).exec(page)!
  return [...text!.split(`\n${level} `)[0]!.split("\n## ")[0]!.matchAll(/```sh\n(.*?)```/gs)].map(([, text]) => text!)
}

interface As {
  readonly cwd?: string
  /** The system's user that runs the commands. */
  readonly user?: { readonly uid?: number; readonly gid?: number }
}

const root = resolve(import.meta.dirname, "../..")

/**
 * In this checkout the bundle of a script's program runs in its stead, which takes a third of the time. The program npm
 * runs in other folders, and in docs-commands.long.test.ts.
 */
const npm = () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const cases = Object.entries<string>(scripts).flatMap(([name, command]) => {
    const [, program] = /^node src\/([\w-]+)\.ts$/.exec(command) ?? []
    return program === undefined ? [] : [`${name}) '${process.execPath}' '${programFile(program)}' "\${@:5}" ;;`]
  })
  return `npm() { case "$3" in ${cases.join(" ")} *) command npm "$@" ;; esac; }\n`
}

export const shell = (
  commands: string,
  environment: Readonly<Record<string, string>>,
  { cwd = root, user = {} }: As = {}
) =>
  new Promise<string>((done, failed) =>
    execFile(
      "bash",
      ["--norc", "-euo", "pipefail", "-c", `${cwd === root ? npm() : ""}${commands}`],
      { cwd, env: { ...inherited, ...environment }, ...user },
      (error, stdout, stderr) =>
        error === null ? done(stdout) : failed(new Error(`${commands}\n${stdout}\n${stderr}`, { cause: error }))
    )
  )

export const passwords = {
  OWNER_PASSWORD: "it's the owner",
  APP_PASSWORD: "it's the app",
  NIGHTLY_PASSWORD: "it's nightly",
  ROTATE_PASSWORD: "it's for keys",
  BASE_PASSWORD: "it's the base"
}

export type Cluster = Awaited<ReturnType<typeof openCluster>>

/** The variables that the commands in docs/operator.md need in addition to the service's configuration. */
export const operator = ({ administratorUrl, authority, url }: Cluster) => ({
  ...passwords,
  PGSSLROOTCERT: authority,
  ADMIN_URL: administratorUrl,
  OWNER_URL: url("vrss_owner", encodeURIComponent(passwords.OWNER_PASSWORD), "vrss"),
  MIGRATION_DATABASE_URL: url("vrss_owner", encodeURIComponent(passwords.OWNER_PASSWORD), "vrss"),
  NIGHTLY_URL: url("vrss_nightly", encodeURIComponent(passwords.NIGHTLY_PASSWORD), "vrss"),
  BASE_URL: url("vrss_base", encodeURIComponent(passwords.BASE_PASSWORD), "vrss"),
  ROTATE_URL: url("vrss_rotate", encodeURIComponent(passwords.ROTATE_PASSWORD), "vrss"),
  DATABASE_APP_URL: url("vrss_app", encodeURIComponent(passwords.APP_PASSWORD), "vrss"),
  DATABASE_CA_CERT: authority
})
