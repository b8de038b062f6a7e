import type { Device, DeviceDeviceName, DeviceUdiCarrier } from "fhir/r4.js"
import { annotations } from "./Annotation.ts"
import { codeOf, codeText } from "./Coding.ts"
import { conceptWords } from "./ConceptWords.ts"
import { dateText } from "./DateText.ts"
import { identifier } from "./Identifier.ts"
import { labelled } from "./Labels.ts"
import { each, list, members, text } from "./Members.ts"
import { typedReader } from "./Reader.ts"
import { codeWords } from "./Words.ts"

/** The name of type `user-friendly-name`, else the first name. */
const deviceName = (json: unknown) => {
  const names = list(json).map((one) => members<DeviceDeviceName>(one))
  return text((names.find(({ type }) => text(type) === "user-friendly-name") ?? names[0])?.name)
}

const udi = (json: unknown) => {
  const { carrierHRF, deviceIdentifier } = members<DeviceUdiCarrier>(json)
  return text(carrierHRF) ?? text(deviceIdentifier)
}

export const device = typedReader<Device>({
  place: () => ({ section: "devices", group: "1", groupTitle: null }),
  title: ({ deviceName: names, modelNumber, type }) => deviceName(names) ?? codeText(type) ?? text(modelNumber),
  parts: (thing, { titleOf }) => ({
    code: codeOf(thing.type),
    status: codeWords(thing.status),
    details: labelled({
      Manufacturer: text(thing.manufacturer),
      Model: text(thing.modelNumber),
      "Serial number": text(thing.serialNumber),
      Lot: text(thing.lotNumber),
      Manufactured: dateText(thing.manufactureDate),
      Expires: dateText(thing.expirationDate),
      UDI: each(thing.udiCarrier, udi),
      Identifier: each(thing.identifier, identifier),
      Safety: each(thing.safety, codeText),
      "Reason for status": each(thing.statusReason, conceptWords),
      Note: annotations(thing.note, titleOf)
    })
  })
})
