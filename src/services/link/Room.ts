import { Layer } from "effect"
import { EncryptedBundles } from "./EncryptedBundles.ts"
import { LinkView } from "./LinkView.ts"
import { Otp } from "./Otp.ts"
import { RunningTransfers } from "./RunningTransfers.ts"
import { SecureLinks } from "./SecureLinks.ts"
import { SmartHealthLinks } from "./SmartHealthLinks.ts"

export const LinkLayer = SmartHealthLinks.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(LinkView.layer, Otp.layer)),
  Layer.provideMerge(Layer.mergeAll(RunningTransfers.layer, SecureLinks.layer)),
  Layer.provideMerge(EncryptedBundles.layer)
)
