import { assert } from "vitest"
import { providers, veterans } from "./Rows.ts"
import type { Call } from "./Stated.ts"

/** Runs each function by which a person's row is changed (migrations/035). */
export const takePeopleSteps = async (call: Call) => {
  const step = async (status: string, name: string, args: string, values: ReadonlyArray<unknown>) => {
    const { rows: [row] } = await call(name, args, values)
    assert.strictEqual(row[name], status, name)
  }
  await step("changed", "change_veteran_email", "$1, 'changed@example.org', false", [veterans.A])
  await step("changed", "change_provider", "$1, 'changed@clinic.example', 'Dr. Changed', null, true, null", [
    providers.noTypes
  ])
}
