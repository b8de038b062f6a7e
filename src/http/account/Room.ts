import { Layer } from "effect"
import { VeteranAccountHandlers } from "./AccountHandlers.ts"
import { AppSignInHandlers, VaConfiguredLive } from "./AppSignInHandlers.ts"
import { DeletionHandlers } from "./DeletionHandlers.ts"
import { DeviceSessionsHandlers } from "./DeviceSessionHandlers.ts"
import { GoogleConditionsLive } from "./GoogleConditionsLive.ts"
import { GoogleHandlers } from "./GoogleHandlers.ts"
import { ProviderHandlers, VeteranHandlers, WaitlistHandlers } from "./Handlers.ts"
import { InvitationsHandlers } from "./InvitationHandlers.ts"
import { PasskeysHandlers } from "./PasskeyHandlers.ts"
import { PasswordHandlers } from "./PasswordHandlers.ts"

export const AccountRoutes = Layer.mergeAll(
  VeteranHandlers,
  AppSignInHandlers.pipe(Layer.provide(VaConfiguredLive)),
  DeviceSessionsHandlers,
  PasskeysHandlers,
  DeletionHandlers,
  VeteranAccountHandlers,
  ProviderHandlers,
  PasswordHandlers,
  InvitationsHandlers,
  GoogleHandlers.pipe(Layer.provide(GoogleConditionsLive)),
  WaitlistHandlers
)
