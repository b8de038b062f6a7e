import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"

/** Lets a server listen on loopback. Returns its address, and how to close it at once. */
export const listening = async (server: Server) => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
