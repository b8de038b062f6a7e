import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect, test } from "vitest"
import { schemaFacts } from "../../src/sql/SchemaFacts.ts"
import { openDatabase } from "../support/App.ts"
import { connect } from "./Guard.ts"

const runtime = connect(await openDatabase(), "runtime")

test("The file of schema facts equals the result of the migrations", async () => {
  const lines = await runtime.runPromise(Effect.flatMap(SqlClient.SqlClient, schemaFacts))
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../../src/sql/schema-facts.tsv")
})
