/** The version of the text that a signer accepts. It is printed and stored. Change it when you change the text. */
export const statementsVersion = "roi-statements/2026-11"

/**
 * Section F: statements that the law requires (45 CFR 164.508(c)(2)(i)–(iii), (c)(4); 38 CFR 1.475). The project chose
 * their words, so a lawyer must confirm them before real use.
 */
export const statements: ReadonlyArray<string> = [
  "You may revoke this release at any time: in the app, on the Consent tab, or in writing to the party named in section B. " +
  "Revoking takes effect at once: from then on nothing more is released under it.",
  "Revoking cannot undo what was released, or done in reliance on this release, before it was revoked.",
  "Signing is your choice. Your treatment, payment, enrollment and eligibility for benefits do not depend on it.",
  "Once released, the information may be passed on by whoever receives it, and may then no longer be protected by federal privacy rules.",
  "You receive a copy of this signed release and can read it in the app at any time."
]

/** Every release of substance use disorder information carries this notice, in the words of 42 CFR 2.32(a)(2). */
export const substanceUseNotice = "42 CFR part 2 prohibits unauthorized use or disclosure of these records."

/** Names of the categories of 38 U.S.C. 7332 in section G. */
export const categoryNames = {
  drug_abuse: "Drug abuse",
  alcohol_abuse: "Alcoholism or alcohol abuse",
  hiv: "Infection with the human immunodeficiency virus (HIV)",
  sickle_cell: "Sickle cell anemia"
} as const

export const purposeNames = {
  treatment: "Treatment",
  benefits: "Benefits",
  legal: "Legal",
  employment: "Employment",
  insurance: "Insurance",
  personal: "Personal use",
  individual_request: "At the request of the individual",
  other: "Other"
} as const
