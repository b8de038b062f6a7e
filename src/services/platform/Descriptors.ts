import { readdirSync } from "node:fs"

/** File descriptors for the database, files, child processes, mail and Node, beside those of clients' connections. */
export const descriptorsBeside = 128

/** Returns how many descriptors the process may open, or undefined if the system has no limit. */
export const maxDescriptors = () => {
  // Otherwise the report makes a reverse DNS query for each connected peer.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | "unlimited" } }
  }
  const soft = userLimits?.open_files?.soft
  return typeof soft === "number" ? soft : undefined
}

/** Returns how many descriptors are open now, or undefined on other systems than Linux. */
export const openDescriptors = () => {
  try {
    return readdirSync("/proc/self/fd").length
  } catch {
    return undefined
  }
}
