import type { DiagnosticReport, DiagnosticReportMedia } from "fhir/r4.js"
import { attachment, inlineFiles } from "./Attachment.ts"
import { codeGroup } from "./CodeGroup.ts"
import { codeOf, codeText, codeTexts } from "./Coding.ts"
import { dateText } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { each, joined, type Members, members, text } from "./Members.ts"
import { typedReader } from "./Reader.ts"
import { reference, references, type TitleOf } from "./Reference.ts"
import { shortened } from "./Shortened.ts"
import { choice } from "./Value.ts"
import { codeWords } from "./Words.ts"

/** A report with its results. A result that is in the same record is shown by its `mention`: name and value. */
export const diagnosticReport = typedReader<DiagnosticReport>({
  place: ({ category, code }) => ({
    section: "laboratory",
    ...codeGroup(codeText(code) === null ? members<[unknown]>(category)[0] : code, null)
  }),
  title: (report) => titleOfReport(report),
  parts: (report, { titleOf }) => ({
    code: codeOf(report.code),
    status: codeWords(report.status),
    dates: labelled({ Date: choice(report, "effective", titleOf), Issued: dateText(report.issued) }),
    details: labelled({
      Conclusion: joined([text(report.conclusion), codeTexts(report.conclusionCode)], "; "),
      Results: each(report.result, (one) => reference(one, titleOf), "\n"),
      Category: codeTexts(report.category),
      Document: each(report.presentedForm, attachment, "\n"),
      Specimen: references(report.specimen, titleOf),
      Imaging: references(report.imagingStudy, titleOf),
      Pictures: each(report.media, (one) => picture(one, titleOf)),
      "Asked for by": references(report.basedOn, titleOf),
      "Performed by": references(report.performer, titleOf),
      "Interpreted by": references(report.resultsInterpreter, titleOf)
    }),
    files: inlineFiles(report.presentedForm, shortened(titleOfReport(report) ?? "Report"))
  })
})

const titleOfReport = ({ category, code }: Members<DiagnosticReport>) => codeText(code) ?? codeTexts(category)

const picture = (json: unknown, titleOf: TitleOf) => {
  const { comment, link } = members<DiagnosticReportMedia>(json)
  return joined([text(comment), reference(link, titleOf)], ": ")
}
