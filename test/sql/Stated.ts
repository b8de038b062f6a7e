import { createHash } from "node:crypto"
import type pg from "pg"
import {
  type AppGrant,
  appGrantIds,
  closedTables,
  linkIds,
  type LinkName,
  nameOf,
  type Owner,
  protectedTables,
  type Provider,
  providers,
  veterans
} from "./Rows.ts"

/** Calls a function of the schema `app`. */
export type Call = (name: string, args: string, values: ReadonlyArray<unknown>) => Promise<pg.QueryResult>

export const hash = (text: string) => createHash("sha256").update(text).digest()

/** The settings of a transaction; undefined ones are not set at all. */
export interface Stated {
  readonly actor?: string | null
  readonly veteran_id?: string | null
  readonly provider_id?: string | null
  readonly link_id?: string | null
  readonly grant_id?: string | null
  readonly resource_types?: string | null
  readonly categories?: string | null
}

export const veteran = (owner: Owner): Stated => ({ actor: "veteran", veteran_id: veterans[owner] })

export const provider = (name: Provider, owner: Owner = "A"): Stated => ({
  actor: "provider",
  veteran_id: veterans[owner],
  provider_id: providers[name]
})

export const recipient = (name: LinkName, owner: Owner = "A"): Stated => ({
  actor: "recipient",
  veteran_id: veterans[owner],
  link_id: linkIds[name]
})

export const app = (name: AppGrant, owner: Owner = "A"): Stated => ({
  actor: "app",
  veteran_id: veterans[owner],
  grant_id: appGrantIds[name]
})

/** A release of these types, with items of these categories and items without any category. */
export const release = (resource_types: string, categories = ",", owner: Owner = "A"): Stated => ({
  actor: "release",
  veteran_id: veterans[owner],
  resource_types,
  categories
})

export const state = async (client: pg.Client, stated: Stated) => {
  const settings = Object.entries(stated)
  const calls = settings.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true)`)
  await client.query(`select ${calls.join()}`, settings.flatMap(([key, value]) => [`app.${key}`, value]))
}

/** Calls `run` in an open transaction and undoes what it did. Returns an error as its SQLSTATE. */
const undone = async <A>(client: pg.Client, run: () => Promise<A>): Promise<A | string> => {
  await client.query("savepoint probe")
  const result = await run().catch((error: { readonly code: string }) => error.code)
  await client.query("rollback to savepoint probe")
  return result
}

const everyRow = protectedTables.filter((table) => !closedTables.includes(table)).map((table) => {
  const id = table === "health_record_counts"
    ? "resource_type || ' ' || category_set"
    : table === "health_record_tombstones"
    ? "fhir_id"
    : table === "record_looks"
    ? "provider_id"
    : table === "veteran_notices"
    ? "'notices'"
    : "id"
  return `select veteran_id || ' ' || ${id} as id from ${table}`
}).join(" union all ")

/**
 * Names all rows of the tables that the transaction's actor sees. A statement with a name is planned once for
 * all actors.
 */
export const seen = (client: pg.Client, stated: Stated = {}, name?: string) =>
  undone(client, async () => {
    await state(client, stated)
    const found = await client.query<{ readonly id: string }>({ name, text: everyRow })
    return found.rows.map(({ id }) => nameOf.get(id) ?? id).sort()
  })

/** Returns how many rows a statement touches, or the SQLSTATE that refuses it. */
export const touched = (client: pg.Client, stated: Stated, statement: string) =>
  undone(client, async () => {
    await state(client, stated)
    return (await client.query(statement)).rowCount
  })
