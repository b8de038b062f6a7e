import type { SensitiveCategory } from "../../../../src/domain/SensitiveCategory.ts"
import type { Sharing, SharingKind, Stopped } from "../../../../src/domain/Sharing.ts"

/** A step of a link, in the order in which they come. */
export type LinkStep = "mailed" | "opened" | "codeSent" | "read"

/** Names of protected parts, as one of them stands in a sentence. */
const protectedNames: Readonly<Record<SensitiveCategory, string>> = {
  drug_abuse: "drug use",
  alcohol_abuse: "alcohol use",
  hiv: "HIV",
  sickle_cell: "sickle cell"
}

const places: Readonly<Record<SharingKind, string>> = {
  provider: "in our portal",
  app: "an app you let in",
  link: "a signed release",
  release: "a signed release"
}

/** The words of the button that stops a sharing of this kind. */
const stop: Readonly<Record<SharingKind, string>> = {
  provider: "Stop sharing",
  app: "Stop sharing",
  link: "Turn off link",
  release: "End release"
}

const keep: Readonly<Record<SharingKind, string>> = {
  provider: "Keep sharing",
  app: "Keep sharing",
  link: "Keep link",
  release: "Keep release"
}

const question: Readonly<Record<SharingKind, (name: string) => string>> = {
  provider: (name) => `Stop sharing with ${name}?`,
  app: (name) => `Stop sharing with ${name}?`,
  link: (name) => `Turn off the link for ${name}?`,
  release: (name) => `End the release for ${name}?`
}

const stopped: Readonly<Record<SharingKind, (name: string) => string>> = {
  provider: (name) => `${name} can no longer see your record.`,
  app: (name) => `${name} can no longer see your record.`,
  link: (name) => `The link for ${name} no longer works.`,
  release: (name) => `The release for ${name} has ended. Its links no longer work.`
}

const steps: Readonly<Record<LinkStep, string>> = {
  mailed: "Mailed",
  opened: "Opened",
  codeSent: "Code sent",
  read: "Read"
}

/** What is said once when a link comes to a step. */
const reached: Readonly<Record<LinkStep, (name: string, time: string) => string>> = {
  mailed: (name, time) => `The link for ${name} was mailed: ${time}.`,
  opened: (name, time) => `The link for ${name} was opened: ${time}.`,
  codeSent: (name, time) => `A code was sent for the link for ${name}: ${time}.`,
  read: (name, time) => `${name} was shown your release: ${time}.`
}

const ended: Readonly<Record<NonNullable<Sharing["ended"]>, string>> = {
  revoked: "Stopped",
  superseded: "Changed for a newer one",
  wrong_codes: "Turned off after wrong codes",
  disabled: "Turned off by Veteran Records",
  expired: "Ended"
}

/** The words of the sharing list, in English, which is the source. */
export const english = {
  title: "Who has my record now",
  nobody: "Nobody can see your record.",
  count: (count: number) =>
    count === 1 ? "1 can see it. You can stop it here." : `${count} can see it. You can stop each one here.`,
  shareNew: "Share with someone new",
  signRelease: "Sign a release",
  stopEverything: "Stop everything",
  stillTrying: "We are still trying to stop this.",
  daysLeft: (count: number) => `${counted(count, "day")} left`,
  endsToday: "Ends today",
  linkFor: (name: string) => `Link for ${name}`,
  places,
  protectedNames,
  everything: "Everything",
  nothing: "Nothing",
  myOwnWords: "my own words",
  myDocuments: "my documents",
  and: (parts: string, last: string) => `${parts}, and ${last}`,
  items: (count: number) => ` (${counted(count, "item")})`,
  card: {
    canRead: "Can read",
    protectedParts: "Protected parts",
    none: "None",
    until: "Until",
    lastLooked: "Last looked",
    notYet: "Not yet",
    stop,
    change: "Change or extend",
    changeRelease: "Change",
    makeLink: "Make a link",
    showRelease: "Show release"
  },
  track: {
    name: "What became of the link",
    steps,
    notYet: " (not yet)",
    reached,
    again: "They can still open it until it ends. Each time they need a new code."
  },
  via: {
    page: "They read it on our page.",
    app: "They read it in a health app.",
    both: "They read it on our page, then in a health app.",
    claimed: (name: string) => `The reader said it is “${name}”. Nobody has checked that.`
  },
  release: {
    title: (name: string) => `Release for ${name}`,
    back: "Back to the list",
    loading: "Opening the release",
    save: "Save the PDF",
    file: "release-of-information.pdf",
    copy: "This is your copy, as you signed it."
  },
  dialog: {
    everything: "Stop everything?",
    numbers: (numbers: string) => `This stops ${numbers}.`,
    what: "They lose access right away. We can’t take back what they read, printed or saved.",
    keepEverything: "Keep everything",
    keep,
    question
  },
  news: {
    stopped,
    stillAnother: (name: string) => `This share with ${name} has ended. They still have another one.`,
    doubt: "We could not reach the service. What you share may not have changed.",
    asking: "We keep asking. Stay on this page until it says that it stopped."
  },
  ended: {
    count: (count: number) => `${count} that ended`,
    more: (count: number) => `More than ${count} that ended`,
    showMore: "Show more",
    from: (reads: string, day: string) => `${reads}. From ${day}.`,
    why: ended,
    on: (day: string) => `Ended ${day}`
  },
  /** "1 provider, 1 app, 1 link, 1 release". Kinds without any are left out. */
  numbers: ({ app, link, provider, release }: Stopped) =>
    [
      [provider, "provider"] as const,
      [app, "app"] as const,
      [link, "link"] as const,
      [release, "release"] as const
    ].filter(([count]) => count > 0).map(([count, name]) => counted(count, name)).join(", ")
}

/** Every other language has the same keys. A missing one does not compile. */
export type SharingWords = typeof english

function counted(count: number, unit: string) {
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}
