import { Button } from "../../shared/ui/Button.tsx"
import { addressOf, type Route } from "../Route.ts"
import { useDeletionOff } from "./DeletionNews.ts"

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
