import type { PasswordLinkRow } from "../../sql/mail/OutboxRepository.ts"
import { letter } from "./Letter.ts"

const subjects = {
  registered: "Your account: choose a password",
  forgotten: "Choose a new password",
  operator: "Choose a password"
} as const

/** The mail with the link by which a provider chooses a password. The link is not in the subject. */
export const passwordLink = ({ email, expiresAt, why }: PasswordLinkRow, url: string) =>
  letter(
    email,
    subjects[why],
    (words) => words.password_link({ why, url, host: new URL(url).host, until: expiresAt })
  )

/** Tells the provider that the password is another one now. */
export const passwordChanged = (to: string, at: Date, host: string) =>
  letter(to, "Your password was changed", (words) => words.password_changed({ at, host }))
