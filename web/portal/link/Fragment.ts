const decoded = (text: string) => atob(text.replace(/-/g, "+").replace(/_/g, "/"))

const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

/** The key of a SMART Health Link also makes the page's token. The key itself never leaves the page. */
const derived = async (payload: string) => {
  const { flag, key } = JSON.parse(decoded(payload))
  // A link without the flag of a passcode is not ours.
  if (flag !== "P" || !/^[\w-]{43}$/.test(key)) return undefined
  const hash = { name: "HMAC", hash: "SHA-256" }
  const secret = await crypto.subtle.importKey("raw", bytesOf(decoded(key)), hash, false, ["sign"])
  const mac = await crypto.subtle.sign("HMAC", secret, bytesOf("vrss secure link token"))
  return btoa(String.fromCharCode(...new Uint8Array(mac))).replaceAll("+", "-").replaceAll("/", "_").slice(0, 43)
}

export const isForApps = (fragment: string) => fragment.startsWith("#shlink:")

/**
 * The token of the link in an address. Behind the `#` is the token itself, or a SMART Health Link with a short payload.
 *
 * @returns undefined if there is none, or only a part of one
 */
export const tokenOf = async (fragment: string) => {
  // Mail programs may treat a full stop or bracket after an address as part of it.
  const [, payload, token] = /^#(?:shlink:\/([\w-]{1,999})|((?:[\w-]{2})?[\w-]{43}))(?![\w-])/.exec(fragment) ?? []
  return payload === undefined ? token : derived(payload).catch(() => undefined)
}
