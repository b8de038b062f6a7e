const types: Readonly<Record<string, string>> = {
  "application/pdf": "PDF",
  "image/png": "Picture (PNG)",
  "image/jpeg": "Picture (JPEG)",
  "image/tiff": "Picture (TIFF)",
  "text/plain": "Text",
  "text/html": "Web page",
  "application/xml": "XML"
}

/** The kind of a file, in words. */
export const typeWords = (contentType: string) => Object.hasOwn(types, contentType) ? types[contentType]! : "File"

/** "1 byte", "340 bytes", "12 KB", "2.4 MB". */
export const sizeWords = (bytes: number) =>
  bytes < 1_000
    ? `${bytes} byte${bytes === 1 ? "" : "s"}`
    : bytes < 999_500
    ? `${Math.round(bytes / 1_000)} KB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
