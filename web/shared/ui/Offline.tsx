import { timeWords } from "../Dates.ts"
import { useOnline } from "../Online.ts"
import { Notice } from "./Notice.tsx"

/**
 * Says that there is no connection and how old the content is. The live region exists before its words, so that they
 * are read aloud.
 */
export const Offline = ({ loadedAt }: { readonly loadedAt?: Date | undefined }) => {
  const online = useOnline()
  return (
    <div role="status">
      {online ? null : (
        <Notice kind="warning" title="You are offline">
          {loadedAt === undefined
            ? "This continues when you are connected again."
            : `What you see was loaded at ${timeWords(loadedAt)}.`}
        </Notice>
      )}
    </div>
  )
}
