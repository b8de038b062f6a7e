import { assert, test } from "vitest"
import { fixtureRow, rowFor } from "./Rows.ts"

test.each([
  [
    "hl7-example",
    "DeviceUseStatement/example",
    `Device use statement | - | Active
Device: Device/example
Reason: Appendectomy (surgery)`
  ],
  [
    "syn-elisa944-johnson679",
    "Device/4fbc32da-c1f3-28d6-5a73-02b75e16fafa",
    `Blood glucose meter (physical object) | SNOMED CT 337414009 | Active
Serial number: 4473149
Lot: 83047
Manufactured: 1981-05-23 23:58:16 -04:00
Expires: 2006-06-07 23:58:16 -04:00
UDI: (01)60396823922872(11)810523(17)060607(10)83047(21)4473149`
  ],
  [
    "syn-elisa944-johnson679",
    "Device/bacd28c3-8f1f-15c0-f207-956749d4641b",
    `Manual wheelchair (physical object) | SNOMED CT 228869008 | Active
Serial number: 60730
Lot: 317241208752
Manufactured: 2018-09-27 02:16:29 -04:00
Expires: 2043-10-12 02:16:29 -04:00
UDI: (01)85102838254016(11)180927(17)431012(10)317241208752(21)60730`
  ]
])("%s: the row of %s", (patient, reference, row) => {
  assert.strictEqual(fixtureRow(patient, reference), row)
})

test("A device has its user-friendly name as title", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "Device",
      status: "inactive",
      type: { text: "Pacemaker" },
      deviceName: [{ name: "PM-1", type: "model-name" }, { name: "My pacemaker", type: "user-friendly-name" }],
      manufacturer: "Acme",
      modelNumber: "PM1",
      statusReason: [{ coding: [{ code: "hw-discon" }] }],
      identifier: [{ system: "http://acme.example/devices", value: "345675" }]
    }),
    `My pacemaker | - | Inactive
Manufacturer: Acme
Model: PM1
Identifier: http://acme.example/devices 345675
Reason for status: Hw discon`
  )
})

test("The use of a device is shown", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "DeviceUseStatement",
      status: "active",
      device: { display: "Walking stick" },
      timingPeriod: { start: "2019-03" },
      recordedOn: "2019-04-01",
      bodySite: { text: "Left hand" }
    }),
    `Walking stick | - | Active
Used: since 2019-03
Recorded: 2019-04-01
Body site: Left hand`
  )
})
