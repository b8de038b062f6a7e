import { Layer } from "effect"
import { GoogleSignIn } from "./provider/GoogleSignIn.ts"
import { Invitations } from "./provider/Invitations.ts"
import { Password } from "./provider/Password.ts"
import { ProviderAuth } from "./provider/ProviderAuth.ts"
import { ProviderPasswords } from "./provider/ProviderPasswords.ts"
import { Providers } from "./provider/Providers.ts"
import { Resumption } from "./provider/Resumption.ts"
import { AccessTokens } from "./session/AccessTokens.ts"
import { AppSignIn } from "./session/AppSignIn.ts"
import { DeviceProofs } from "./session/DeviceProofs.ts"
import { DeviceSessions } from "./session/DeviceSessions.ts"
import { IdentityAssertion } from "./session/IdentityAssertion.ts"
import { IdTokens } from "./session/IdTokens.ts"
import { PasskeyAnswers } from "./session/PasskeyAnswers.ts"
import { Passkeys } from "./session/Passkeys.ts"
import { SignInChallenges } from "./session/SignInChallenges.ts"
import { VeteranSession } from "./session/VeteranSession.ts"
import { Deletions } from "./veteran/Deletions.ts"
import { EmailChanges } from "./veteran/EmailChanges.ts"
import { Identities } from "./veteran/Identities.ts"
import { NoticeSettings } from "./veteran/NoticeSettings.ts"
import { Veterans } from "./veteran/Veterans.ts"
import { Waitlist } from "./veteran/Waitlist.ts"

const Veteran = Layer.mergeAll(
  AppSignIn.layer,
  Deletions.layer,
  EmailChanges.layer,
  Identities.layer,
  NoticeSettings.layer,
  Passkeys.layer,
  VeteranSession.layer,
  Waitlist.layer
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
  Resumption.layer
).pipe(Layer.provideMerge(Password.layer))

/** Veterans and providers, with their sign-ins and sessions. */
export const AccountLayer = Layer.mergeAll(Veteran, Provider).pipe(Layer.provideMerge(AccessTokens.layer))
