import type { Sharing } from "../../../src/domain/Sharing.ts"
import type { Attempt } from "./Making.ts"

/** What the list says about a link whose answer was lost. */
export type Search =
  | { readonly is: "asking" | "away" | "none" }
  | { readonly is: "made"; readonly link: Sharing }

interface Question {
  readonly attempt: Attempt
  readonly release: string
  /** Milliseconds since the request for the link ended without an answer. */
  readonly waited: number
}

/** A request that lost its connection may still be on its way, in milliseconds. */
const onItsWay = 3_000

/** The service encrypts the whole release before there is a link for apps. It may take this long, in milliseconds. */
const encrypting = 20_000

/** The service hands over a mail within 20 seconds (services/mail/Mailer.ts). This is longer, in milliseconds. */
const mailing = 25_000

/** Looks for the link among those that can be read now. A mail may still be on its way. */
export const findMadeLink = (
  active: ReadonlyArray<Sharing>,
  { attempt: { draft, how, known }, release, waited }: Question
): Search => {
  const link = active.find(({ id, kind, releaseId, who }) =>
    kind === "link" && releaseId === release && !known.includes(id) && who.name === draft.name.trim() &&
    who.email === draft.email.trim()
  )
  if (link === undefined) return { is: waited < (draft.forApps ? encrypting : onItsWay) ? "asking" : "none" }
  return how === "mail" && link.steps?.notifiedAt === null && waited < mailing
    ? { is: "asking" }
    : { is: "made", link }
}
