import { useState } from "react"
import type { DocumentId } from "../../../src/domain/Id.ts"
import type { CreatedLink } from "../../../src/domain/VeteranLink.ts"
import type { Problem } from "../../shared/Problem.ts"
import { wasRefused } from "../Refusals.ts"
import { me, useOwnSending } from "../session/Own.ts"
import { hoursOf, type LinkDraft, type LinkHandover, type Release } from "./LinkDraft.ts"

/** A link as it was asked for. */
export interface Attempt {
  readonly draft: LinkDraft
  readonly how: LinkHandover
  /** The ids of all that was shared before. */
  readonly known: ReadonlyArray<string>
}

export type Made = typeof CreatedLink.Type

/** Where the making of a link stands. `lost` means that no answer came, so that the link may have been made or not. */
export type Making =
  | { readonly is: "form"; readonly refusal?: Problem }
  | { readonly is: "made"; readonly made: Made; readonly how: LinkHandover }
  | { readonly is: "lost"; readonly attempt: Attempt; readonly since: Date }

/** Makes one link, however often a button is pressed. Only the answer has the link's address, which stays in memory. */
export const useMaking = (release: Release) => {
  const { busy, call, send } = useOwnSending()
  const [making, setMaking] = useState<Making>({ is: "form" })
  const [how, setHow] = useState<LinkHandover>()

  const make = (attempt: Attempt) => {
    const { draft } = attempt
    setHow(attempt.how)
    setMaking({ is: "form" })
    const payload = {
      documentId: release.id as DocumentId,
      recipientName: draft.name.trim(),
      recipientEmail: draft.email.trim(),
      expiresInHours: hoursOf(draft.until, release, new Date()),
      notifyRecipient: attempt.how === "mail",
      ...(draft.forApps ? { smartHealthLink: true } : {})
    }
    send(
      call(({ secureLinks }) => secureLinks.create({ params: me, payload })),
      (made) => setMaking({ is: "made", made, how: attempt.how }),
      (problem) =>
        setMaking(wasRefused(problem) ? { is: "form", refusal: problem } : { is: "lost", attempt, since: new Date() })
    )
  }
  return { busy, how, make, making, begin: () => setMaking({ is: "form" }) }
}
