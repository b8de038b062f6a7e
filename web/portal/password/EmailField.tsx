import type { Ref } from "react"
import { Field } from "../../shared/ui/Field.tsx"

/** The field for the e-mail with which a provider signs in. `missing`: the form was sent without one. */
export const EmailField = ({ fieldRef, missing, onChange, value }: {
  readonly fieldRef: Ref<HTMLInputElement>
  readonly value: string
  readonly missing: boolean
  readonly onChange: (email: string) => void
}) => (
  <Field
    ref={fieldRef}
    label="E-mail"
    type="email"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    maxLength={320}
    value={value}
    error={missing && value.trim() === "" ? "Enter your e-mail." : undefined}
    onChange={(event) => onChange(event.target.value)}
  />
)
