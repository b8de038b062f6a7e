import { addressOf } from "../Route.ts"

/** Leads to an update of the record. Before the first one, there is nothing to try again. */
export const TryAgain = ({ first = false }: { readonly first?: boolean }) => (
  <a className={`usa-button ${first ? "" : "usa-button--outline"}`} href={addressOf({ screen: "update" })}>
    {first ? "Get my record from VA" : "Try again"}
  </a>
)
