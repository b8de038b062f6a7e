import { sharing, startApp } from "./App.ts"
import { appEnvironment } from "./Passkeys.ts"
import { openVaIssuer } from "./VaIssuer.ts"

const open = sharing(async (_, register) => {
  const va = await openVaIssuer(register)
  return { ...await startApp({ ...va.environment, ...appEnvironment }, register), va }
})

/** Opens a service that knows a VA and the veteran's app. The files of a worker share it, as they share `openApp`'s. */
export const openVaApp = () => open()
