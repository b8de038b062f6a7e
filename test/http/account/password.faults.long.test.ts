import { randomUUID } from "node:crypto"
import { providerPassword, signInProvider } from "../../support/Client.ts"
import { openKilled } from "./Killed.ts"
import { asOperator, changePassword, forgot, login, newEmail, register, setPassword } from "./PasswordMails.ts"

const { allSent, count, helper, killDuring, mailbox, superuser } = await openKilled()

const newPassword = "nine brown owls at dusk"

const mailed = (email: string, subject: string) =>
  mailbox.mails.filter(({ headers, recipients }) => recipients.includes(email) && headers.get("subject") === subject)

const linksOf = (id: string, why: string) =>
  count("provider_password_links where provider_id = $1 and why = $2", id, why)

const liveSessionsOf = (id: string) => count("provider_sessions where provider_id = $1 and revoked_at is null", id)

const actsOn = (id: string, act: string) => count("admin_acts where target_id = $1 and act = $2", id, act)

const tokenOf = async (email: string) => {
  await forgot(helper, email)
  await allSent()
  return /password#([\w-]{43})$/m.exec(mailed(email, "Choose a new password").at(-1)!.text)![1]!
}

killDuring({
  "a link is asked for": {
    words: "forget_password",
    prepare: async () => {
      const { email, id } = await signInProvider(helper)
      return {
        send: (service) => forgot(service, email),
        facts: async () => [
          await linksOf(id, "forgotten") === 1,
          mailed(email, "Choose a new password").length === 1
        ]
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
        facts: async () => [
          await linksOf(id, "forgotten") === 0,
          await liveSessionsOf(id) === 0,
          mailed(email, "Your password was changed").length === 1,
          (await login(helper, email, newPassword)).status === 200,
          (await login(helper, email)).status === 401
        ]
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
        facts: async () => [
          await liveSessionsOf(id) === 1,
          mailed(email, "Your password was changed").length === 1,
          (await login(helper, email, newPassword)).status === 200
        ]
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
        facts: async () => {
          const id = await idOf()
          return [
            await count("providers where email = $1", email) === 1,
            await actsOn(id, "provider_registered") === 1,
            await linksOf(id, "registered") === 1,
            mailed(email, "Your account: choose a password").length === 1
          ]
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
        facts: async () => [
          await actsOn(id, "password_link_sent") === 1,
          await linksOf(id, "operator") === 1,
          mailed(email, "Choose a password").length === 1
        ]
      }
    }
  }
})
