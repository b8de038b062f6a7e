const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`

/** The words of the first screen, in English, which is the source. */
export const english = {
  hello: (name: string) => `Hello, ${name}`,
  record: {
    title: "Your record",
    none: "No record yet",
    get: "Get my record from VA",
    notComplete: (count: number) => `${counted(count, "kind")} not complete`,
    upToDate: "Up to date",
    lastUpdated: (day: string) => `Last updated ${day}`,
    updated: (moment: string) => `Updated ${moment}.`,
    complete: "All kinds are complete.",
    manyMissing: (count: number) => `${counted(count, "kind")} could not all be loaded.`,
    missing: (kinds: string) => `${kinds} could not all be loaded.`,
    update: "Update now",
    seeMissing: "See what is missing"
  },
  holders: {
    title: "Who has my record now",
    all: "See all and stop sharing",
    share: "Share my record",
    nobody: "Nobody can see your record.",
    more: (count: number) => `And ${count.toLocaleString("en-US")} more.`,
    app: ", an app",
    release: "can open a signed release",
    link: {
      read: "read",
      codeSent: "opened, code sent, not read yet",
      opened: "opened, not read yet",
      mailed: "sent, not opened yet",
      made: "not opened yet"
    },
    allButProtected: "reads all but protected parts",
    allWith: (parts: string) => `reads all, with ${parts}`,
    nothing: "reads nothing from VA",
    manyKinds: (count: number) => `reads ${counted(count, "kind")}`,
    kinds: (kinds: string) => `reads ${kinds}`
  },
  looks: {
    title: "Last look",
    none: "No one has looked.",
    noneLately: "No one has looked lately.",
    see: "See who looked",
    someone: "Someone",
    /** What somebody did, before the time. Without a name, the first words are those of `someone`. */
    opened: "Someone opened the link",
    openedFor: (name: string) => `Someone opened the link for ${name}`,
    wrongCode: "Someone typed a wrong code",
    wrongCodeFor: (name: string) => `Someone typed a wrong code on the link for ${name}`,
    read: (name: string) => `${name} read a signed release`,
    document: (name: string) => `${name} opened a document`,
    looked: (name: string) => `${name} looked at your record`
  },
  documents: {
    title: "Documents and releases",
    see: "My documents",
    sign: "Sign a release"
  },
  news: {
    guessed: (name: string) => `A code was typed wrong 15 times: the link is off (${name})`,
    looks: (day: string, count: number) => `New since ${day}: ${counted(count, "look")}`,
    manyLooks: (day: string, count: number) => `New since ${day}: ${counted(count, "look")} or more`,
    today: (shares: number) => `${ends(shares)} today`,
    in: (shares: number, days: number) => `${ends(shares)} in ${counted(days, "day")}`,
    within: (shares: number, days: number) => `${ends(shares)} within ${counted(days, "day")}`
  }
}

/** Every other language has the same keys. A missing one does not compile. */
export type HomeWords = typeof english

function ends(shares: number) {
  return shares === 1 ? "1 share ends" : `${shares.toLocaleString("en-US")} shares end`
}
