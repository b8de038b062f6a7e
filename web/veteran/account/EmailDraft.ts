import { useDraft } from "../../shared/Drafts.ts"

/** A change of the e-mail address that is under way. It is kept while the app is locked, because a mail may be late. */
export interface EmailDraft {
  readonly email: string
  /** A code was mailed for this challenge. */
  readonly challengeId?: string
  readonly sentAgain?: boolean
}

export interface EmailChangeProps {
  readonly change: EmailDraft
  readonly setChange: (change: EmailDraft) => void
  readonly onKept: () => void
}

export const useEmailChange = () => useDraft<EmailDraft | undefined>("e-mail", undefined)
