import { type Ref, useState } from "react"
import type { Problem } from "../../shared/Problem.ts"
import { Button } from "../../shared/ui/Button.tsx"
import { Field } from "../../shared/ui/Field.tsx"

/** The shortest and the longest password, in UTF-16 units, as the service counts them. */
const [least, most] = [8, 256]

/** Says why a password cannot be chosen, as far as the page can know, or returns undefined. */
export const newPasswordError = (password: string) =>
  password.length < least
    ? `Enter at least ${least} characters.`
    : password.length > most
    ? `Enter at most ${most} characters.`
    : undefined

/** The service knows which passwords many people use, and the provider's e-mail. */
export const isPasswordRefused = ({ error }: Problem) => error === "invalid_request"

export const refusedPassword =
  "Choose another password. This one is easy to guess: many people use it, or it is your e-mail."

/** The field for a new password, which can be shown while it is typed. A password manager may fill it. */
export const NewPasswordField = ({ error, fieldRef, onChange, value }: {
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (password: string) => void
  readonly fieldRef?: Ref<HTMLInputElement>
}) => {
  const [shown, setShown] = useState(false)
  return (
    <div>
      <Field
        {...(fieldRef === undefined ? {} : { ref: fieldRef })}
        label="New password"
        hint={`At least ${least} characters. Four or five words that only you put together are good. Spaces are fine.`}
        type={shown ? "text" : "password"}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
      <Button kind="link" onClick={() => setShown(!shown)}>{shown ? "Hide new password" : "Show new password"}</Button>
    </div>
  )
}
