import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Disclosures } from "../../services/ledger/Disclosures.ts"
import { prefers } from "../Accept.ts"
import { Api } from "../Api.ts"
import { forVeteran } from "../Authorization.ts"
import { disclosureCsv } from "./DisclosureCsv.ts"

export const DisclosuresHandlers = HttpApiBuilder.group(
  Api,
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
