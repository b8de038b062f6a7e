import { englishPdfWords } from "../../../shared/pdf/PdfWords.ts"
import { counted } from "../../Moments.ts"

/** The words of signing a release, in English, which is the source. */
export const english = {
  title: "Sign a release",
  steps: ["Who", "What", "Until", "Preview", "Sign"] as readonly [string, string, string, string, string],
  mend: (count: number) => count === 1 ? "1 thing to mend" : `${count} things to mend`,
  /** After the window locked: what may tell about health has left the memory. */
  lost:
    "For safety, this app forgot the protected parts and the reasons that you entered. Look at each step again before you sign.",
  replaced: {
    title: "Replace a release",
    reading: "Reading the release",
    notice: (day: string) => `This ends the release of ${day}.`,
    parts: (parts: string) => `It shared protected parts: ${parts}. Turn on again what you want to share.`,
    over: "This release has ended. You can sign a new one.",
    fresh: "Sign a new release"
  },
  who: {
    heading: "Who gets it, and why?",
    intro:
      "A release is a document that you sign. It carries the parts of your record that you choose, for one person whom you name.",
    me: "Whose record it is",
    fullName: "My full name",
    fullNameHint: "As they know you.",
    born: "My date of birth",
    person: "Who gets it",
    name: "Their name",
    nameHint: "A person or an office.",
    organization: "Organization",
    email: "Their e-mail",
    emailHint: "To open a link, they need a code that we mail to this address.",
    position: "Their title",
    npi: "NPI",
    npiHint: "National Provider Identifier, 10 digits. You may leave it empty.",
    optional: "You may leave it empty.",
    why: "Why?",
    reason: "In your words",
    reasonHint: "They can read this."
  },
  what: {
    heading: "What does it carry?",
    all: "Everything from VA, as it is now",
    frozen: "A release carries your record as it is when you sign. Later updates are not in it.",
    ownWords: "What you wrote here in your own words is never in a release.",
    none: "Your record is not here yet. A release would carry nothing of it.",
    update: "Get my record from VA",
    many: "This may be more than a release can hold: 20,000 items. Choose fewer kinds, or some dates.",
    dates: "Dates",
    datesHint: "Leave both empty for all dates. With dates, items without a date are left out.",
    from: "From",
    to: "To",
    documents: "My documents",
    documentsHint: "Files that you added here. Each goes into the release as it is.",
    noDocuments: "You have no documents here.",
    gone: "A document that is no longer here",
    protectedParts: "Protected parts",
    protectedText: "Federal law protects these more than the rest. They are kept back unless you turn them on."
  },
  until: {
    legend: "The release ends",
    day: "On a day that I choose",
    event: "When something happens",
    lastDayHint: "At most 12 months from now.",
    what: "What ends it?",
    whatHint: (day: string) => `They can read this. The release ends on ${day} at the latest.`,
    after: (length: string) => `After ${length}`,
    stop: "You can end it sooner at any time in Sharing."
  },
  preview: {
    heading: "Look at it before you sign",
    unsigned: "Not signed yet",
    text: "These are the pages that they would see. Nothing is sent, and nothing is stored.",
    making: "Making your pages",
    cancel: "Cancel",
    make: "Make the pages",
    save: "Save these pages",
    changed: "Your record changed after you looked. Look at the new pages before you sign.",
    outdated: "What you chose has changed. Look at the new pages before you sign."
  },
  sign: {
    heading: "Sign the release",
    incomplete: (kinds: string) => `${kinds} are not complete`,
    incompleteText: (day: string | undefined) =>
      `${
        day === undefined ? "" : `Last complete ${day}. `
      }You can sign anyway. They will be told about what you share.`,
    to: "To",
    what: "What",
    until: "Until",
    noParts: "None",
    kinds: (count: number) => counted(count, "kind"),
    atMost: (items: number) => `at most ${counted(items, "item")}`,
    documents: (count: number) => counted(count, "document"),
    /** The event stands before. */
    latest: (day: string) => `(on ${day} at the latest)`,
    look: "Look at the preview again",
    asItIs: (kinds: string) => `Share it as it is, though my record is not complete: ${kinds}`,
    asItIsHint: "You can sign without this. The release says whether you checked it.",
    statements: "The five statements",
    read: "I read the five statements, and I accept them.",
    electronic: "I sign electronically. It counts like ink.",
    typed: "Type your full name",
    typedHint: (name: string) => `As on the release: ${name}`,
    differs: "I write my name in another way than on the release.",
    draw: "Draw a signature too (you need not)",
    drawHint: "Draw with a finger, a pen or a mouse. Typing your name is enough.",
    drawArea: "Your drawn signature",
    drawn: "There is a drawing.",
    notDrawn: "Nothing is drawn.",
    clear: "Clear",
    sign: "Sign",
    signing: "Signing",
    another: (time: string) => `This e-mail already has a release in force, signed: ${time}. This would be one more.`
  },
  /** Only other languages explain the statements, and say that what is signed is English. */
  help: undefined as
    | { readonly pages: string; readonly intro: string; readonly statements: ReadonlyArray<string> }
    | undefined,
  doubt: {
    title: "We don’t know whether it was signed",
    text: "The service gave no answer. We look for the release first, so it is never signed twice. Stay on this page.",
    wait: "We look for the release first.",
    looking: "Looking for the release",
    look: "Look now",
    not: "It was not signed",
    notText: "We looked: there is no such release. You can sign again.",
    goOn: "Go on with the release"
  },
  refused: {
    title: "It was not signed",
    previewTitle: "The pages could not be made",
    notConfirmed: "You did not confirm that it is you. Nothing was signed.",
    turn: (wait: string) => `Your other release is still being made. Wait ${wait}, then try again.`,
    previews: (wait: string) => `You made 10 previews in a short time. Wait ${wait}, then try again.`,
    tooManyItems: "A release holds at most 20,000 items. Choose fewer kinds, or some dates.",
    tooLargeRecord: "A release holds at most 64 MiB of record. Choose fewer kinds, or some dates.",
    tooLarge: "With its documents, a release holds at most 100 MiB. Choose fewer documents or kinds, or some dates.",
    changedMeanwhile: "A document that you chose, or the release that this one replaces, is gone. Choose again.",
    conflict: "Something changed while you signed. Look at each step again.",
    deletion: "You asked us to delete your data, so nothing new can be signed.",
    account: "Open Account",
    full: "The service has no room for it now. Nothing was stored. Try again later.",
    change: "Change what it carries"
  },
  done: {
    heading: "The release is signed",
    until: (day: string) => `It ends on ${day}. You can end it any time in Sharing.`,
    /** The name stands before. */
    nobody: "does not have it yet. Make a link to give it to them.",
    link: "Make a link",
    save: "Save the PDF",
    saved: "Saved. Look in your downloads.",
    own: "The PDF is your own copy: it also shows what you kept back. Give them the link, not this file.",
    sharing: "Open Sharing",
    personDiffers:
      "Your record has another name or date of birth than this release. Check that both are yours. They see this too.",
    incomplete: (kinds: string) => `Not complete: ${kinds}. They will be told.`,
    changed:
      "Your record was updated while you signed. The release carries the newer record, which you have not seen in the preview. Save the PDF and look at it."
  },
  wrong: {
    fullName: "Write your full name.",
    born: "Write your whole date of birth.",
    name: "Write the name of the person or office.",
    organization: "Check the organization.",
    position: "Check their title.",
    email: "Write the whole e-mail address, such as name@example.org.",
    npi: "That is not an NPI. Check the 10 digits, or leave it empty.",
    purpose: "Choose why.",
    reason: "Say in a few words why.",
    long: (name: string) => `${name}: make it shorter.`,
    kinds: "Choose at least one kind, or everything.",
    kindsNotLoaded: "Wait until your kinds are loaded.",
    dateFrom: "Write the whole first day, or leave it empty.",
    dateTo: "Write the whole last day, or leave it empty.",
    range: "The last day is before the first.",
    documents: "A document is gone. Choose again.",
    categories: "Turn the protected parts on again. If it does not help, check your phone’s clock.",
    until: "Choose a day from today on, at most 12 months from now.",
    event: "Say what ends it.",
    read: "Read the five statements, and check the box.",
    electronic: "Check the box to sign electronically.",
    typed: "Type your name as on the release, or check that you write it in another way.",
    drawing: "The drawing could not be read. Clear it, or draw again."
  },
  pdf: englishPdfWords
}

/** Every other language has the same keys. A missing one does not compile. */
export type ReleaseWords = typeof english
