import { Layer } from "effect"
import { HeldLeaves } from "../services/ledger/HeldLeaves.ts"
import { ProofDrainer } from "../services/ledger/ProofDrainer.ts"
import { Witness } from "../services/ledger/Witness.ts"
import { MailOutbox } from "../services/mail/MailOutbox.ts"
import { Webhooks } from "../services/oauth/Webhooks.ts"
import { startJob } from "../services/platform/Jobs.ts"
import { DiskMetrics } from "./DiskMetrics.ts"
import { MailAtStart } from "./MailAtStart.ts"
import { ProcessMetrics } from "./ProcessMetrics.ts"
import { SandboxVa } from "./SandboxVa.ts"
import { Sweeps } from "./Sweeps.ts"

/** Adds new events to the Merkle tree as leaves (specification). */
const Drain = Layer.effectDiscard(ProofDrainer.use(({ run }) => startJob({ name: "proofs", every: "60 seconds", run })))

/** What a process of the service does beside its requests. No route needs it, so it begins once the service listens. */
export const Background = Layer.mergeAll(
  SandboxVa,
  MailAtStart,
  ProcessMetrics,
  DiskMetrics,
  Sweeps,
  MailOutbox,
  Witness,
  Webhooks,
  HeldLeaves,
  Drain
)
