import type { Veteran } from "../../../src/domain/Veteran.ts"
import { AskEmailCode } from "./AskEmailCode.tsx"
import { EmailCodeForm } from "./EmailCodeForm.tsx"
import type { EmailChangeProps } from "./EmailDraft.ts"

/** The two steps of a new e-mail address: the address, and the code that was mailed to it. */
export const EmailChange = (props: EmailChangeProps & { readonly onChanged: (veteran: Veteran) => void }) =>
  props.change.challengeId === undefined
    ? <AskEmailCode {...props} />
    : <EmailCodeForm key={props.change.challengeId} {...props} challengeId={props.change.challengeId} />
