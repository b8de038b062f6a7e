/** Keeps the screen on while an update runs. A browser lets go of the lock when the page is hidden. */
export class ScreenLock {
  private lock: WakeLockSentinel | undefined
  private isWanted = false
  private readonly told: (isOn: boolean) => void

  /** `told` hears whether the browser keeps the screen on. */
  constructor(told: (isOn: boolean) => void) {
    this.told = told
  }

  async ask() {
    this.isWanted = true
    try {
      const lock = await navigator.wakeLock.request("screen")
      if (!this.isWanted) return void lock.release()
      this.lock = lock
      this.told(true)
    } catch {
      // The browser has no such lock, or refuses it, for example to save the battery.
      this.told(false)
    }
  }

  release() {
    this.isWanted = false
    void this.lock?.release()
    this.lock = undefined
  }
}
