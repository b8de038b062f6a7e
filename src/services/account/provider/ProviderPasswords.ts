import { Context, Effect, Layer, Option } from "effect"
import { Conflict, type InvalidRequest, NotFound, type ServiceUnavailable } from "../../../domain/Errors.ts"
import type { ProviderId } from "../../../domain/Id.ts"
import { InvalidCredentials, type ProviderSession } from "../../../domain/Provider.ts"
import {
  type PasswordChange,
  PasswordLinkExpired,
  passwordsChanged,
  type PasswordSetting
} from "../../../domain/ProviderPassword.ts"
import type { RateLimited } from "../../../domain/RateLimit.ts"
import * as ProviderPasswordRepository from "../../../sql/account/ProviderPasswordRepository.ts"
import { atEdge, OwnConnections } from "../../../sql/Connections.ts"
import { newId } from "../../platform/Ids.ts"
import { noteAct } from "../../platform/NotedActs.ts"
import { RateLimits } from "../../platform/RateLimits.ts"
import { loginTries } from "./LoginTries.ts"
import { Password } from "./Password.ts"
import { passwordLinks } from "./PasswordLinks.ts"
import { checkPassword } from "./PasswordRules.ts"
import { isAscii } from "./ProviderAuth.ts"

/** How providers choose their passwords (contract, part 10). Each step is one function of `migrations/036`. */
export class ProviderPasswords extends Context.Service<ProviderPasswords, {
  /** Mails a link to the provider with this address, if there is one who is enabled. */
  readonly forgot: (email: string) => Effect.Effect<void>
  /** Ends all of the provider's sessions. A password that is refused does not spend the token. */
  readonly set: (
    request: typeof PasswordSetting.Type
  ) => Effect.Effect<void, InvalidRequest | PasswordLinkExpired | ServiceUnavailable>
  /** Ends the provider's other sessions. `network` contains the client's address. */
  readonly change: (
    session: ProviderSession,
    request: typeof PasswordChange.Type,
    network: string
  ) => Effect.Effect<void, InvalidCredentials | InvalidRequest | RateLimited | ServiceUnavailable>
  /** The operator has a link mailed. */
  readonly mailLink: (providerId: ProviderId) => Effect.Effect<void, Conflict | NotFound>
}>()("vrss/services/account/provider/ProviderPasswords") {
  static readonly layer = Layer.effect(
    ProviderPasswords,
    Effect.gen(function*() {
      const limits = yield* RateLimits
      const links = yield* passwordLinks
      const password = yield* Password
      const tries = yield* loginTries
      const sql = yield* OwnConnections
      const passwords = ProviderPasswordRepository.make(sql)

      const forgot = Effect.fn("ProviderPasswords.forgot")(function*(email: string) {
        const id = newId()
        yield* passwords.forget({
          id,
          tokenHash: links.tokenHash(links.token(id)),
          email: isAscii(email) ? email : "",
          addressKey: limits.keyOf("POST /api/provider/password/forgot e-mail", email.toLowerCase())
        })
      })

      const set = Effect.fn("ProviderPasswords.set")(
        function*({ password: chosen, token }: typeof PasswordSetting.Type) {
          const tokenHash = links.tokenHash(token)
          // Hashing a password costs much, so nobody gets there without a token that is good.
          const addressee = yield* passwords.addressOf(tokenHash)
          if (Option.isNone(addressee)) return yield* new PasswordLinkExpired()
          yield* checkPassword(chosen, { email: addressee.value.email, member: "password" })
          const { kept } = yield* passwords.set(tokenHash, yield* password.hash(chosen))
          if (!kept) return yield* new PasswordLinkExpired()
        }
      )

      const change: ProviderPasswords["Service"]["change"] = Effect.fn("ProviderPasswords.change")(
        function*({ provider, sessionId }, { newPassword, password: present }, network) {
          const { email, id } = provider
          yield* checkPassword(newPassword, { email, member: "newPassword" })
          const { asker } = yield* tries.spend(email, network)
          const stored = Option.getOrUndefined(yield* passwords.hashOf(id))?.passwordHash
          const right = yield* password.verify(present, stored, asker)
          if (!right || stored === undefined) return yield* new InvalidCredentials(wrongPassword)
          const newHash = yield* password.hash(newPassword)
          const { kept } = yield* passwords.change({ providerId: id, sessionId, checkedHash: stored, newHash }).pipe(
            Effect.tap(({ kept }) => kept ? limits.count(sql, "passwords changed", id, passwordsChanged) : Effect.void),
            sql.withTransaction,
            atEdge
          )
          if (!kept) return yield* new InvalidCredentials(wrongPassword)
        }
      )

      const mailLink = Effect.fn("ProviderPasswords.mailLink")(function*(providerId: ProviderId) {
        const id = newId()
        const tokenHash = links.tokenHash(links.token(id))
        const { status } = yield* atEdge(sql.withTransaction(Effect.gen(function*() {
          const mailed = yield* passwords.mailLink({ id, providerId, tokenHash, why: "operator" })
          if (mailed.status === "mailed") {
            yield* noteAct(sql, "password_link_sent", providerId)
          }
          return mailed
        })))
        if (status === "unknown") return yield* new NotFound()
        if (status === "disabled") {
          return yield* new Conflict({ message: "This provider is disabled: enable the provider first." })
        }
      })

      return ProviderPasswords.of({ forgot, set, change, mailLink })
    })
  )
}

const wrongPassword = { message: "The present password is wrong." }
