import { Effect, Option, Redacted } from "effect"
import { ProofsNotConfigured } from "../../domain/Proof.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as TreeRepository from "../../sql/ledger/TreeRepository.ts"
import { openCheckpoint } from "../ledger/Checkpoint.ts"
import { readSigningKey } from "../ledger/ProofSigner.ts"
import { rootAt } from "../ledger/Tree.ts"
import { Settings } from "../platform/Settings.ts"
import { check, errorIf, refusal, warningIf } from "./Finding.ts"

/** Longest normal time from a disclosure to its leaf in the tree, in seconds. The drainer runs every 60 seconds. */
const maxWait = 180

const ledger = Effect.gen(function*() {
  const { production, proofSigningKey } = yield* Settings
  const tree = TreeRepository.make(yield* SharedConnections)
  if (proofSigningKey === undefined) {
    return warningIf(
      production,
      new ProofsNotConfigured().message,
      "Disclosures are recorded, but no tree is made of them: nobody can prove that none was removed, and proofs answer 503.",
      "npm run -s proof-key records.example.org/disclosures makes a key; set it for every process, and publish its public key."
    )
  }
  const key = yield* readSigningKey("PROOF_SIGNING_KEY", Redacted.value(proofSigningKey))
  const { seconds, setAside } = yield* tree.waiting
  const last = Option.getOrUndefined(yield* tree.latestCheckpoint)
  const checkpoint = last === undefined ? undefined : openCheckpoint(last.note, key)
  const holds = checkpoint === undefined || (yield* rootAt(tree, checkpoint.size).pipe(
    Effect.map((root) => Buffer.compare(root, checkpoint.root) === 0),
    Effect.catchDefect(() => Effect.succeed(false))
  ))
  return [
    ...errorIf(
      !holds,
      "The tree of disclosures does not begin with what its last checkpoint was signed for.",
      "Rows of proof_tiles or proof_checkpoints were changed or lost, for example by an incomplete restore; nothing is drained.",
      "Restore both tables from one backup. If no backup is whole, change nothing and have the database examined: it is evidence."
    ),
    ...warningIf(
      last !== undefined && checkpoint === undefined,
      "The last checkpoint of the disclosures was signed with another key than PROOF_SIGNING_KEY.",
      "The next run signs the tree again with the new key; readers of an earlier checkpoint need the earlier public key.",
      "If the key was not meant to change, set the earlier one. Keep both public keys published."
    ),
    ...warningIf(
      seconds > maxWait,
      `The oldest disclosure that is no leaf of the tree yet has waited for ${Math.round(seconds)} seconds.`,
      "No process drains (each does every 60 seconds), or one is still draining a backlog.",
      "See whether the service runs, and its log for lines that begin with proofs:."
    ),
    ...errorIf(
      setAside > 0,
      `${setAside} disclosures are set aside, because no leaf can be made of them.`,
      "No proof holds them. Something has written rows that are not events of this service.",
      "As the owner: select veteran_id, id, kind, set_aside from proofs where set_aside is not null (docs/operator.md)."
    )
  ]
}).pipe(
  Effect.catchTag(
    "ProofSigningKeyUnusable",
    ({ message }) => Effect.succeed([refusal(message, "Set the key unchanged.")])
  )
)

export const ledgerCheck = check("account of disclosures", ["PROOF_SIGNING_KEY", "DATABASE_APP_URL"], ledger)
