import { Effect } from "effect"
import { Disclosures } from "../../services/ledger/Disclosures.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { prefers } from "../wire/Accept.ts"
import { group } from "../wire/Group.ts"
import { disclosureCsv } from "./DisclosureCsv.ts"

export const DisclosuresHandlers = group("disclosures", function*(handlers) {
  const disclosures = yield* Disclosures
  return handlers.handleAll({
    list: forVeteran((veteranId, { query, request }) =>
      Effect.map(
        disclosures.list(veteranId, query),
        (page) => prefers(request, "text/csv") ? disclosureCsv(page, request.url) : page
      )
    )
  })
})
