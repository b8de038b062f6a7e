import type { NoticeFacts } from "../../domain/Notices.ts"
import { serviceName } from "../../domain/ServiceName.ts"
import { dayIn, momentIn } from "../platform/Instants.ts"

const see = `Open ${serviceName} to see it.`

/** What a notice tells, in English. */
export const noticed = (facts: NoticeFacts): ReadonlyArray<string> => {
  switch (facts.about) {
    case "look":
      return [
        `Somebody with whom you share, or an app of yours, looked at your record on ${
          momentIn("en", new Date(facts.at))
        }. ${see}`
      ]
    case "ending":
      return [`One of your shares ends on ${dayIn("en", new Date(facts.at))}. ${see}`]
    case "stale":
      return [
        `You share your record, and it was last updated on ${dayIn("en", new Date(facts.at))}.`,
        `Open ${serviceName} and update it, so that others see what is new.`
      ]
    case "day":
      return [
        ...(facts.looks === 0
          ? []
          : [
            `Those with whom you share, or apps of yours, looked at your record ${
              facts.looks === 1 ? "once" : `${facts.looks} times`
            }. ${see}`
          ]),
        ...(facts.endings === 0 || facts.at === undefined ? [] : [
          facts.endings === 1
            ? `One of your shares ends on ${dayIn("en", new Date(facts.at))}. ${see}`
            : `${facts.endings} of your shares end soon, the first on ${
              dayIn("en", new Date(facts.at))
            }. Open ${serviceName} to see them.`
        ])
      ]
  }
}
