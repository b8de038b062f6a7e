import { Effect } from "effect"
import { Disclosures } from "../../services/ledger/Disclosures.ts"
import { prefers } from "../Accept.ts"
import { forVeteran } from "../Authorization.ts"
import { group } from "../Group.ts"
import { disclosureCsv } from "./DisclosureCsv.ts"

export const DisclosuresHandlers = group(
  "disclosures",
  Effect.fn(function*(handlers) {
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
)
