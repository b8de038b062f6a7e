import { HttpApi } from "effect/http-api"
import { WaitlistApi } from "../../src/http/account/Api.ts"
import { AppSignInApi } from "../../src/http/account/AppSignInApi.ts"
import { DeviceSessionsApi } from "../../src/http/account/DeviceSessionApi.ts"
import { SchemaErrors } from "../../src/http/contract/RequestLimits.ts"
import { clientOf } from "./ClientOf.ts"

/** The part of the contract that a sign-in calls. The rest is loaded for somebody who is signed in (AppClient.ts). */
class SignInApi extends HttpApi.make("veteran")
  .add(AppSignInApi)
  .add(DeviceSessionsApi)
  .add(WaitlistApi)
  .middleware(SchemaErrors)
{}

/** The typed client of a sign-in. */
export const connectToSignIn = clientOf(SignInApi)
