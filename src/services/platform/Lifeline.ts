import { Socket } from "node:net"

/**
 * This thread of a worker process ends it when the service ends. The service never writes to standard input, so it
 * closes only when the service ends. The main thread may be busy with its work and is not needed for this.
 */
new Socket({ fd: 0 }).on("error", () => {}).on("close", () => process.kill(process.pid, "SIGKILL")).resume()
