import type {
  DocumentReference,
  DocumentReferenceContent,
  DocumentReferenceContext,
  DocumentReferenceRelatesTo
} from "fhir/r4.js"
import { attachment, inlineFiles } from "./Attachment.ts"
import { codeOf, codeText } from "./Coding.ts"
import { conceptsWithWords } from "./ConceptWords.ts"
import { dateText, period } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { each, joined, list, type Members, members, text } from "./Members.ts"
import { typedReader } from "./Reader.ts"
import { reference, references, type TitleOf } from "./Reference.ts"
import { shortened } from "./Shortened.ts"
import { codeWords } from "./Words.ts"

const attachments = ({ content }: Members<DocumentReference>) =>
  list(content).map((one) => members<DocumentReferenceContent>(one).attachment)

/** `Appends: History and physical note` */
const relation = (json: unknown, titleOf: TitleOf) => {
  const { code, target } = members<DocumentReferenceRelatesTo>(json)
  return joined([codeWords(code), reference(target, titleOf)], ": ")
}

const title = (document: Members<DocumentReference>) => {
  const { category, description, type } = document
  const titles = attachments(document).map((one) => text(members<{ readonly title: string }>(one).title))
  return text(description) ?? titles.find((title) => title !== null) ?? codeText(type) ??
    each(conceptsWithWords(category), codeText)
}

/** A document about the patient, with its content or its address. */
export const documentReference = typedReader<DocumentReference>({
  place: () => ({ section: "documents", group: "", groupTitle: null }),
  title,
  parts: (document, { titleOf }) => {
    const context = members<DocumentReferenceContext>(document.context)
    const called = title(document)
    const [type, category] = [codeText(document.type), each(conceptsWithWords(document.category), codeText)]
    return {
      code: codeOf(document.type),
      status: joined([codeWords(document.status), codeWords(document.docStatus)]),
      dates: labelled({ Date: dateText(document.date), Period: period(context.period) }),
      details: labelled({
        Type: type === called ? null : type,
        Category: category === called ? null : category,
        Author: references(document.author, titleOf),
        File: each(attachments(document), attachment, "\n"),
        "Authenticated by": reference(document.authenticator, titleOf),
        Custodian: reference(document.custodian, titleOf),
        Facility: codeText(context.facilityType),
        Practice: codeText(context.practiceSetting),
        Related: each(document.relatesTo, (one) => relation(one, titleOf), "; "),
        Confidentiality: each(document.securityLabel, codeText)
      }),
      files: inlineFiles(attachments(document), shortened(called ?? "Document"))
    }
  }
})
