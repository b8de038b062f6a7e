/**
 * The one policy that the content security policy allows: `app`. Only what stands here makes text into the address of a worker or into a frame's
 * content (Trusted Types, W3C). A browser without Trusted Types takes the strings as they are.
 */
interface Policy {
  readonly createScriptURL: (address: string) => string
  readonly createHTML: (content: string) => string
}

interface PolicyFactory {
  readonly createPolicy: (name: string, rules: Policy) => Policy
}

declare global {
  var trustedTypes: PolicyFactory | undefined
}

/** Workers are files of our own build and of nowhere else. */
const ownAsset = (address: string) => {
  const { origin, pathname } = new URL(address, location.href)
  if (origin !== location.origin || !/^\/(?:assets|record)\/[\w.-]+\.m?(?:js|ts)$/.test(pathname)) {
    throw new TypeError("No worker of the pages has this address.")
  }
  return address
}

const rules: Policy = { createScriptURL: ownAsset, createHTML: (content) => content }

const policy = globalThis.trustedTypes?.createPolicy("app", rules) ?? rules

/** Starts a module worker of the pages' own. `address` is what Vite says of it (`?worker&url`). */
export const startWorker = (address: string) =>
  new Worker(policy.createScriptURL(address), { type: "module" })

/** Content for a frame without scripts and without an origin; `Untrusted` alone may ask for it. */
export const frameContent = (content: string) => policy.createHTML(content)
