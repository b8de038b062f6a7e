import type pg from "pg"
import type { TestDatabase } from "../support/Database.ts"

/** Plans of the statements that a service runs, as PostgreSQL's own log has them. */

export interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Index Cond"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly Plans?: ReadonlyArray<Plan>
}

export interface Explained {
  readonly "Query Text": string
  readonly Plan: Plan
}

/** From now on the log has each statement of new connections with its plan, those of functions and triggers too. */
export const explainAll = async (superuser: pg.Client, database: TestDatabase, planCacheMode: string) => {
  for (
    const setting of [
      "session_preload_libraries = auto_explain",
      "auto_explain.log_min_duration = 0",
      "auto_explain.log_nested_statements = on",
      "auto_explain.log_analyze = on",
      "auto_explain.log_timing = off",
      "auto_explain.log_format = json",
      `plan_cache_mode = ${planCacheMode}`
    ]
  ) await superuser.query(`alter database ${database.name} set ${setting}`)
}

/** Returns the current size of the server's log. */
export const logged = async (superuser: pg.Client) =>
  Number((await superuser.query("select size from pg_stat_file('server.log')")).rows[0].size)

/** Returns the statements logged after `from`, including those of functions and triggers, with their plans. */
export const explainedSince = async (superuser: pg.Client, from: number): Promise<ReadonlyArray<Explained>> => {
  const { rows: [{ text }] } = await superuser.query("select pg_read_file('server.log', $1, 1000000000) as text", [
    from
  ])
  return [...(text as string).matchAll(/ plan:\n((?:\t.*\n)+)/g)].map(([, json]) => JSON.parse(json!))
}

export const nodesOf = (plan: Plan): ReadonlyArray<Plan> => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
