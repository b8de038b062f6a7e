import { Schema } from "effect"
import { appRequestLimits, usualDays } from "../../domain/AppRequest.ts"
import { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { isOffline, isSubset, narrowedTo, readTypes, type SmartScope } from "../../domain/SmartScope.ts"
import { type Kind, scopesOfTicked } from "../../services/oauth/ConsentKinds.ts"

/** What the consent page's form sends. */
interface Sent {
  readonly type?: ReadonlyArray<string> | undefined
  readonly category?: ReadonlyArray<string> | undefined
  readonly days?: ReadonlyArray<string> | undefined
}

interface Choice {
  readonly ticked: ReadonlyArray<string>
  readonly categories: ReadonlyArray<SensitiveCategory>
  readonly days: number
}

/** What is shown at first: all that was asked for is ticked, and no category. */
export const firstChoice = (kinds: ReadonlyArray<Kind>): Choice => ({
  ticked: kinds.map(({ type }) => type),
  categories: [],
  days: usualDays
})

const isCategory = Schema.is(SensitiveCategory)

const isChoosable = (days: number) => appRequestLimits.days.some((choice) => choice === days)

/** What was chosen, with the words for what cannot be; no page of ours sends more than it shows. */
export const choiceOf = (
  { category = [], days = [], type = [] }: Sent,
  scopes: ReadonlyArray<SmartScope>,
  kinds: ReadonlyArray<Kind>
): { readonly choice: Choice; readonly scope: ReadonlyArray<SmartScope>; readonly problem: string | undefined } => {
  const ticked = [...new Set(type)]
  const asked = readTypes(scopes)
  const chosenDays = days.length === 1 && /^\d{1,3}$/.test(days[0]!) ? Number(days[0]) : undefined
  const choice = {
    ticked,
    categories: SensitiveCategory.literals.filter((one) => category.includes(one)),
    days: chosenDays !== undefined && isChoosable(chosenDays) ? chosenDays : usualDays
  }
  const problem = ticked.length === 0
    ? "Tick at least one kind of information, or choose Do not allow."
    : !ticked.every((one) => asked === null ? isSubset(narrowedTo(scopes, [one]), scopes) : asked.includes(one)) ||
        !category.every(isCategory)
    ? "Choose among the boxes that are shown."
    : isOffline(scopes) && (chosenDays === undefined || !isChoosable(chosenDays))
    ? "Choose how long: 30, 90, 180 or 365 days."
    : undefined
  return { choice, scope: scopesOfTicked(scopes, kinds, ticked), problem }
}
