import { timeWords } from "../Dates.ts"
import { useWords } from "../language/Language.ts"
import { useOnline } from "../Online.ts"
import { Notice } from "./Notice.tsx"

/**
 * Says that there is no connection and how old the content is. The live region exists before its words, so that they
 * are read aloud.
 */
export const Offline = ({ loadedAt }: { readonly loadedAt?: Date | undefined }) => {
  const online = useOnline()
  const { offline } = useWords()
  return (
    <div role="status">
      {online ? null : (
        <Notice kind="warning" title={offline.title}>
          {loadedAt === undefined
            ? offline.wait
            : offline.since(timeWords(loadedAt))}
        </Notice>
      )}
    </div>
  )
}
