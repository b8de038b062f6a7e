import { timeWords } from "../../shared/Dates.ts"
import { useOnline } from "../../shared/Online.ts"
import type { Problem } from "../../shared/Problem.ts"
import { Notice } from "../../shared/ui/Notice.tsx"

/** Says how old the content is while the service cannot be reached. */
export const StandsFrom = ({ at, loadedAt, trouble }: {
  /** When the service last confirmed the share. */
  readonly at: Date
  readonly loadedAt: Date | undefined
  readonly trouble: Problem | undefined
}) => {
  const online = useOnline()
  return (
    <div role="status">
      {online && trouble === undefined ?
        null :
        (
          <Notice kind="warning" title={online ? "The service can't be reached" : "You are offline"}>
            What you see was loaded at {timeWords(loadedAt ?? at)}. We last made sure at {timeWords(at)}{" "}
            that it is shared with you.
          </Notice>
        )}
    </div>
  )
}
