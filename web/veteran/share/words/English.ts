import { counted } from "../../Moments.ts"

/** The words of sharing with a provider, in English, which is the source. */
export const english = {
  steps: ["Who", "What", "Protected", "Until", "Check"] as readonly [string, string, string, string, string],
  next: "Go on",
  back: "Back",
  home: "Home",
  /** How long a share lasts, by its days. */
  lengths: (days: number) => days === 7 ? "1 week" : counted(days, "day"),
  who: {
    heading: "Who do you want to share with?",
    legend: "Does the clinic have a code?",
    ways: {
      invitation: {
        choice: "The clinic’s code",
        label: "Clinic’s code",
        hint: "10 letters and numbers, on a sheet at the front desk.",
        wrong: "Type the 10 letters and numbers of the code.",
        none: "No one by that code. Ask the clinic for a new one."
      },
      email: {
        choice: "Their e-mail",
        label: "E-mail",
        hint: "The whole address that they use here.",
        wrong: "Type the whole e-mail address, such as name@example.org.",
        none: "No one by that e-mail. Ask the clinic which one they use."
      },
      npi: {
        choice: "Their NPI",
        label: "NPI",
        hint: "National Provider Identifier, 10 digits.",
        wrong: "That is not an NPI. Check the 10 digits.",
        none: "No one by that NPI. Ask the clinic for their e-mail or code."
      }
    },
    find: "Find",
    which: "Which one?",
    choose: "Choose one of them.",
    found: (name: string) => `Found: ${name}`,
    several: (count: number) => `Found ${count}. Choose one.`,
    /** Leads to a signed release, for somebody who does not use the portal. */
    release: "Or send a link instead",
    releaseHint: "You sign a release. They read it by a link, without a sign-in here."
  },
  recipient: {
    added: "Added by Veteran Records.",
    scanned: "You scanned this clinic’s code.",
    typed: "You typed this clinic’s code."
  },
  what: {
    heading: "What may they read?",
    missing: "Choose at least one kind, or everything.",
    fromVa: "From VA",
    all: "Everything from VA (new updates too)",
    some: "Choose kinds",
    kinds: "Kinds",
    fromMe: "From me",
    ownWords: "My own words",
    ownWordsHint: "What you wrote here yourself. They see it marked as yours.",
    documents: "My documents",
    documentsHint: "Files that you added here."
  },
  parts: {
    heading: "Protected parts",
    text:
      "Federal law protects these more than the rest. They are kept back unless you turn them on. Everyone gets the same list: it says nothing about your record.",
    legend: "Share these too",
    whys: {
      drug_abuse: "A doctor may need it to choose safe medicine for pain or sleep.",
      alcohol_abuse: "A doctor may need it before surgery, or to choose safe medicine.",
      hiv: "A doctor may need it to choose medicines that go together.",
      sickle_cell: "A doctor may need it in an emergency, before surgery, or to treat pain."
    },
    limits: "What this cannot do",
    notFound: "We find these parts by codes and by words, so we may miss some.",
    notInside: "We can’t look inside scans, PDF files and pictures in your record.",
    notSearched: "Your documents and your own words are not searched."
  },
  until: {
    heading: "Until when?",
    legend: "They can read for",
    asNow: (day: string) => `As now, until ${day}`,
    day: "Until a day that I choose",
    lastDay: "Last day",
    lastDayHint: "At most a year from now.",
    wrong: "Choose a day from today on, at most a year from now.",
    why: "What is it for?",
    treatment: "Treatment",
    other: "Something else",
    reason: "In your words",
    reasonHint: "They can read this.",
    reasonMissing: "Say in a few words what it is for."
  },
  check: {
    heading: "Check, then share",
    change: "Change",
    changes: {
      who: "Change who",
      what: "Change what they can read",
      parts: "Change protected parts",
      until: "Change until when"
    },
    reads: "Can read",
    all: "Everything from VA, new updates too",
    yes: "Yes",
    no: "No",
    shared: "Shared:",
    kept: "Kept back:",
    until: "Until",
    why: "For",
    incomplete: (kinds: string) => `Not complete: ${kinds}. They will be told.`,
    scans: "Scans, PDF files and pictures in your record are not searched for protected parts.",
    meaning: "What this means",
    /** The name follows. */
    share: "Share with",
    stop: "You can stop at any time in Sharing. We can’t take back what was already read, printed or saved."
  },
  refused: {
    doubt: "We don’t know whether it was shared",
    doubtText: "The service gave no answer. Press the button again: we look first, so it is never shared twice.",
    change: "This share was not changed",
    changeText: "It may have ended by now, or you share with too many.",
    many: "This can’t be shared now",
    manyText: (all: number, one: number) =>
      `You can share with ${all} at a time, and ${one} times with one of them. Stop one of them first.`,
    sharing: "Open Sharing",
    mend: "This needs another look",
    mendText: "The service could not take this part of the share. Choose again, then go on."
  },
  change: {
    heading: "Change or extend",
    over: "This share has ended. You can share again.",
    again: "Share again"
  },
  done: {
    /** The name stands before. */
    until: (day: string) => `can see your record until ${day}.`,
    text: "They find it at their sign-in. Nothing was mailed.",
    see: "See who has my record"
  }
}

/** Every other language has the same keys. A missing one does not compile. */
export type ShareWords = typeof english
