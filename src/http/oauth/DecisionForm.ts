import { Schema } from "effect"
import { appRequestLimits, daysInWords, usualDays } from "../../domain/AppRequest.ts"
import { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { isOffline, isSubset, narrowedTo, readTypes, type SmartScope } from "../../domain/SmartScope.ts"
import { type Kind, scopesOfTicked } from "../../services/oauth/ConsentKinds.ts"

export interface DecisionFields {
  readonly type?: ReadonlyArray<string> | undefined
  readonly category?: ReadonlyArray<string> | undefined
  readonly days?: ReadonlyArray<string> | undefined
}

interface Choice {
  readonly ticked: ReadonlyArray<string>
  readonly categories: ReadonlyArray<SensitiveCategory>
  readonly days: number
}

/** The choice that the page proposes: every kind of information asked for, but no specially protected category. */
export const firstChoice = (kinds: ReadonlyArray<Kind>): Choice => ({
  ticked: kinds.map(({ type }) => type),
  categories: [],
  days: usualDays
})

const isCategory = Schema.is(SensitiveCategory)

const isChoosable = (days: number) => appRequestLimits.days.some((choice) => choice === days)

/** Reads the choice. `problem` explains to the veteran why the choice is not accepted. */
export const choiceOf = (
  { category = [], days = [], type = [] }: DecisionFields,
  scopes: ReadonlyArray<SmartScope>,
  kinds: ReadonlyArray<Kind>
): { readonly choice: Choice; readonly scope: ReadonlyArray<SmartScope>; readonly problem: string | undefined } => {
  const ticked = [...new Set(type)]
  const requested = readTypes(scopes)
  const isRequested = (type: string) =>
    requested === null ? isSubset(narrowedTo(scopes, [type]), scopes) : requested.includes(type)
  const chosenDays = days.length === 1 && /^\d{1,3}$/.test(days[0]!) ? Number(days[0]) : undefined
  const choice = {
    ticked,
    categories: SensitiveCategory.literals.filter((known) => category.includes(known)),
    days: chosenDays !== undefined && isChoosable(chosenDays) ? chosenDays : usualDays
  }
  const problem = ticked.length === 0
    ? "Tick at least one kind of information, or choose Do not allow."
    : !ticked.every(isRequested) || !category.every(isCategory)
    ? "Choose among the boxes that are shown."
    : isOffline(scopes) && (chosenDays === undefined || !isChoosable(chosenDays))
    ? `Choose how long: ${daysInWords} days.`
    : undefined
  return { choice, scope: scopesOfTicked(scopes, kinds, ticked), problem }
}
