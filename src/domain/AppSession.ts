import type { ClientId, GrantId, VeteranId } from "./Id.ts"
import type { SmartScope } from "./SmartScope.ts"

/** An app that may read a veteran's record now. */
export interface AppSession {
  readonly grantId: GrantId
  readonly veteranId: VeteranId
  readonly clientId: ClientId
  /** Those of the token, which are no more than the grant's. */
  readonly scopes: ReadonlyArray<SmartScope>
  readonly sensitiveCategories: ReadonlyArray<string>
}
