import { hasDrafts, onDrafts } from "../../shared/Drafts.ts"
import { registerServiceWorker } from "../../shared/TrustedTypes.ts"
import { isHeld, makeHeldLock } from "./HeldLock.ts"

/** An update holds the first lock while it runs, and a window the second one while a form is open in it. */
const [update, form] = ["update", "vrss-form"]

/** True if nothing would be lost by a reload, in any window. */
const isFree = async () => !await isHeld(update, form)

/** The service worker opens the app's pages without a connection (sw.ts). It never sees the record. */
export const openShell = async () => {
  if (!("serviceWorker" in navigator)) return
  const holdForm = makeHeldLock(form)
  onDrafts(() => holdForm(hasDrafts()))
  const registration = await registerServiceWorker("/sw.js")
  // A new build waits for a moment at which nothing is lost.
  const admit = async () => {
    if (registration.waiting !== null && await isFree()) registration.waiting?.postMessage("admit")
  }
  const admitSoon = () => void admit()
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", admitSoon)
  })
  addEventListener("hashchange", admitSoon)
  addEventListener("visibilitychange", admitSoon)
  navigator.serviceWorker.addEventListener("controllerchange", () => void renew())
  admitSoon()
}

/** Loads the page again, unless it is of the build whose files the new service worker has. */
const renew = async () => {
  const worker = navigator.serviceWorker.controller
  // Once it is activated, it has removed the files of older builds.
  if (worker !== null && worker.state !== "activated") {
    await new Promise((changed) => worker.addEventListener("statechange", changed, { once: true }))
  }
  if (await caches.match(import.meta.url) === undefined && await isFree()) location.reload()
}

/** Removes the app's files and its service worker from the device. */
export const forgetShell = async () => {
  const names = await caches.keys()
  await Promise.all(names.map((name) => caches.delete(name)))
  const registrations = await navigator.serviceWorker?.getRegistrations() ?? []
  await Promise.all(registrations.map((registration) => registration.unregister()))
}
