import { assert, test } from "vitest"
import { rowFor } from "./Rows.ts"

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
