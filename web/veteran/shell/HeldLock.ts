/**
 * A Web Lock that this window holds while something is so. All windows see it, and it ends with the window. Several
 * windows may hold it at the same time.
 */
export const makeHeldLock = (name: string) => {
  let release: (() => void) | undefined
  return (isSo: boolean) => {
    if (isSo === (release !== undefined)) return
    release?.()
    release = undefined
    if (!isSo) return
    const held = Promise.withResolvers<void>()
    release = held.resolve
    void navigator.locks.request(name, { mode: "shared" }, () => held.promise)
  }
}

/** True if a window of the app holds one of these locks. */
export const isHeld = async (...names: ReadonlyArray<string>) =>
  (await navigator.locks.query()).held?.some(({ name = "" }) => names.includes(name)) === true
