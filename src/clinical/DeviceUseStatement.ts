import type { DeviceUseStatement } from "fhir/r4.js"
import { annotations } from "./Annotation.ts"
import { codeText } from "./Coding.ts"
import { dateText } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { typedReader } from "./Reader.ts"
import { reasons } from "./Reason.ts"
import { namedReference, reference } from "./Reference.ts"
import { choice } from "./Value.ts"
import { codeWords } from "./Words.ts"

export const deviceUseStatement = typedReader<DeviceUseStatement>({
  place: () => ({ section: "devices", group: "2", groupTitle: "Use of devices" }),
  title: ({ device }, { titleOf }) => namedReference(device, titleOf),
  parts: (use, { titleOf }) => ({
    status: codeWords(use.status),
    dates: labelled({ Used: choice(use, "timing", titleOf), Recorded: dateText(use.recordedOn) }),
    details: labelled({
      Device: namedReference(use.device, titleOf) === null ? reference(use.device, titleOf) : null,
      Reason: reasons(use.reasonCode, use.reasonReference, titleOf),
      "Body site": codeText(use.bodySite),
      Source: reference(use.source, titleOf),
      Note: annotations(use.note, titleOf)
    })
  })
})
