import { Button } from "../../shared/ui/Button.tsx"
import { addressOf, type Route } from "../Route.ts"
import { useDeletion } from "./DeletionNews.ts"
import { useAccountWords } from "./Words.ts"

/** Why nothing new is stored or shared now, for `Button`'s `off`: the veteran's data is about to be deleted. */
export const useDeletionOff = () => {
  const { deletion } = useAccountWords()
  const { endsAt } = useDeletion()
  return endsAt === undefined || endsAt === null ? undefined : deletion.off
}

const looks = { main: "usa-button", outline: "usa-button usa-button--outline", link: "line-link" } as const

/** Leads to where something new is stored or shared. While a deletion waits, it is off and says why. */
export const NewLink = ({ children, kind = "main", to }: {
  readonly children: string
  readonly kind?: keyof typeof looks
  readonly to: Route
}) => {
  const off = useDeletionOff()
  return off === undefined
    ? <a className={looks[kind]} href={addressOf(to)}>{children}</a>
    : <Button kind={kind} off={off}>{children}</Button>
}
