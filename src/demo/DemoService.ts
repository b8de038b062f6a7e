import { Data, Effect, Redacted, Runtime, Schedule } from "effect"
import { HttpClient } from "effect/http"
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { fileURLToPath } from "node:url"
import { freePort } from "../postgres/EmbeddedPostgres.ts"

export class DemoServiceFailed extends Data.TaggedError("DemoServiceFailed")<{ readonly message: string }> {
  /** The demo prints the message itself, so Effect's runtime does not report the error. */
  override readonly [Runtime.errorReported] = false
}

/** Starts a service as a child process on a free port, with the embedded database of this folder. */
export const startService = Effect.gen(function*() {
  const port = yield* Effect.promise(freePort)
  const secrets = { exchange: secret(), admin: secret() }
  let output = ""
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [fileURLToPath(new URL("../main.ts", import.meta.url))], {
        env: {
          ...process.env,
          APP_ENV: "development",
          PORTAL_PORT: "0",
          PORT: `${port}`,
          VETERAN_SESSION_EXCHANGE_SECRET: Redacted.value(secrets.exchange),
          INTERNAL_ADMIN_SECRET: Redacted.value(secrets.admin)
        }
      })
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output += chunk)
      return child
    }),
    (child) =>
      Effect.callback<void>((done) => {
        if (child.exitCode !== null) return done(Effect.void)
        child.once("exit", () => done(Effect.void)).kill("SIGTERM")
      })
  )
  const baseUrl = `http://127.0.0.1:${port}`
  const http = yield* HttpClient.HttpClient
  yield* Effect.suspend(() => child.exitCode === null ? http.get(`${baseUrl}/health`) : Effect.interrupt).pipe(
    Effect.retry({ times: 300, schedule: Schedule.spaced("100 millis") }),
    Effect.catchCause(() => new DemoServiceFailed({ message: `the service did not start:\n${output.trim()}` }))
  )
  return { baseUrl, secrets }
})

const secret = () => Redacted.make(randomBytes(32).toString("base64url"))
