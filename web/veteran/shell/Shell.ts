import { hasDrafts, onDrafts } from "../../shared/Drafts.ts"
import { registerServiceWorker } from "../../shared/TrustedTypes.ts"
import { putInviteBack } from "../connect/Invite.ts"
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
  /** Lets a new build begin, if nothing would be lost. Until then it waits. */
  const admit = async () => {
    if (registration.waiting !== null && await isFree()) registration.waiting?.postMessage("admit")
  }
  const admitSoon = () => void admit()
  const follow = (worker: ServiceWorker | null) =>
    worker?.addEventListener("statechange", () => {
      if (worker.state === "installed") admitSoon()
      if (worker.state === "activated") void renew()
    })
  follow(registration.installing)
  follow(registration.waiting)
  registration.addEventListener("updatefound", () => follow(registration.installing))
  addEventListener("hashchange", admitSoon)
  addEventListener("visibilitychange", admitSoon)
  admitSoon()
}

/** Loads the page again, unless it is of the build that has just begun: the files of all others are gone then. */
const renew = async () => {
  if (await caches.match(import.meta.url) === undefined && await isFree()) {
    putInviteBack()
    location.reload()
  }
}

/** Removes the app's files and its service worker from the device. */
export const forgetShell = async () => {
  const names = await caches.keys()
  await Promise.all(names.map((name) => caches.delete(name)))
  const registrations = await navigator.serviceWorker?.getRegistrations() ?? []
  await Promise.all(registrations.map((registration) => registration.unregister()))
}
