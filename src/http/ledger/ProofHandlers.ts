import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { ProofDrainer } from "../../services/ledger/ProofDrainer.ts"
import { Proofs } from "../../services/ledger/Proofs.ts"
import { formatTlogProof } from "../../services/ledger/TlogProof.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { prefers } from "../wire/Accept.ts"
import { group } from "../wire/Group.ts"

export const ProofsHandlers = group("proofs", function*(handlers) {
  const proofs = yield* Proofs
  return handlers.handleAll({
    checkpoint: () => proofs.checkpoint,
    key: () => Effect.map(proofs.publicKey, (key) => `${key}\n`),
    consistency: ({ query }) => proofs.consistency(query)
  })
})

export const DisclosureProofHandlers = group("disclosureProof", function*(handlers) {
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

export const DrainerHandlers = group("drainer", function*(handlers) {
  const drainer = yield* ProofDrainer
  return handlers.handleAll({ drain: () => drainer.drainNow })
})
