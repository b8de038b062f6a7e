import { Schema } from "effect"
import { appRequestLimits, usualDays } from "../../domain/AppRequest.ts"
import { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { isOffline, isSubset, narrowedTo, readTypes, type SmartScope } from "../../domain/SmartScope.ts"
import { type KindGroup, scopesOfTicked } from "../../services/oauth/ConsentKinds.ts"
import type { Choice } from "./PageProblem.ts"

export interface DecisionFields {
  readonly type?: ReadonlyArray<string> | undefined
  readonly category?: ReadonlyArray<string> | undefined
  readonly days?: ReadonlyArray<string> | undefined
}

type Mistake = "nothing" | "boxes" | "days"

/** A box stands for all kinds of its group, so its value names them all, divided by dots, which no form changes. */
export const valueOf = ({ kinds }: KindGroup): string => kinds.map(({ type }) => type).join(".")

/** The choice that the page shows first: everything that the app asks for is ticked, and no category. */
export const firstChoice = (groups: ReadonlyArray<KindGroup>): Choice => ({
  ticked: groups.map(({ name }) => name),
  categories: [],
  days: usualDays
})

const isCategory = Schema.is(SensitiveCategory)

const isChoosable = (days: number) => appRequestLimits.days.some((choice) => choice === days)

/** Reads the choice. `problem` tells why the choice is not accepted. */
export const choiceOf = (
  { category = [], days = [], type = [] }: DecisionFields,
  scopes: ReadonlyArray<SmartScope>,
  groups: ReadonlyArray<KindGroup>
): { readonly choice: Choice; readonly scope: ReadonlyArray<SmartScope>; readonly problem: Mistake | undefined } => {
  const ticked = [...new Set(type.flatMap((value) => value.split(".")))]
  const requested = readTypes(scopes)
  const isRequested = (type: string) =>
    requested === null ? isSubset(narrowedTo(scopes, [type]), scopes) : requested.includes(type)
  const chosenDays = days.length === 1 && /^\d{1,3}$/.test(days[0]!) ? Number(days[0]) : undefined
  const choice = {
    ticked: groups.filter(({ kinds }) => kinds.every(({ type }) => ticked.includes(type))).map(({ name }) => name),
    categories: SensitiveCategory.literals.filter((known) => category.includes(known)),
    days: chosenDays !== undefined && isChoosable(chosenDays) ? chosenDays : usualDays
  }
  const problem = ticked.length === 0
    ? "nothing"
    : !ticked.every(isRequested) || !category.every(isCategory)
    ? "boxes"
    : isOffline(scopes) && (chosenDays === undefined || !isChoosable(chosenDays))
    ? "days"
    : undefined
  return { choice, scope: scopesOfTicked(scopes, groups, ticked), problem }
}
