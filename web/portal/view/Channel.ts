import { frameReady, type FromFrame, type ToFrame } from "./Messages.ts"

/**
 * Waits for the page around this frame to open the channel. Only that page's first answer counts, because other windows
 * may send messages too.
 */
export const awaitChannel = (open: (channel: Channel) => void) => {
  const hear = ({ origin, ports: [port], source }: MessageEvent) => {
    if (source !== parent || parent === window || origin !== location.origin || port === undefined) return
    removeEventListener("message", hear)
    open(new Channel(port))
  }
  addEventListener("message", hear)
  parent.postMessage(frameReady, location.origin)
}

/** The frame's end of the channel to the page around it. */
export class Channel {
  private readonly port: MessagePort
  constructor(port: MessagePort) {
    this.port = port
  }

  /** Returns a function that stops it. */
  hear(listen: (message: ToFrame) => void) {
    const listener = ({ data }: MessageEvent<ToFrame>) => listen(data)
    this.port.addEventListener("message", listener)
    this.port.start()
    return () => this.port.removeEventListener("message", listener)
  }

  /** Bytes move to the page. They are gone here. */
  tell(message: FromFrame) {
    this.port.postMessage(message, "bytes" in message && message.bytes !== undefined ? [message.bytes.buffer] : [])
  }
}
