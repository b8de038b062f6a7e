import { spokenNow } from "../../shared/language/Language.ts"

/** "126 MB", "4.2 MB" or "38 kB", in the language of the app. */
export const sizeWords = (bytes: number) => {
  const [count, unit] = bytes < 1_000_000
    ? [bytes / 1_000, "kilobyte"] as const
    : [bytes / 1_000_000, "megabyte"] as const
  return new Intl.NumberFormat(spokenNow().tag, {
    style: "unit",
    unit,
    maximumFractionDigits: unit === "megabyte" && count < 10 ? 1 : 0
  }).format(count)
}
