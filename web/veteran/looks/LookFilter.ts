import type { Disclosure } from "../../../src/domain/Disclosure.ts"
import { DocumentId, GrantId, LinkId, uuid } from "../../../src/domain/Id.ts"
import type { Sharing } from "../../../src/domain/Sharing.ts"

/** What narrows the list to one sharing, or nothing if the address names none. */
export const filterOf = (kind: string | undefined, id: string | undefined) => {
  if (id === undefined || !uuid.test(id)) return undefined
  switch (kind) {
    case "provider":
    case "app":
      return { grantId: GrantId.make(id) }
    case "link":
      return { linkId: LinkId.make(id) }
    case "release":
      return { documentId: DocumentId.make(id) }
    default:
      return undefined
  }
}

/** The veteran's own acts are among these kinds too, such as opening a document. */
export const isOwnAct = ({ actor }: Pick<Disclosure, "actor">) => actor.kind === "veteran"

/** The sharing that allowed an event, if it is still active. */
export const allowedBy = (line: Disclosure, active: ReadonlyArray<Sharing>) => {
  const { documentId, grantId, linkId } = line
  if (isOwnAct(line)) return undefined
  return active.find(({ id, kind }) =>
    kind === "link" ? id === linkId : kind === "release" ? linkId === undefined && id === documentId : id === grantId
  )
}
