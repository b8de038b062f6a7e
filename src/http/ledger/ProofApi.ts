import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Conflict, InvalidRequest, NotFound, SealBroken } from "../../domain/Errors.ts"
import { Id, VeteranIdOrMe } from "../../domain/Id.ts"
import { ConsistencyProof, DrainOutcome, InclusionProof, ProofsNotConfigured, TreeCount } from "../../domain/Proof.ts"
import { Availability, DrainerAuthorization, VeteranAuthorization } from "../contract/Authorization.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { AddressRateLimit, BodyLimit, QueryAndBody, RateLimit, smallBody } from "../contract/RequestLimits.ts"

const plainText = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/plain; charset=utf-8" }))

/** The limit for one address and route. A witness, which checks each new checkpoint, needs one request a minute. */
const watching = { permits: 600, seconds: 60 }

/** These routes are public, so that anybody can check that no disclosure is later removed or changed. */
export class ProofsApi extends HttpApiGroup.make("proofs")
  .add(
    HttpApiEndpoint.get("checkpoint", "/checkpoint", {
      success: plainText.annotate({ description: "Signed note (C2SP tlog-checkpoint)" }),
      error: ProofsNotConfigured
    })
      .annotate(OpenApi.Summary, "Read the latest checkpoint")
      .annotate(RateLimit, watching),
    HttpApiEndpoint.get("key", "/key", {
      success: plainText.annotate({ description: "The key that verifies checkpoints: `name+id+base64`" }),
      error: ProofsNotConfigured
    })
      .annotate(OpenApi.Summary, "Read the public key")
      .annotate(RateLimit, watching),
    HttpApiEndpoint.get("consistency", "/consistency", {
      query: { from: TreeCount, to: TreeCount },
      success: ConsistencyProof,
      error: [InvalidRequest, ProofsNotConfigured]
    })
      .annotate(OpenApi.Summary, "Prove that the tree has only grown")
      .annotate(RateLimit, watching)
      .annotate(OpenApi.Description, "Between two sizes, up to the latest checkpoint's (RFC 6962, section 2.1.2).")
  )
  .prefix("/api/proofs")
  .pipe(guardedBy(AddressRateLimit))
  .annotateMerge(described("Proofs", "The tamper-evident tree over the account of disclosures."))
{}

export class DisclosureProofApi extends HttpApiGroup.make("disclosureProof")
  .add(
    HttpApiEndpoint.get("inclusion", "/:disclosureId/proof", {
      params: { veteranId: VeteranIdOrMe, disclosureId: Id },
      success: [
        InclusionProof,
        plainText.annotate({
          description: "C2SP tlog-proof, which does not contain the event, if `accept` is `text/plain`"
        })
      ],
      error: [NotFound, Conflict, SealBroken, ProofsNotConfigured]
    })
      .annotateMerge(told(
        "Prove that an event is in the tree",
        "Against the latest checkpoint. `npm run verify-proof` checks the answer offline. A new event is in the tree within a minute or two."
      ))
  )
  .prefix("/api/veteran/:veteranId/disclosures")
  .pipe(guardedBy(VeteranAuthorization))
  .annotateMerge(described("Proofs of disclosures", "Proofs of the veteran's own events."))
{}

export class DrainerApi extends HttpApiGroup.make("drainer")
  .add(
    HttpApiEndpoint.post("drain", "/drain", { success: DrainOutcome, error: ProofsNotConfigured })
      .annotate(OpenApi.Summary, "Put the waiting events into the tree")
      .annotate(OpenApi.Description, "The service does this itself every 60 seconds. It takes ten seconds at most.")
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, { permits: 60, seconds: 60 })
  )
  .prefix("/api/internal/proofs")
  .middleware(QueryAndBody)
  .middleware(DrainerAuthorization)
  .middleware(AddressRateLimit)
  .middleware(Availability)
  .annotateMerge(described("Drainer", "For the operator of the service."))
{}
