import { Context, Effect, Exit, Layer, Scope } from "effect"
import { hash } from "node:crypto"
import { FhirServer } from "../../../../src/client/FhirServer.ts"
import { atEnd, openApp } from "../../../support/App.ts"
import { registerVeterans, signIn } from "../../../support/Client.ts"
import { openBrowser, openTab } from "../../Browser.ts"
import { openGate } from "./Gate.ts"
import { never } from "./Ground.ts"
import { openThread, openWorkerPages } from "./WorkerPage.ts"

/** Starts a FHIR server that pages of any origin may search. */
export const openVa = async (folder: string) => {
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(Layer.buildWithScope(FhirServer.layer({ folder, cors: true }), scope))
  atEnd(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Context.get(context, FhirServer)
}

/** Opens the service for an origin whose pages have the thread of an update. */
export const openThreads = async () => {
  const origin = await openWorkerPages()
  const { database, service } = await openApp({ VETERAN_APP_ORIGINS: origin })
  const owner = await database.connect("owner")

  /** Opens a tab with the thread, for a new veteran and what the thread needs to read the patient. */
  const open = async (patientId: string, fhirBase: string) => {
    const veteran = await signIn(service, (await registerVeterans(owner, 1))[0]!)
    const gate = await openGate(service)
    const { context, expect, page } = await openTab(await openBrowser())
    const source = {
      api: gate.url,
      access: { authorization: veteran.headers.authorization, expiresAt: never },
      fhirBase,
      patientId,
      vaToken: "va-token",
      vaExpiresAt: never
    }
    return { veteran, gate, source, page, context, expect, thread: await openThread(page, origin) }
  }

  return { service, open }
}

/** The digest of texts in any order. A failure prints it instead of a record. */
export const digest = (texts: ReadonlyArray<string>) => hash("sha256", texts.toSorted().join("\n"))
