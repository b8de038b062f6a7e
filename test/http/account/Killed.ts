import { assert, describe, test } from "vitest"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { openDatabase, openService } from "../../support/App.ts"
import { killAtEachStep, killing, whole } from "../../support/KilledProcess.ts"
import { openMailbox } from "../../support/Mailbox.ts"
import { until } from "../../support/Until.ts"

interface Act {
  /** The first statement of the act has these. */
  readonly words: string
  readonly prepare: () => Promise<{
    readonly send: (service: { readonly url: string }) => Promise<{ readonly status: number }>
    /** What the act does. All of it happened, or nothing. */
    readonly facts: () => Promise<ReadonlyArray<boolean>>
  }>
}

/** Opens a database, and a service that makes what the killed processes work on and goes on while they are killed. */
export const openKilled = async (environment: Record<string, string> = {}) => {
  const database = await openDatabase()
  const superuser = await database.connect("superuser")
  const mailbox = await openMailbox()
  const helper = await openService(database, { ...environment, SMTP_URL: mailbox.url })
  // The killed processes mail nothing. Their rows stay, because this server can never be reached.
  const killAt = killing(database, { ...environment, SMTP_URL: `smtp://127.0.0.1:${await freePort()}` })

  const count = async (query: string, ...values: ReadonlyArray<unknown>) =>
    Number((await superuser.query(`select count(*) from ${query}`, [...values])).rows[0].count)

  const allSent = () =>
    until("the outbox is empty", async () => {
      // What the helper is sending at this moment must not be taken a second time. A killed process took it before.
      await superuser.query(
        "update outbox set due_at = now() where due_at < clock_timestamp() + interval '4 minutes 58 seconds'"
      )
      return await count("outbox") === 0
    })

  /** If `again`, the helper does each act after the killed process, which shows that no lock is left. */
  const killDuring = (acts: Record<string, Act>, again = false) =>
    describe("A process that is killed at any step", () => {
      test.each(Object.entries(acts))("while %s leaves all of it or nothing", async (_, { prepare, words }) => {
        const prepareBoth = async () => {
          const { facts, send } = await prepare()
          const happened = async () => {
            await allSent()
            const did = whole(await facts())
            if (again) assert.strictEqual((await send(helper)).status, 200)
            return did
          }
          return { send, happened }
        }
        await killAtEachStep(killAt, { words, prepare: prepareBoth })
      })
    })

  return { superuser, mailbox, helper, count, allSent, killDuring }
}
