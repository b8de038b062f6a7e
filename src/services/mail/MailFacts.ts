/** A paragraph of a mail. A link shows its own address, because mail programs hide where other links lead. */
export type Paragraph = string | { readonly link: string } | { readonly words: string; readonly code: string }

/** How the recipient is addressed, and where the link leads. */
export interface InvitationFacts {
  readonly name: string | undefined
  readonly host: string
  readonly url: string
  readonly until: Date
}

export interface LinkCodeFacts {
  readonly name: string | undefined
  readonly code: string
  readonly minutes: number
  readonly site: string
  readonly host: string
  /** Whether a health app can open the link too. */
  readonly isForApps: boolean
}

export interface AppCodeFacts {
  readonly app: string | undefined
  readonly code: string
  readonly minutes: number
  readonly host: string
}

export interface LinkNoticeFacts {
  /** The masked address of the link's recipient. */
  readonly hint: string
  readonly at: Date
}

export interface AppNoticeFacts {
  readonly app: string | undefined
  readonly at: Date
}

export interface PairingCodeFacts {
  readonly code: string
  readonly minutes: number
  readonly host: string
}

export interface AccountNoticeFacts {
  readonly at: Date
}

export interface EmailChangedFacts {
  /** Which address reads the mail. */
  readonly to: "old" | "new"
  readonly at: Date
}

/** Why a provider gets a link to choose a password: their account is new, they asked for it, or the operator did. */
export interface PasswordLinkFacts {
  readonly why: "registered" | "forgotten" | "operator"
  readonly url: string
  readonly host: string
  readonly until: Date
}

export interface PasswordChangedFacts {
  readonly at: Date
  readonly host: string
}

export interface DeletionNoticeFacts {
  readonly at: Date
  /** When the record is deleted. */
  readonly until: Date
}

/** What happened is told in one mail, because each hour has a limit of mails. */
export interface SeveralFacts {
  readonly told: ReadonlyArray<Paragraph>
  /** How many more things happened before. */
  readonly more: number
}

export interface ExportFacts {
  readonly at: Date
  readonly byOperator: boolean
}
