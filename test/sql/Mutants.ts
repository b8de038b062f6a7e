import { readdirSync, readFileSync } from "node:fs"
import { protectedTables } from "./Rows.ts"

/** A change that weakens or breaks the access rules in one place. */
export interface Mutant {
  readonly name: string
  readonly sql: string
}

const folder = new URL("../../migrations/", import.meta.url)

const text = readdirSync(folder).sort().map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n")
  .replaceAll(/--.*$/gm, "")

interface Operand {
  readonly start: number
  readonly end: number
  readonly joined: string
}

/** Returns the position of the parenthesis that closes the one at `open`. */
const closing = (sql: string, open: number) => {
  let depth = 0
  for (let at = open; at < sql.length; at++) {
    if (sql[at] === "(") depth++
    if (sql[at] === ")" && --depth === 0) return at
  }
  throw new Error(`not closed: ${sql.slice(open)}`)
}

/** Finds the operands of `and`, `or` and `where` between `start` and `end`, including nested groups. */
const operands = (sql: string, start: number, end: number): ReadonlyArray<Operand> => {
  const within: Array<Operand> = []
  const joints: Array<{ readonly at: number; readonly word: string }> = [{ at: start, word: "" }]
  for (let at = start; at < end; at++) {
    if (sql[at] === "(") {
      const close = closing(sql, at)
      within.push(...operands(sql, at + 1, close))
      at = close
      continue
    }
    const word = /^(and|or|where|on|join|union)\b/.exec(sql.slice(at, end))?.[0]
    if (word !== undefined && /[\s)]/.test(sql[at - 1]!)) joints.push({ at, word })
  }
  joints.push({ at: end, word: "" })
  for (const [index, { at, word }] of joints.entries()) {
    const next = joints[index + 1]
    if (next === undefined || word === "join" || word === "union") continue
    const joined = [word, next.word].find((one) => one === "and" || one === "or") ?? word
    if (word !== "" || next.word === "and" || next.word === "or") {
      within.push({ start: at + word.length, end: next.at, joined })
    }
  }
  return within
}

const without = (name: string, sql: string, prologue: string, from: number, to: number): ReadonlyArray<Mutant> => {
  const times = new Map<string, number>()
  return operands(sql, from, to).map(({ end, joined, start }) => {
    const clause = sql.slice(start, end).trim().replaceAll(/\s+/g, " ")
    const time = (times.get(clause) ?? 0) + 1
    times.set(clause, time)
    return {
      name: `${name} without ${time === 1 ? "" : `the other `}${clause}`,
      sql: `${prologue}${sql.slice(0, start)} ${joined === "or" ? "false" : "true"} ${sql.slice(end)}`
    }
  })
}

const policies = text.matchAll(/create policy (\w+) on (\w+)[^;]*?to vrss_runtime[^;]*;/g).flatMap(
  ([sql, policy, table]): Array<Mutant> => {
    const drop = `drop policy ${policy} on ${table};`
    const name = `${table}.${policy}`
    return [
      { name: `no ${name}`, sql: drop },
      ...(sql.includes(" for select ")
        ? [{ name: `${name} for every verb`, sql: drop + sql.replace(" for select ", " ") }]
        : []),
      ...without(name, sql, drop, sql.indexOf("("), sql.length)
    ]
  }
)

/** Returns the SQL that replaces a function. Mutants change only its part from `from` to `to`. */
const replaced = (name: string, begin: string) => {
  const [found = ""] = new RegExp(`create function app\\.${name}\\(.*?\\$\\$.*?\\$\\$;`, "s").exec(text) ?? []
  const sql = found.replace("create function", "create or replace function")
  return { sql, from: sql.indexOf(begin), to: sql.lastIndexOf("$$") }
}

const functions = [["active_grants", "from public"], ["linked_documents", "from public"], [
  "link_status",
  "select case"
]]
  .flatMap(([name = "", begin = ""]) => {
    const { from, sql, to } = replaced(name, begin)
    return without(name, sql, "", from, to)
  })

const status = replaced("link_status", "select case").sql

const branches = status.matchAll(/when (link\.[^(]*?|link\.expires_at.*?|exists \(.*?\)) then/gs).map(
  ([branch, condition = ""]): Mutant => ({
    name: `link_status whatever ${condition.trim().replaceAll(/\s+/g, " ")}`,
    sql: status.replace(branch, "when false then")
  })
)

const tables = protectedTables
  .flatMap((
    table
  ): Array<Mutant> => [
    { name: `${table} without row-level security`, sql: `alter table ${table} disable row level security` },
    { name: `every right to ${table}`, sql: `grant all on ${table} to vrss_runtime` }
  ])

const links = [
  "grant update (wrong_codes) on secure_links to vrss_runtime",
  "grant update (viewed_at) on secure_links to vrss_runtime",
  "grant insert on secure_links to vrss_runtime",
  "grant update (tries) on secure_link_otps to vrss_runtime",
  "grant insert on secure_link_otps to vrss_runtime",
  "grant delete on secure_link_otps to vrss_runtime",
  "grant update (consumed_at) on secure_link_view_sessions to vrss_runtime",
  "grant insert on secure_link_view_sessions to vrss_runtime",
  "grant execute on function app.lock_link to vrss_runtime",
  "alter table secure_links disable trigger all",
  "grant delete on kept_releases to vrss_runtime",
  "grant update on kept_releases to vrss_runtime",
  "grant insert on kept_releases to vrss_runtime",
  "grant insert on roi_revocations to vrss_runtime",
  "create or replace function app.may_forget(d documents) returns boolean language sql as 'select true'"
].map((sql): Mutant => ({ name: sql, sql }))

/**
 * The functions that run as their owner. Matrix.ts does not cover changes of them: the database guard and
 * definer-functions.test.ts do. A function that gets another parameter is made anew under its name.
 */
export const definerFunctions = [
  ...new Set(
    text.matchAll(/create function (app\.\w+)\((?:(?!create (?:or replace )?function).)*?security definer/gs)
      .map(([, name = ""]) => name)
  )
]

export const mutants: ReadonlyArray<Mutant> = [...policies, ...functions, ...branches, ...tables, ...links]
