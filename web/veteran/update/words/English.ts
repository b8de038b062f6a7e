import { counted } from "../../Moments.ts"
import type { KindProgress, Step } from "../Messages.ts"

const kinds = (count: number) => counted(count, "kind")

const items = (count: number) => counted(count, "item")

/** What the row of a kind says. */
const steps: Readonly<Record<Step, string>> = {
  open: "Not started",
  loading: "Loading",
  paused: "Waiting for VA",
  sending: "Sending",
  complete: "Done",
  empty: "None on file",
  partial: "Not complete",
  unavailable: "Could not load",
  refused: "Not complete"
}

/** Why a kind or a part of it could not be loaded. */
const causes: Readonly<Record<NonNullable<KindProgress["cause"]>, string>> = {
  unauthorized: "VA did not let us read this kind",
  limited: "VA limits how fast we may ask",
  refused: "VA did not give us this kind",
  unreachable: "VA did not answer",
  slow: "VA took too long to answer",
  unreadable: "We could not read VA's answer",
  lacking: "VA did not send all pages",
  large: "This kind is too large to send at once",
  unkept: "VA sent entries that we can't read"
}

/** The words of the update, in English, which is the source. */
export const english = {
  kinds,
  /** "9 kinds are new." */
  newKinds: (count: number) => `${kinds(count)} ${count === 1 ? "is" : "are"} new.`,
  steps,
  causes,
  large: {
    older: (cause: string) => `${cause}; we keep your older list.`,
    part: (cause: string) => `${cause}; a part of it is missing.`
  },
  older: (cause: string) => `${cause}. We keep your older list.`,
  part: (cause: string) => `${cause}. What came is here.`,
  /** What a screen reader says when a kind ended. `items` is its number, if it is complete. */
  ended: (kind: string, step: string, count: number | undefined) =>
    `${kind}: ${step.toLowerCase()}${count === undefined ? "" : `, ${items(count)}`}.`,
  shared: {
    title: (count: number) => `${kinds(count)} with one reason`,
    allOlder: "We keep your older lists.",
    someOlder: (count: number) => `We keep your older lists of ${kinds(count)}.`
  },
  before: {
    title: "Update your record",
    text: "You sign in at VA first. Then the update starts here.",
    signIn: "Sign in at VA",
    goOn: "Go on",
    unfinished: "Your last update did not finish."
  },
  running: {
    title: "Updating your record",
    keepOpen: "Keep this page open.",
    staysOn: "Your screen stays on.",
    keepOn: "Keep your screen on.",
    sent: "What was sent stays here if you stop.",
    progress: "Progress",
    loaded: (count: number) => `${items(count)} loaded`,
    starting: "Starting",
    done: (done: number, all: number) => `${done} of ${kinds(all)} ${all === 1 ? "is" : "are"} done.`,
    stop: "Stop",
    wait: "VA asks us to wait",
    limit: "VA limits how fast we may ask.",
    /** The time stands between them. */
    goOn: ["We go on in", "."],
    list: "Kinds"
  },
  end: {
    elsewhere: "An update runs in another window.",
    stopped: "Update stopped",
    sent: "What was sent stays here.",
    vaOver: "Sign in at VA again",
    vaOverText: "Your sign-in at VA has ended. Sign in again, and the update goes on.",
    failed: "Update did not finish",
    updated: "Updated",
    all: (count: number) => `Updated. All ${kinds(count)} are complete.`,
    some: (complete: number, all: number) => `Updated. ${complete} of ${kinds(all)} are complete.`,
    see: "See your record",
    heldBack: "VA holds back new notes and results for some hours.",
    incomplete: "Not complete",
    incompleteList: "Kinds that are not complete",
    complete: "Complete",
    completeList: "Kinds that are complete"
  }
}

/** Every other language has the same keys. A missing one does not compile. */
export type UpdateWords = typeof english
