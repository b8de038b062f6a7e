import { englishPdfWords } from "../../../shared/pdf/PdfWords.ts"

/** The words of the frame that shows what a link opens, in English, which is the source. */
export const english = {
  pdf: englishPdfWords,
  tabs: "Ways to read",
  record: "Record",
  document: "Signed document",
  opening: "Opening the document",
  patient: "Patient",
  born: "Born",
  died: "Died",
  deceased: "Deceased",
  signed: "Signed",
  until: "May be used until",
  standsFrom: (day: string) => `This is the record as it was on ${day}. Newer information is not in it.`,
  range: (from: string, to: string) => `It has only items dated from ${from} to ${to}.`,
  rangeFrom: (from: string) => `It has only items dated from ${from} on.`,
  rangeTo: (to: string) => `It has only items dated up to ${to}.`,
  notListed: "What is not listed here is not in this document. That is not the same as none. Ask the patient.",
  attached: (documents: number): string =>
    documents === 1 ? "1 document is attached:" : `${documents} documents are attached:`,
  saveAbove: (documents: number): string => documents === 1 ? "Save it above." : "Save them above.",
  noRecord: "This page can't read the record in this document. Read the signed document.",
  asRecorded: "The record is shown as it was recorded."
}

/** Every other language has the same keys. A missing one does not compile. */
export type ViewWords = typeof english
