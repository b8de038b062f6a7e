import { Socket } from "node:net"

/**
 * The thread of a worker process that sees the service end, however it does: the service never writes to standard input, so
 * that its end alone closes that. The process's main thread may be deep in its work, and is not asked.
 */
new Socket({ fd: 0 }).on("error", () => {}).on("close", () => process.kill(process.pid, "SIGKILL")).resume()
