import type { Address, ContactPoint } from "fhir/r4.js"
import { each, joined, members, text } from "./Members.ts"

/** An Address in one line: its `text`, else its parts. A use other than `home` follows it. */
export const address = (json: unknown): string | null => {
  const { city, country, district, line, postalCode, state, text: written, use } = members<Address>(json)
  const place = text(json) ?? text(written) ??
    joined([each(line, text), text(city), text(district), joined([text(state), text(postalCode)], " "), text(country)])
  const remark = text(use)
  return place && remark && /^(billing|old|temp|work)$/.test(remark) ? `${place} (${remark})` : place
}

/** `phone 555-0100 (work)` */
export const contactPoint = (json: unknown): string | null => {
  const { system, use, value } = members<ContactPoint>(json)
  const purpose = text(use)
  return text(json) ?? (text(value) && joined([text(system), text(value), purpose && `(${purpose})`], " "))
}
