import { expect, test } from "vitest"
import { openDatabase } from "../support/App.ts"
import { schemaPage } from "./SchemaPage.ts"

const owner = await (await openDatabase()).connect("owner")

test("docs/schema.sql is the schema that the migrations make", async () => {
  await expect(await schemaPage(owner), "npm run schema writes docs/schema.sql again")
    .toMatchFileSnapshot("../../docs/schema.sql")
})
