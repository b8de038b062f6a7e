const browsers: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\bEdgA?\//, "Edge"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"]
]

const systems: ReadonlyArray<readonly [pattern: RegExp, name: string]> = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "Mac"],
  [/\bCrOS\b/, "Chromebook"],
  [/\bLinux\b/, "Linux"]
]

/** "Chrome on Android": what a person can tell apart in the list of devices. It has no version and no model. */
export const deviceName = (userAgent: string) => {
  const named = (of: typeof browsers, otherwise: string) =>
    of.find(([pattern]) => pattern.test(userAgent))?.[1] ?? otherwise
  return `${named(browsers, "A browser")} on ${named(systems, "a device")}`
}
