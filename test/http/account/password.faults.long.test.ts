import { randomUUID } from "node:crypto"
import { describe, test } from "vitest"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { openDatabase, openService } from "../../support/App.ts"
import { providerPassword, signInProvider } from "../../support/Client.ts"
import { type Act, killAtEachStep, killing, whole } from "../../support/KilledProcess.ts"
import { openMailbox } from "../../support/Mailbox.ts"
import { until } from "../../support/Until.ts"
import { asOperator, changePassword, forgot, login, newEmail, register, setPassword } from "./PasswordMails.ts"

const database = await openDatabase()

const superuser = await database.connect("superuser")

const mailbox = await openMailbox()

/** It makes what the killed processes work on. */
const helper = await openService(database, { SMTP_URL: mailbox.url })

/** The killed processes mail nothing. Their rows stay, because this server can never be reached. */
const killAt = killing(database, { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` })

const newPassword = "nine brown owls at dusk"

const count = async (query: string, ...values: ReadonlyArray<unknown>) =>
  Number((await superuser.query(`select count(*) from ${query}`, [...values])).rows[0].count)

const mailed = (email: string, subject: string) =>
  mailbox.mails.filter(({ headers, recipients }) => recipients.includes(email) && headers.get("subject") === subject)

const allSent = () =>
  until("the outbox is empty", async () => {
    await superuser.query("update outbox set due_at = now()")
    return await count("outbox") === 0
  })

const linksOf = (id: string, why: string) =>
  count("provider_password_links where provider_id = $1 and why = $2", id, why)

const liveSessionsOf = (id: string) => count("provider_sessions where provider_id = $1 and revoked_at is null", id)

const actsOn = (id: string, act: string) => count("admin_acts where target_id = $1 and act = $2", id, act)

const tokenOf = async (email: string) => {
  await forgot(helper, email)
  await allSent()
  return /password#([\w-]{43})$/m.exec(mailed(email, "Choose a new password").at(-1)!.text)![1]!
}

const acts: Record<string, Act> = {
  "a link is asked for": {
    words: "forget_password",
    prepare: async () => {
      const { email, id } = await signInProvider(helper)
      return {
        send: (service) => forgot(service, email),
        happened: async () => {
          await allSent()
          return whole([
            await linksOf(id, "forgotten") === 1,
            mailed(email, "Choose a new password").length === 1
          ])
        }
      }
    }
  },
  "a password is set by a link": {
    words: "set_password",
    prepare: async () => {
      const { email, id } = await signInProvider(helper)
      const token = await tokenOf(email)
      return {
        send: (service) => setPassword(service, token, newPassword),
        happened: async () => {
          await allSent()
          return whole([
            await linksOf(id, "forgotten") === 0,
            await liveSessionsOf(id) === 0,
            mailed(email, "Your password was changed").length === 1,
            (await login(helper, email, newPassword)).status === 200,
            (await login(helper, email)).status === 401
          ])
        }
      }
    }
  },
  "a password is changed": {
    words: "app.change_password",
    prepare: async () => {
      const { email, id, token } = await signInProvider(helper)
      await login(helper, email)
      return {
        send: (service) => changePassword(service, token, { password: providerPassword, newPassword }),
        happened: async () => {
          await allSent()
          return whole([
            await liveSessionsOf(id) === 1,
            mailed(email, "Your password was changed").length === 1,
            (await login(helper, email, newPassword)).status === 200
          ])
        }
      }
    }
  },
  "a provider is registered without a password": {
    words: "insert into providers",
    prepare: async () => {
      const email = newEmail()
      const idOf = async (): Promise<string> =>
        (await superuser.query("select id from providers where email = $1", [email])).rows[0]?.id ?? randomUUID()
      return {
        send: (service) => register(service, { email }),
        happened: async () => {
          await allSent()
          const id = await idOf()
          return whole([
            await count("providers where email = $1", email) === 1,
            await actsOn(id, "provider_registered") === 1,
            await linksOf(id, "registered") === 1,
            mailed(email, "Your account: choose a password").length === 1
          ])
        }
      }
    }
  },
  "the operator has a link mailed": {
    words: "mail_password_link",
    prepare: async () => {
      const { email, id } = await signInProvider(helper)
      return {
        send: (service) => asOperator(service, "POST", `/providers/${id}/password-link`),
        happened: async () => {
          await allSent()
          return whole([
            await actsOn(id, "password_link_sent") === 1,
            await linksOf(id, "operator") === 1,
            mailed(email, "Choose a password").length === 1
          ])
        }
      }
    }
  }
}

describe("A process that is killed at any step", () => {
  test.each(Object.entries(acts))("while %s leaves all of it or nothing", async (_, act) => {
    await killAtEachStep(killAt, act)
  })
})
