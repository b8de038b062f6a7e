import { Effect, Option, Redacted } from "effect"
import { SharedConnections } from "../../sql/Connections.ts"
import * as TreeRepository from "../../sql/ledger/TreeRepository.ts"
import { openCheckpoint } from "../ledger/Checkpoint.ts"
import { parsePrivateKey } from "../ledger/SignedNote.ts"
import { rootAt } from "../ledger/Tree.ts"
import { Settings } from "../platform/Settings.ts"
import { check, error, warning, where } from "./Finding.ts"

/** Three runs of the drainer. */
const patience = 180

const ledger = Effect.gen(function*() {
  const { production, proofSigningKey } = yield* Settings
  const tree = TreeRepository.make(yield* SharedConnections)
  if (proofSigningKey === undefined) {
    return where([
      production,
      warning(
        "PROOF_SIGNING_KEY is unset.",
        "Disclosures are recorded, but no tree is made of them: nobody can prove that none was removed, and proofs answer 503.",
        "npm run -s proof-key records.example.org/disclosures makes one; set it for every process, and publish its public key."
      )
    ])
  }
  const key = parsePrivateKey(Redacted.value(proofSigningKey).trim())
  if (key === undefined) {
    return [
      error(
        "PROOF_SIGNING_KEY is no key.",
        "The service does not start.",
        "Set what npm run proof-key printed, unchanged: PRIVATE+KEY+name+id+base64."
      )
    ]
  }
  const { seconds, setAside } = yield* tree.waiting
  const last = Option.getOrUndefined(yield* tree.latestCheckpoint)
  const checkpoint = last === undefined ? undefined : openCheckpoint(last.note, key)
  const holds = checkpoint === undefined || (yield* rootAt(tree, checkpoint.size).pipe(
    Effect.map((root) => Buffer.compare(root, checkpoint.root) === 0),
    Effect.catchDefect(() => Effect.succeed(false))
  ))
  return where(
    [
      !holds,
      error(
        "The tree of disclosures does not begin with what its last checkpoint was signed for.",
        "Rows of proof_tiles or proof_checkpoints were changed or lost, as by a restore that was not whole; nothing is drained.",
        "Restore both tables from one backup; where none is whole, keep everything as it is and have it looked at: it is evidence."
      )
    ],
    [
      last !== undefined && checkpoint === undefined,
      warning(
        "The last checkpoint of the disclosures was signed with another key than PROOF_SIGNING_KEY.",
        "The next run signs the tree again with the new key; whoever kept an earlier checkpoint needs the earlier public key.",
        "If the key was not meant to change, set the earlier one. Keep both public keys published."
      )
    ],
    [
      seconds > patience,
      warning(
        `The oldest disclosure that is no leaf of the tree yet has waited for ${Math.round(seconds)} seconds.`,
        "No process drains (each does every 60 seconds), or one drains what piled up.",
        "See whether the service runs, and its log for lines that begin with proofs:."
      )
    ],
    [
      setAside > 0,
      error(
        `${setAside} disclosures are set aside, because no leaf can be made of them.`,
        "They are in nobody's proof; something has written rows that are no events of this service.",
        "As the owner: select veteran_id, id, kind, set_aside from proofs where set_aside is not null (docs/operator.md)."
      )
    ]
  )
})

export const ledgerCheck = check("account of disclosures", ["PROOF_SIGNING_KEY", "DATABASE_APP_URL"], ledger)
