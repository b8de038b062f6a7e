import type { Entry } from "../../../../src/domain/SelfReportedEntry.ts"
import type { KindFilter } from "../../../shared/record/items/Kinds.ts"
import type { Nouns } from "../../../shared/record/words/English.ts"
import { counted } from "../../Moments.ts"

/** The names of kinds that a veteran sees otherwise than a clinician. */
const kinds: Readonly<Partial<Record<KindFilter, string>>> = {
  all: "All of my record",
  results: "Results",
  immunizations: "Vaccines",
  documents: "Doctors' notes and reports",
  patient: "About me"
}

/** The categories of an entry: in the form, and above the list. */
const categories: Readonly<Record<Entry["category"], Nouns>> = {
  symptom: ["Symptom", "Symptoms"],
  medication: ["Medicine I take", "Medicines I take"],
  allergy: ["Allergy", "Allergies"],
  vital: ["Measurement", "Measurements"],
  note: ["Note", "Notes"]
}

const notNone = "Do not read a missing item as “none.”"

/** The words of the veteran's own record, in English, which is the source. */
export const english = {
  /** Said once on a page in another language. */
  inEnglish: "",
  title: "My record",
  opening: "Opening your record",
  search: "Search",
  none: "No record yet.",
  first: "Get my record from VA",
  back: "Back to my record",
  closed: "Your record was closed. It is not on this phone any more.",
  openAgain: "Open again",
  tooLarge: { title: "Your record is larger than this page can hold", text: `Not all of it is shown. ${notNone}` },
  gaps: {
    title: (count: number) => `${count === 1 ? "1 kind is" : `${count} kinds are`} not complete`,
    text: `${notNone} Providers see the same warning.`,
    which: "See which"
  },
  reading: (read: string, all: string) => `${read} of ${all}, still loading`,
  kinds,
  vaccines: ["vaccine", "vaccines"] as Nouns,
  notes: ["note or report", "notes and reports"] as Nouns,
  procedures: ["procedure", "procedures"] as Nouns,
  onFile: (count: string) => `${count} on file.`,
  last: "Last:",
  /** A card's state, and what it means. */
  card: {
    vaNone: "VA has none",
    late: (day: string | undefined) => `${day === undefined ? "" : `From ${day}. `}The newest update did not finish.`,
    part: `Only a part came from VA. ${notNone}`,
    notAllLoaded: (name: string) => `${name} could not all be loaded here. Do not read this as “none.”`,
    /** The names of what there is none of. */
    which: (name: string, past: boolean, hasOthers: boolean) =>
      `${hasOthers ? "other " : ""}${past ? "active " : ""}${name.toLowerCase()}`,
    missing: "We could not get this from VA. This is not the same as “none.”",
    incomplete: (which: string) => `No ${which} came from VA. This is not the same as “none.”`,
    old: (which: string, day: string | undefined) =>
      `VA had no ${which}${day === undefined ? "" : ` on ${day}`}. That may have changed.`,
    empty: (which: string, day: string | undefined) =>
      `VA has no ${which} on file${day === undefined ? "" : `, as of ${day}`}.`,
    problems: "Problems",
    noDose: "Dose not given by VA",
    noRanges: "VA sent no normal ranges.",
    allOwn: (count: number) => `Show all ${count} of mine`
  },
  item: {
    gone: "This is not here",
    goneWhy: "It may have changed with your last update.",
    allOf: (kind: string) => `All ${kind.toLowerCase()}`,
    vaCallsIt: "VA calls it:",
    keptBack: "Kept back from others unless you say so",
    details: "Details",
    mistake: "VA marked this as a mistake.",
    narrative: "Show the text that VA wrote",
    source: "Show the source",
    sourceName: "Source",
    read: "Read",
    longText: "This is the beginning of a long text. Download it to see the rest."
  },
  list: {
    noDate: "No date",
    more: (count: number) => `Show ${count} more`,
    nothing: "No item matches this search.",
    all: "All",
    howEach: "How complete each kind is"
  },
  else: {
    title: "Everything else",
    count: (count: number) => counted(count, "item"),
    gaps: "Not complete"
  },
  notesAboutMe: { title: "Notes about me", none: "No provider wrote a note here.", older: "Show older notes" },
  complete: {
    title: "How complete",
    all: "Every kind is complete.",
    gaps: (count: number) => `${count === 1 ? "1 kind is" : `${count} kinds are`} not complete. ${notNone}`,
    providers: "Providers see the same warnings.",
    meanings: "What the words mean",
    upToDate: "VA gave us all of it at the last update.",
    asOf: { word: "As of a day", meaning: "VA gave us all of it on that day, more than a week ago." },
    vaNone: "VA told us that it has nothing of this kind.",
    incomplete: "VA gave us only a part, so a missing item is not the same as “none.”",
    old: "The newest update did not finish, so you see what an older one gave us.",
    missing: "We could not get it from VA, which is not the same as “none.”",
    heads: { kind: "Kind", state: "State", items: "Items", complete: "Last complete update", lastTry: "Last try" },
    never: "Never"
  },
  own: {
    title: "My own words",
    seen: "Providers see it marked as yours.",
    seenAll: "Providers you share this with see it marked as yours.",
    none: "Nothing here yet. Medicines from other doctors belong here.",
    add: "Add my own words",
    all: (count: string) => `See, add and change all ${count}`,
    change: "Change",
    changeOne: (text: string) => `Change: ${text}`,
    remove: "Remove",
    removeOne: (text: string) => `Remove: ${text}`,
    saved: "Saved.",
    removed: "Removed.",
    categories
  },
  form: {
    change: "Change my words",
    toMend: (count: number) => `${counted(count, "thing")} to mend`,
    what: "What is it?",
    text: "In my own words",
    day: "Day",
    dayHint: "The day it is about. Leave it empty if you do not know.",
    /** Why there is no room for more. The service says it in English. */
    full: (reason: string) => ({ title: "This can't be added", text: reason }),
    save: "Save",
    saving: "Saving",
    cancel: "Cancel",
    noWhat: "Choose what it is.",
    noText: "Write it in your own words.",
    shorter: (letters: string) => `Make it shorter by ${letters}.`,
    wholeDay: "Write the whole day, or leave it empty."
  },
  removing: {
    title: "Remove this?",
    text: "Providers no longer see it. We can't take back what they read, printed or saved.",
    keep: "Keep it"
  },
  /**
   * Plain names of common problems. A name is replaced only if it is exactly one of these, because a longer one may say
   * more. The item shows VA's name too.
   */
  plain: {
    "acute bronchitis": "Chest cold",
    "acute myocardial infarction": "Heart attack",
    "allergic rhinitis": "Hay fever",
    "benign prostatic hyperplasia": "Enlarged prostate",
    "cerebrovascular accident": "Stroke",
    "chronic obstructive pulmonary disease": "Long-term lung disease (COPD)",
    "congestive heart failure": "Heart failure",
    "diabetes mellitus type 2": "Type 2 diabetes",
    "essential hypertension": "High blood pressure",
    "gastroesophageal reflux disease": "Acid reflux",
    hyperlipidemia: "High cholesterol or blood fats",
    hypertension: "High blood pressure",
    hypothyroidism: "Underactive thyroid",
    "laceration of thigh": "Cut on the thigh",
    "myocardial infarction": "Heart attack",
    osteoarthritis: "Wear-and-tear arthritis",
    "osteoarthritis of hip": "Wear-and-tear arthritis of the hip",
    "osteoarthritis of knee": "Wear-and-tear arthritis of the knee",
    "posttraumatic stress disorder": "Post-traumatic stress (PTSD)",
    "seasonal allergic rhinitis": "Hay fever"
  }
}

/** Every other language has the same keys. A missing one does not compile. */
export type OwnWords = typeof english
