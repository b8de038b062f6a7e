import { Socket } from "node:net"

/**
 * This thread of a worker process sees the service end. The service never writes to standard input, so that only its end
 * closes that. The process's main thread may be deep in its work, and is not asked.
 */
new Socket({ fd: 0 }).on("error", () => {}).on("close", () => process.kill(process.pid, "SIGKILL")).resume()
