import { useWords } from "../../shared/language/Language.ts"
import { addressOf } from "../Route.ts"
import { useOwnWords } from "./Words.ts"

/** Leads to an update of the record. Before the first one, there is nothing to try again. */
export const TryAgain = ({ first = false }: { readonly first?: boolean }) => {
  const { tryAgain } = useWords()
  const own = useOwnWords()
  return (
    <a className={`usa-button ${first ? "" : "usa-button--outline"}`} href={addressOf({ screen: "update" })}>
      {first ? own.first : tryAgain}
    </a>
  )
}
