// oxlint-disable-next-line import/default -- Vite answers the address of the built file
import recordWorker from "../portal/record/RecordWorker.ts?worker&url"

/** The scripts that may run as workers (web/headers.ts refuses all others). Each worker of ours has its line here. */
const workers: ReadonlyArray<string> = [recordWorker]

/** As far as it is used here (Trusted Types, 2.2); TypeScript's types of the platform do not name it. */
interface TrustedTypes {
  readonly trustedTypes?: {
    readonly createPolicy: (name: string, rules: Rules) => { readonly [rule in keyof Rules]: (text: string) => unknown }
  }
}

interface Rules {
  readonly createScriptURL: (address: string) => string
}

const policy = (globalThis as TrustedTypes).trustedTypes?.createPolicy("app", {
  createScriptURL: (address) => {
    if (!workers.includes(address)) throw new TypeError("This is no worker of ours.")
    return address
  }
})

/** Starts a worker of ours. */
export const openWorker = (address: string) =>
  new Worker((policy?.createScriptURL(address) ?? address) as string, { type: "module" })
