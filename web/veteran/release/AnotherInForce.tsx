import { timeWords } from "../../shared/Dates.ts"
import { Done } from "../account/Done.tsx"
import { useActiveSharing } from "../sharing/ActiveSharing.ts"
import { useReleaseWords } from "./Words.ts"

/** Tells that the same person has a release already, such as one that was signed just now in another window. */
export const AnotherInForce = ({ email, replaces }: {
  readonly email: string
  readonly replaces: string | undefined
}) => {
  const { sign } = useReleaseWords()
  const { state } = useActiveSharing()
  const other = state.is === "done"
    ? state.value.find(({ id, kind, who }) =>
      kind === "release" && id !== replaces && who.email?.toLowerCase() === email.trim().toLowerCase()
    )
    : undefined
  return <Done kind="info">{other === undefined ? undefined : sign.another(timeWords(other.since))}</Done>
}
