import type { ClientId, GrantId, VeteranId } from "./Id.ts"
import type { SmartScope } from "./SmartScope.ts"

export interface AppSession {
  readonly grantId: GrantId
  readonly veteranId: VeteranId
  readonly clientId: ClientId
  /** The token's scopes. The grant has all of them, and may have more. */
  readonly scopes: ReadonlyArray<SmartScope>
  readonly sensitiveCategories: ReadonlyArray<string>
}
