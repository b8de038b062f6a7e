import type { Session } from "../session/Session.ts"

/** The log's key that this session saw first. With another key, a log could tell each veteran another story. */
let first: { readonly session: string; readonly key: string } | undefined

const nameOf = ({ previousSessionAt, veteranId }: Pick<Session, "previousSessionAt" | "veteranId">) =>
  `${veteranId} ${previousSessionAt?.getTime()}`

/** Returns whether the key is the one that this session saw first, and remembers it if it is the first. */
export const isKnownKey = (session: Pick<Session, "previousSessionAt" | "veteranId">, key: string) => {
  const name = nameOf(session)
  if (first?.session !== name) first = { session: name, key }
  return first.key === key
}
