import type pg from "pg"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, test } from "vitest"
import { createDatabase, type TestDatabase } from "../support/Database.ts"
import { reads, writes } from "./Matrix.ts"
import { fill, seen, touched } from "./Rows.ts"

let database: TestDatabase
let runtime: pg.Client

beforeAll(async () => {
  database = await createDatabase()
  await fill(await database.connect("superuser"))
  runtime = await database.connect("runtime")
})
afterAll(() => database.close())

beforeEach(async () => {
  await runtime.query("begin")
})
afterEach(async () => {
  await runtime.query("rollback")
})

describe("what is seen by", () => {
  test.each(reads)("$who", async ({ sees, stated }) => {
    assert.deepStrictEqual(await seen(runtime, stated), sees)
  })
})

describe("what becomes of a write", () => {
  test.each(writes)("$what", async ({ becomes, stated, statement }) => {
    assert.strictEqual(await touched(runtime, stated, statement), becomes)
  })
})
