import type { ServiceRequest } from "fhir/r4.js"
import { annotations } from "./Annotation.ts"
import { codeOf, codeText } from "./Coding.ts"
import { dateText } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { each, joined, text } from "./Members.ts"
import { typedReader } from "./Reader.ts"
import { reasons } from "./Reason.ts"
import { reference, references } from "./Reference.ts"
import { choice } from "./Value.ts"
import { codeWords, unlessUsual } from "./Words.ts"

/** An order of a test, a procedure or another service, or an order not to do it. */
export const serviceRequest = typedReader<ServiceRequest>({
  place: () => ({ section: "care", group: "4", groupTitle: "Service requests" }),
  title: ({ code }) => codeText(code),
  parts: (request, { titleOf }) => ({
    code: codeOf(request.code),
    status: codeWords(request.status),
    dates: labelled({ When: choice(request, "occurrence", titleOf), Authored: dateText(request.authoredOn) }),
    details: labelled({
      Detail: each(request.orderDetail, codeText, "; "),
      Quantity: choice(request, "quantity", titleOf),
      "As needed": choice(request, "asNeeded", titleOf),
      "Requested by": reference(request.requester, titleOf),
      "Performed by": joined([references(request.performer, titleOf), codeText(request.performerType)]),
      Location: joined([each(request.locationCode, codeText), references(request.locationReference, titleOf)]),
      Reason: reasons(request.reasonCode, request.reasonReference, titleOf),
      "Body site": each(request.bodySite, codeText),
      Specimen: references(request.specimen, titleOf),
      Instruction: text(request.patientInstruction),
      Intent: unlessUsual("order", request.intent),
      Priority: unlessUsual("routine", request.priority),
      Category: each(request.category, codeText),
      Note: annotations(request.note, titleOf)
    })
  })
})
