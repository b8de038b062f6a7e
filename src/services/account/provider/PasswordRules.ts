import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { InvalidRequest } from "../../../domain/Errors.ts"

/** The 10,000 commonest passwords that are long enough (common-passwords.LICENSE.txt). */
const common = `\n${readFileSync(new URL("./common-passwords.txt", import.meta.url), "utf8")}`

/** Characters that a keyboard may write in two ways are the same (Unicode, UAX #15), and so are large letters. */
const folded = (text: string) => text.normalize("NFKC").toLowerCase()

/**
 * Refuses a password that others would guess first (OWASP ASVS 5.0, 6.2.4 and 6.2.11; NIST SP 800-63B-4, 3.1.1.2). That
 * is one of the commonest, or the provider's e-mail address or its part before the @. Its length is checked before
 * (`NewPassword`). `member` names it in the request.
 */
export const checkPassword = (
  password: string,
  { email, member }: { readonly email: string; readonly member: string }
): Effect.Effect<void, InvalidRequest> => {
  const chosen = folded(password)
  const address = folded(email)
  if (chosen === address || chosen === address.slice(0, address.lastIndexOf("@"))) {
    return Effect.fail(
      InvalidRequest.at([member], "Expected a password that is not the e-mail address: choose another one")
    )
  }
  return !chosen.includes("\n") && common.includes(`\n${chosen}\n`)
    ? Effect.fail(
      InvalidRequest.at([member], "Expected a password that is not one of the 10,000 commonest: choose another one")
    )
    : Effect.void
}
