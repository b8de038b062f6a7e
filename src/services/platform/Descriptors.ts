import { readdirSync } from "node:fs"

/** What a process opens beside its clients' connections: the database's, files under way, child processes, mail, what Node keeps. */
export const descriptorsBeside = 128

/** So many files and connections the process may have open, or undefined where the system has no bound. */
export const maxDescriptors = () => {
  // Otherwise it looks up the name of each peer.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | "unlimited" } }
  }
  const soft = userLimits?.open_files?.soft
  return typeof soft === "number" ? soft : undefined
}

/** So many it has open now; undefined elsewhere than on Linux. */
export const openDescriptors = () => {
  try {
    return readdirSync("/proc/self/fd").length
  } catch {
    return undefined
  }
}
