import type { Language } from "../../../src/domain/Language.ts"
import { makeChoice } from "../../shared/language/Choice.ts"
import { english } from "../../shared/language/English.ts"
import { wordsIn } from "../../shared/language/Language.ts"
import type { Rooms } from "./Spanish.ts"

let latest: Language = "en"

/** The latest choice. The app may not speak it yet: its words load first. */
export const chosenLanguage = () => latest

let spanish: Rooms | undefined

/** Changes the language of the app. Only readers of Spanish load its words, and those of all rooms at once. */
export const chooseLanguage = makeChoice(async (language) => {
  latest = language
  if (language === "en") return { language, tag: "en-US", words: english, rooms: undefined }
  const [shared, names, record, files, app] = await Promise.all([
    import("../../shared/language/Spanish.ts"),
    import("../../shared/language/SpanishNames.ts"),
    import("../../shared/record/words/Spanish.ts"),
    import("../../shared/document/words/Spanish.ts"),
    import("./Spanish.ts")
  ])
  return {
    language,
    tag: "es-US",
    words: shared.spanish,
    names: names.spanishNames,
    record: record.spanish,
    files: files.spanish,
    rooms: app.spanish
  }
}, ({ rooms }) => {
  spanish = rooms
})

/** A room's words in the language of the app. */
export const wordsOf = <Room extends keyof Rooms>(room: Room, english: Rooms[Room]) =>
  wordsIn<Rooms[Room]>(({ language }) => language === "es" ? spanish?.[room] : undefined, english)
