import { frameStyle } from "../../src/pages/FrameStyle.ts"
import { isAdmitted } from "./AdmittedScripts.ts"

const head = `<!doctype html><html lang="en-US"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer"><title>From outside</title><style>${frameStyle}</style></head><body>`

/** The part of Trusted Types (2.2) used here, which TypeScript's DOM types lack. */
interface TrustedTypes {
  readonly trustedTypes?: {
    readonly createPolicy: (name: string, rules: Rules) => { readonly [rule in keyof Rules]: (text: string) => unknown }
  }
}

interface Rules {
  readonly createScriptURL: (address: string) => string
  readonly createHTML: (document: string) => string
}

/** True in a sandboxed frame, whose origin is opaque. */
export const isSandboxed = origin === "null"

const scripts = new Map<string, string>()

/** A sandboxed frame brings the scripts of its workers, because no address has its origin. */
export const bringWorker = (address: string, script: string) => void scripts.set(address, script)

/** A worker must be of its page's origin. In a sandboxed frame only a blob is. */
const ofOwnOrigin = (address: string) => {
  const script = scripts.get(address)
  return script === undefined ? address : URL.createObjectURL(new Blob([script], { type: "text/javascript" }))
}

/**
 * The page's only Trusted Types policy. The content security policy allows its name once, so no other script can make
 * one. This file does not export the policy. Browsers without Trusted Types accept plain strings.
 */
const policy = (globalThis as TrustedTypes).trustedTypes?.createPolicy("app", {
  createScriptURL: (address) => {
    if (!isAdmitted(address)) throw new TypeError("This is no worker of ours.")
    return ofOwnOrigin(address)
  },
  createHTML: (document) => {
    if (!document.startsWith(head)) throw new TypeError("This is no document of a sandboxed frame.")
    return document
  }
})

/** Starts one of our workers. Chromium starts no module from a blob of an opaque origin. */
export const openWorker = (address: string) =>
  new Worker((policy?.createScriptURL(address) ?? ofOwnOrigin(address)) as string, {
    type: isSandboxed ? "classic" : "module"
  })

/** Workers that were started before they are needed, by their address. */
const spares = new Map<string, Worker>()

/** Starts the next worker of this address before it is needed. */
export const prepareWorker = (address: string) => {
  if (spares.has(address)) return
  const worker = openWorker(address)
  // A worker that failed to start is discarded, so that the next attempt starts a new one.
  worker.addEventListener("error", () => spares.get(address) === worker ? spares.delete(address) : undefined)
  spares.set(address, worker)
}

/** Takes the worker that was prepared, or else starts one. */
export const takeWorker = (address: string) => {
  const worker = spares.get(address) ?? openWorker(address)
  spares.delete(address)
  return worker
}

/** Registers the site's service worker. The browser asks for its script anew each time, never its cache. */
export const registerServiceWorker = (address: string) =>
  navigator.serviceWorker.register((policy?.createScriptURL(address) ?? address) as string, { updateViaCache: "none" })

/**
 * The document of a sandboxed frame, only for `srcDoc` (Untrusted.tsx). Its head sets a content security policy that
 * forbids everything but styles, before `body` begins.
 */
export const frameDocument = (body: string) => {
  const document = head + body
  return (policy?.createHTML(document) ?? document) as string
}
