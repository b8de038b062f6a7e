import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { ProofDrainer } from "../../services/ledger/ProofDrainer.ts"
import { Proofs } from "../../services/ledger/Proofs.ts"
import { formatTlogProof } from "../../services/ledger/TlogProof.ts"
import { prefers } from "../Accept.ts"
import { Api } from "../Api.ts"
import { forVeteran } from "../Authorization.ts"

export const ProofsHandlers = HttpApiBuilder.group(
  Api,
  "proofs",
  Effect.fn(function*(handlers) {
    const proofs = yield* Proofs
    return handlers.handleAll({
      checkpoint: () => proofs.checkpoint,
      key: () => Effect.map(proofs.publicKey, (key) => `${key}\n`),
      consistency: ({ query }) => proofs.consistency(query)
    })
  })
)

export const DisclosureProofHandlers = HttpApiBuilder.group(
  Api,
  "disclosureProof",
  Effect.fn(function*(handlers) {
    const proofs = yield* Proofs
    return handlers.handleAll({
      inclusion: forVeteran((veteranId, { params, request }) =>
        Effect.map(
          proofs.inclusion(veteranId, params.disclosureId),
          (proof) => prefers(request, "text/plain") ? HttpServerResponse.text(formatTlogProof(proof)) : proof
        )
      )
    })
  })
)

export const DrainerHandlers = HttpApiBuilder.group(
  Api,
  "drainer",
  Effect.fn(function*(handlers) {
    const drainer = yield* ProofDrainer
    return handlers.handleAll({ drain: () => drainer.drainNow })
  })
)
