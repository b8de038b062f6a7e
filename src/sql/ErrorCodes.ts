/** Codes of a failure. Unlike its text, they never quote data. */
export interface ErrorCodes {
  /** PostgreSQL's code, of five letters and digits. */
  readonly sqlState?: string
  /** Code of the operating system or of Node, such as ECONNREFUSED. */
  readonly errno?: string
}

/** Searches nested errors, because drivers wrap errors. EPIPE looks like a SQLSTATE, but no SQLSTATE begins with E. */
export const codesOf = (error: unknown, depth = 0): ErrorCodes => {
  if (typeof error !== "object" || error === null || depth > 5) return {}
  const { cause, code, reason } = error as Partial<Record<"cause" | "code" | "reason", unknown>>
  if (typeof code !== "string") return codesOf(reason ?? cause, depth + 1)
  if (/^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code)) return { sqlState: code }
  return /^[A-Z][A-Z0-9_]+$/.test(code) ? { errno: code } : {}
}
