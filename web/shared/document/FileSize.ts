/** "1 byte", "340 bytes", "12 KB", "2.4 MB" or "126 MB". */
export const sizeWords = (bytes: number) =>
  bytes < 1_000
    ? `${bytes} byte${bytes === 1 ? "" : "s"}`
    : bytes < 999_500
    ? `${Math.round(bytes / 1_000)} KB`
    : `${(bytes / 1_000_000).toFixed(bytes < 9_950_000 ? 1 : 0)} MB`
