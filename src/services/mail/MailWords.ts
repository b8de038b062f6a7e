import type { NoticeFacts } from "../../domain/Notices.ts"

/** A paragraph of a mail. A link shows its own address, because mail programs hide where other links lead. */
export type Paragraph = string | { readonly link: string } | { readonly words: string; readonly code: string }

/** How the recipient is addressed, and where the link leads. */
interface InvitationFacts {
  readonly name: string | undefined
  readonly host: string
  readonly url: string
  readonly until: Date
}

interface LinkCodeFacts {
  readonly name: string | undefined
  readonly code: string
  readonly minutes: number
  readonly site: string
  readonly host: string
  /** Whether a health app can open the link too. */
  readonly isForApps: boolean
}

interface AppCodeFacts {
  readonly app: string
  readonly code: string
  readonly minutes: number
  readonly host: string
}

interface LinkNoticeFacts {
  /** The masked address of the link's recipient. */
  readonly hint: string
  readonly at: Date
}

interface AppNoticeFacts {
  readonly app: string
  readonly at: Date
}

interface PairingCodeFacts {
  readonly code: string
  readonly minutes: number
  readonly host: string
}

interface AccountNoticeFacts {
  readonly at: Date
}

export interface EmailChangedFacts {
  /** Which address reads the mail. */
  readonly to: "old" | "new"
  readonly at: Date
}

/** Why a provider gets a link to choose a password: their account is new, they asked for it, or the operator did. */
interface PasswordLinkFacts {
  readonly why: "registered" | "forgotten" | "operator"
  readonly url: string
  readonly host: string
  readonly until: Date
}

interface PasswordChangedFacts {
  readonly at: Date
  readonly host: string
}

interface DeletionNoticeFacts {
  readonly at: Date
  /** When the record is deleted. */
  readonly until: Date
}

interface ExportFacts {
  readonly at: Date
  readonly byOperator: boolean
}

type Facts<A> = (facts: A) => ReadonlyArray<Paragraph>

/** The words of every mail in one language: each mail's paragraphs, by the facts that it tells. */
export interface MailWords {
  /** Tells a reader of this language, at the top, that their part follows below. */
  readonly below: string
  readonly invitation: Facts<InvitationFacts>
  readonly linkCode: Facts<LinkCodeFacts>
  readonly appCode: Facts<AppCodeFacts>
  readonly link_opened: Facts<LinkNoticeFacts>
  readonly link_viewed: Facts<LinkNoticeFacts>
  readonly link_locked: Facts<LinkNoticeFacts>
  readonly app_connected: Facts<AppNoticeFacts>
  readonly app_replayed: Facts<AppNoticeFacts>
  readonly pairing_code: Facts<PairingCodeFacts>
  readonly new_device: Facts<AccountNoticeFacts>
  readonly identity_added: Facts<AccountNoticeFacts>
  readonly identity_removed: Facts<AccountNoticeFacts>
  readonly passkey_added: Facts<AccountNoticeFacts>
  readonly passkey_removed: Facts<AccountNoticeFacts>
  readonly provider_email_changed: Facts<EmailChangedFacts>
  readonly veteran_email_changed: Facts<EmailChangedFacts>
  readonly password_link: Facts<PasswordLinkFacts>
  readonly password_changed: Facts<PasswordChangedFacts>
  readonly access_ended: Facts<AccountNoticeFacts>
  readonly deletion_asked: Facts<DeletionNoticeFacts>
  readonly deletion_cancelled: Facts<AccountNoticeFacts>
  readonly deletion_done: Facts<AccountNoticeFacts>
  readonly email_code: Facts<PairingCodeFacts>
  readonly export_made: Facts<ExportFacts>
  readonly notice: Facts<NoticeFacts>
}
