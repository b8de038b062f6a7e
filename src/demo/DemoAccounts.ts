import { Data, Effect, Layer, Option } from "effect"
import { Providers } from "../services/account/provider/Providers.ts"
import { Identities } from "../services/account/veteran/Identities.ts"
import { Veterans } from "../services/account/veteran/Veterans.ts"
import { Settings } from "../services/platform/Settings.ts"
import { sandboxPeople } from "./SandboxPeople.ts"

export const demoVeteran = { vaPatientId: "demo-veteran", callSign: "Eagle One", email: "demo.veteran@demo.example" }

export const demoProvider = {
  email: "dr.gray@demo.example",
  password: "a password for the demo only",
  displayName: "Dr. Ada Gray",
  organization: "Demo Clinic"
}

export class DemoAccountExposed extends Data.TaggedError("DemoAccountExposed") {
  override readonly message =
    `the database has the demo provider, whose password is published, and others than this machine reach the service: use ` +
    `another database, or run "update providers set disabled_at = now() where email = '${demoProvider.email}'" as the owner`
}

/** Registers the sandbox's people with their accounts at the sandbox VA: the first walk needs no code. */
const pairSandboxPeople = Effect.gen(function*() {
  const { sandboxVaPort, va } = yield* Settings
  if (sandboxVaPort === undefined || va === undefined) return
  const identities = yield* Identities
  const veterans = yield* Veterans
  for (const { email, name: callSign, patientId: vaPatientId, subject } of sandboxPeople) {
    // Another process that started at the same time may have registered the person.
    yield* Effect.ignore(veterans.register({ vaPatientId, callSign, email }))
    const { id } = Option.getOrThrow(yield* veterans.findByVaPatientId(vaPatientId))
    yield* identities.pairByHand(id, va.issuer, subject)
  }
})

/**
 * In development, registers a demo veteran and a demo provider if only this machine can reach the service. If other
 * machines can reach it, the service does not start with a database that has the demo provider, because that provider's
 * password is public. The demo veteran does no harm, because a veteran's sign-in needs the exchange secret.
 */
export const DemoAccounts = Layer.effectDiscard(Effect.gen(function*() {
  const { environment, exposed } = yield* Settings
  const providers = yield* Providers
  if (exposed) {
    const { items } = yield* providers.findByEmail(demoProvider.email)
    return items.length > 0 ? yield* new DemoAccountExposed() : undefined
  }
  if (environment !== "development") return
  const veterans = yield* Veterans
  yield* pairSandboxPeople
  if (Option.isSome(yield* veterans.findByVaPatientId(demoVeteran.vaPatientId))) return
  // Ignores a refusal: another process that started at the same time may have registered the accounts.
  yield* Effect.ignore(veterans.register(demoVeteran))
  yield* Effect.ignore(providers.register(demoProvider))
}))
