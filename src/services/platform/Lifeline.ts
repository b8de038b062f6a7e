import { Socket } from "node:net"

/**
 * This thread ends its worker process when the service ends, even while the main thread is busy. The service never
 * writes to the process's standard input, so that input closes only when the service ends.
 */
new Socket({ fd: 0 }).on("error", () => {}).on("close", () => process.kill(process.pid, "SIGKILL")).resume()
