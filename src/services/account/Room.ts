import { Layer } from "effect"
import { AccessTokens } from "./AccessTokens.ts"
import { AppSignIn } from "./AppSignIn.ts"
import { Deletions } from "./Deletions.ts"
import { DeviceProofs } from "./DeviceProofs.ts"
import { DeviceSessions } from "./DeviceSessions.ts"
import { EmailChanges } from "./EmailChanges.ts"
import { GoogleSignIn } from "./GoogleSignIn.ts"
import { Identities } from "./Identities.ts"
import { IdentityAssertion } from "./IdentityAssertion.ts"
import { IdTokens } from "./IdTokens.ts"
import { Invitations } from "./Invitations.ts"
import { NoticeSettings } from "./NoticeSettings.ts"
import { PasskeyAnswers } from "./PasskeyAnswers.ts"
import { Passkeys } from "./Passkeys.ts"
import { Password } from "./Password.ts"
import { ProviderAuth } from "./ProviderAuth.ts"
import { ProviderPasswords } from "./ProviderPasswords.ts"
import { Providers } from "./Providers.ts"
import { Resumption } from "./Resumption.ts"
import { SignInChallenges } from "./SignInChallenges.ts"
import { Veterans } from "./Veterans.ts"
import { VeteranSession } from "./VeteranSession.ts"
import { Waitlist } from "./Waitlist.ts"

const Veteran = Layer.mergeAll(
  AppSignIn.layer,
  Deletions.layer,
  EmailChanges.layer,
  Identities.layer,
  NoticeSettings.layer,
  Passkeys.layer,
  VeteranSession.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(DeviceSessions.layer, Veterans.layer)),
  Layer.provideMerge(PasskeyAnswers.layer),
  Layer.provideMerge(
    Layer.mergeAll(DeviceProofs.layer, IdentityAssertion.layer, IdTokens.layer, SignInChallenges.layer)
  )
)

const Provider = Layer.mergeAll(
  GoogleSignIn.layer,
  Invitations.layer,
  ProviderAuth.layer,
  ProviderPasswords.layer,
  Providers.layer,
  Resumption.layer,
  Waitlist.layer
).pipe(Layer.provideMerge(Password.layer))

/** Veterans and providers, with their sign-ins and sessions. */
export const AccountLayer = Layer.mergeAll(Veteran, Provider).pipe(Layer.provideMerge(AccessTokens.layer))
