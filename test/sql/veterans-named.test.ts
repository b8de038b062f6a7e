import { readFileSync } from "node:fs"
import { assert, describe, test } from "vitest"
import { openDatabase } from "../support/App.ts"
import { statements } from "./Statements.ts"

/**
 * Several databases can share the veterans one day if each statement and each unique key is of one veteran. What is not
 * stands in `veterans-named.tsv`: the statement or key, why it cannot name the veteran, and what that means then.
 */
const listed = readFileSync(new URL("veterans-named.tsv", import.meta.url), "utf8").trimEnd().split("\n").map((line) =>
  line.split("\t") as [what: string, kind: string, reason: string]
)

/** This number only becomes smaller. */
const most = 87

const kinds = [
  /** It is found by a name that begins with the veteran's slot, or carries it (src/services/platform/Slot.ts). */
  "slot",
  /** It is found by a secret or a name without a slot. Somebody must know where, or ask everywhere. */
  "directory",
  /** It passes over all veterans, a little at a time: each database does its own. */
  "all",
  /** It joins what several requests ask at once. It can be parted by veteran. */
  "several",
  /** It is of no veteran: of a provider, an app that asks, or a sign-up. */
  "none"
]

const superuser = await (await openDatabase()).connect("superuser")

const column = async (query: string) =>
  (await superuser.query({ text: query, rowMode: "array" })).rows.map(([first]) => first as string)

const tables = await column(
  `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'veteran_id'
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') union select 'veterans'`
)

/** The functions that read or write such a table, themselves or by another function. */
const functions = await column(
  `with recursive bodies as (
     select proname as name, prosrc as body from pg_proc where pronamespace = 'app'::regnamespace
   ), reaching (name) as (
     select name from bodies where body ~ '\\m(${tables.join("|")})\\M'
     union
     select b.name from bodies b join reaching r on b.body ~ ('app\\.' || r.name || '\\M')
   )
   select name from reaching`
)

const reached = new RegExp(
  `\\b(${tables.join("|")})\\b|\\bapp\\.(${functions.join("|")})\\b|\\b(from|into|update) \\$\\{(?!sql\\.literal)`
)

/** Whether a statement is about rows of veterans. A table whose name is only a value is not reached. */
const reaches = (text: string) => reached.test(text.replace(/'[^']*'/g, "''"))

/** A list that may be narrowed to one veteran is a list of all, and a column of ids is of several. */
const ofSeveral = /\bveteranIds\b|veteranId === undefined|=> (?:\w+\.)?veteranId\b/

/** They run as the actor `retention`, which is of no veteran. */
const ofRetention = ["document/DocumentRepository.ts forgetKept", "document/StoredFileRepository.ts unclaim"]

describe("What names no veteran is listed with its reason, and nothing else", () => {
  test("of the statements in src/sql", () => {
    const unnamed = statements.filter(({ hasActor, place, text, values }) =>
      reaches(text) && (ofSeveral.test(values) ||
        !/\bveteran(Id)?\b/.test(values) && !(hasActor && !ofRetention.includes(place)))
    )
    assert.deepStrictEqual(
      listed.map(([what]) => what).filter((what) => what.includes("/")),
      [...new Set(unnamed.map(({ place }) => place))].sort()
    )
  })

  test("of the unique keys", async () => {
    const keys = await column(
      `select format('%s (%s)', c.relname, (
         select string_agg(pg_get_indexdef(i.indexrelid, n, true), ', ' order by n) from generate_series(1, i.indnkeyatts) n
       ))
       from pg_index i join pg_class c on c.oid = i.indrelid and not c.relispartition
         and c.relnamespace = 'public'::regnamespace
       where i.indisunique and c.relname in ('${tables.join("','")}') and not exists (
         select from pg_attribute a where a.attrelid = c.oid and a.attnum = any (i.indkey)
           and a.attname = case c.relname when 'veterans' then 'id' else 'veteran_id' end
       )`
    )
    assert.deepStrictEqual(listed.map(([what]) => what).filter((what) => !what.includes("/")), keys.sort())
  })

  test("and the list does not grow", () => {
    assert.strictEqual(listed.length, most)
    for (const [what, kind, reason] of listed) {
      assert.include(kinds, kind, what)
      assert.match(reason, /^[A-Z].{20,}\.$/, what)
    }
  })
})

test("Every statement of src/sql is read", () => {
  assert.isAbove(statements.length, 200)
  const places = statements.map(({ place }) => place)
  for (
    const place of ["link/SecureLinkRepository.ts open", "record/HealthRecordRepository.ts list",
      "oauth/TokenRepository.ts redeem", "account/ProviderRepository.ts findResumable"]
  ) assert.include(places, place)
})
