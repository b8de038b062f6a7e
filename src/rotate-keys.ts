import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Console, Effect, Redacted, String } from "effect"
import { Command, Flag } from "effect/cli"
import { Reactivity } from "effect/reactivity"
import type { SqlError } from "effect/sql"
import { onOff, ProgramFailed } from "./client/operator/Program.ts"
import { ownerConnection } from "./layers/Connection.ts"
import { type Broken, countByKey, rotate, verify } from "./services/platform/KeyRotation.ts"
import { variable } from "./services/platform/Settings.ts"
import { keyring } from "./services/platform/VariableRules.ts"
import * as SessionLocks from "./sql/platform/SessionLocks.ts"

const flags = {
  status: onOff("status", "Print the number of values under each key, for each column, and change nothing"),
  verify: onOff("verify", "Afterwards open every value, which reads all of them again"),
  effort: Flag.Int("effort").pipe(
    Flag.withDefault(50),
    Flag.withMetavar("percent"),
    Flag.withDescription("Percentage of the time to work, 1 to 100; the rest is left to the service")
  )
}

/** One connection does the rotation as `vrss_rotation`; a second one holds the lock against a simultaneous rotation. */
const connect = Effect.gen(function*() {
  const { password, user, ...at } = yield* ownerConnection
  const connecting = PgClient.make({
    ...at,
    username: user,
    password: Redacted.make(password),
    maxConnections: 2,
    applicationName: "vrss rotate-keys",
    startupParameters: { role: "vrss_rotation", idle_in_transaction_session_timeout: "15s" },
    maxMessageSize: 256 * 1024 * 1024,
    transformResultNames: String.snakeToCamel
  })
  return yield* Effect.tap(connecting, (sql) => sql`select from key_rotations limit 0`).pipe(
    Effect.mapError((error) => new ProgramFailed({ message: explain(error, user) }))
  )
}).pipe(Effect.provide(Reactivity.layer))

const codeOf = ({ reason }: SqlError.SqlError) => (reason.cause as { readonly code?: string } | undefined)?.code

const explain = (error: SqlError.SqlError, user: string) => {
  const code = codeOf(error)
  return code === "42501" || code === "22023"
    ? `${user} may not take on the role that rotates keys: apply the migrations, and run 'grant vrss_rotation to ${user}'`
    : `the database of MIGRATION_DATABASE_URL (or DATABASE_URL) cannot be used: ${code ?? error.reason._tag}`
}

const keysGiven = Effect.gen(function*() {
  const environment = (yield* variable("APP_ENV")) ?? (yield* variable("NODE_ENV"))
  const strict = environment === "production"
  const value = yield* variable("TOKEN_ENCRYPTION_KEY")
  const keys = value === undefined ? undefined : keyring.parse(value, strict)
  if (keys !== undefined) return keys
  const problem = value === undefined
    ? "is missing: the keyring of the service, the new key first"
    : keyring.says(strict)
  return yield* new ProgramFailed({ message: `TOKEN_ENCRYPTION_KEY ${problem}` })
})

const sayBroken = Effect.fnUntraced(function*({ count, places }: Broken) {
  if (count === 0) return
  yield* Console.error(`${count} values do not open, and stay as they are:`)
  for (const place of places) yield* Console.error(`  ${place}`)
  if (count > places.length) yield* Console.error(`  and ${count - places.length} more`)
})

const run = Effect.fn("rotate-keys")(
  function*({ effort, status, verify: verifies }: Command.Command.Config.Infer<typeof flags>) {
    if (effort < 1 || effort > 100) return yield* new ProgramFailed({ message: "--effort must be from 1 to 100" })
    const keys = yield* keysGiven
    const sql = yield* connect
    if (status) {
      for (const { column, values } of yield* countByKey(sql)) {
        const counts = [...values].map(([keyId, count]) => `${keyId || "no key"} ${count}`)
        yield* Console.log(`${column}: ${counts.join(", ") || "empty"}`)
      }
      return
    }
    const locks = yield* (yield* SessionLocks.make(sql)).open
    if (!(yield* locks.tryLock("rotate-keys"))) {
      return yield* new ProgramFailed({ message: "another rotation is under way: wait for it, or end it" })
    }
    const pacing = { effort, say: (line: string) => Console.error(line) }
    const { broken, resealed, values } = yield* rotate(sql, keys, pacing)
    yield* sayBroken(broken)
    const unopened = verifies ? yield* verify(sql, keys, pacing) : { count: 0, places: [] }
    yield* sayBroken(unopened)
    const first = keys[0]!.id
    yield* Console.log(`${resealed} values were sealed anew under ${first}`)
    const left = [...values].filter(([keyId]) => keyId !== first)
    if (left.length > 0) {
      const counts = left.map(([keyId, count]) => `${count} under ${keyId || "no key"}`).join(", ")
      return yield* new ProgramFailed({
        message:
          `The old keys must stay: ${counts}. Restore what does not open, or end who has its rows locked, and start again.`
      })
    }
    if (broken.count + unopened.count > 0) {
      return yield* new ProgramFailed({ message: `Every value names ${first}, but not all of them open.` })
    }
    const old = keys.slice(1).map(({ id }) => id).join(", ")
    yield* Console.log(
      old === "" ?
        `Every value is under ${first}.` :
        `Every value is under ${first}: ${old} may go from TOKEN_ENCRYPTION_KEY ` +
        `if every process has ${first} first. Keep it with the backups made until now.`
    )
  },
  Effect.scoped,
  Effect.catchTag("SqlError", (error) =>
    new ProgramFailed({
      message: `the database failed (${codeOf(error) ?? error.reason._tag}): start again, and it goes on where it was`
    })),
  Effect.tapError(({ message }) => Console.error(message))
)

Command.make("rotate-keys", flags, run).pipe(
  Command.withDescription(
    "Seals every value that is not under the first key of TOKEN_ENCRYPTION_KEY again, over the connection of " +
      "MIGRATION_DATABASE_URL (then DATABASE_URL), while the service runs. It can be stopped and started again at any time. " +
      "Exit codes: 0 the old keys may go; 1 they must stay, or it failed."
  ),
  Command.withExamples([
    { command: "rotate-keys --status", description: "Which keys the values are under" },
    { command: "rotate-keys --effort 20 --verify", description: "Rotate slowly, then open every value" }
  ]),
  Command.run({ version: "" }),
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain
)
