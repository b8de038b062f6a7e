import { assert, test } from "vitest"
import { rowFor } from "./Rows.ts"

const note = [{ text: "As told" }]
const unnamed = { reference: "Medication/1" }

test.each([
  [
    { resourceType: "MedicationStatement", medicationReference: unnamed, statusReason: [{ text: "Nausea" }], note },
    "Medication: Medication/1\nReason for status: Nausea\nNote: As told"
  ],
  [
    {
      resourceType: "MedicationDispense",
      medicationReference: unnamed,
      dosageInstruction: [{ text: "Once" }],
      type: { text: "First fill" },
      location: { display: "Pharmacy" },
      statusReasonReference: { display: "Interaction" },
      note
    },
    "Medication: Medication/1\nDosage: Once\nType: First fill\nLocation: Pharmacy\nReason for status: Interaction\n" +
    "Note: As told"
  ],
  [
    {
      resourceType: "MedicationAdministration",
      medicationReference: unnamed,
      dosage: { site: { text: "Left arm" }, method: { text: "Push" } },
      statusReason: [{ text: "Refused" }],
      note
    },
    "Medication: Medication/1\nSite: Left arm\nMethod: Push\nReason for status: Refused\nNote: As told"
  ],
  [
    {
      resourceType: "Immunization",
      isSubpotent: false,
      subpotentReason: [{ coding: [{ code: "coldchainbreak" }] }],
      reportOrigin: { text: "School record" }
    },
    "Why subpotent: Coldchainbreak\nSource: School record"
  ],
  [
    { resourceType: "Procedure", outcome: { text: "Successful" }, partOf: [{ display: "Colonoscopy" }] },
    "Outcome: Successful\nPart of: Colonoscopy"
  ],
  [
    {
      resourceType: "Encounter",
      type: [{ text: "Visit" }],
      serviceType: { text: "Cardiology" },
      class: null,
      priority: { text: "Urgent" },
      length: { value: 15, unit: "min" },
      hospitalization: { reAdmission: { coding: [{ code: "R" }] } }
    },
    "Service: Cardiology\nPriority: Urgent\nLength: 15 min\nReadmission: R"
  ],
  [{ resourceType: "Encounter", type: null, serviceType: null, class: { code: "AMB" } }, ""],
  [{ resourceType: "CareTeam", note }, "Note: As told"],
  [
    {
      resourceType: "CarePlan",
      title: null,
      category: [{ text: "Dental care" }],
      description: "Check-ups",
      note
    },
    "Description: Check-ups\nNote: As told"
  ],
  [{ resourceType: "CarePlan", title: null, category: null, description: "Check-ups" }, ""],
  [{ resourceType: "CarePlan", title: "Teeth", category: [{ text: "Dental care" }] }, "Category: Dental care"],
  [{ resourceType: "Goal", note }, "Note: As told"],
  [
    {
      resourceType: "ServiceRequest",
      orderDetail: [{ text: "Fasting" }],
      quantityQuantity: { value: 2, unit: "units" },
      performer: [{ display: "Lab" }],
      performerType: { text: "Technician" },
      locationCode: [{ text: "Ward" }],
      locationReference: [{ display: "Room 2" }],
      bodySite: [{ text: "Knee" }],
      specimen: [{ display: "Serum" }],
      category: [{ text: "Imaging" }],
      note
    },
    "Detail: Fasting\nQuantity: 2 units\nPerformed by: Lab, Technician\nLocation: Ward, Room 2\nBody site: Knee\n" +
    "Specimen: Serum\nCategory: Imaging\nNote: As told"
  ],
  [{ resourceType: "Device", safety: [{ text: "MR unsafe" }], note }, "Safety: MR unsafe\nNote: As told"],
  [{ resourceType: "DeviceUseStatement", source: { display: "Wife" }, note }, "Source: Wife\nNote: As told"],
  [
    {
      resourceType: "Coverage",
      subscriber: { display: "Ann" },
      policyHolder: { display: "Acme" },
      dependent: "1",
      identifier: [{ value: "AB98761" }]
    },
    "Subscriber: Ann\nPolicy holder: Acme\nDependent: 1\nIdentifier: AB98761"
  ],
  [{ resourceType: "Patient", generalPractitioner: [{ display: "Dr. Doe" }] }, "General practitioner: Dr. Doe"],
  [
    {
      resourceType: "Practitioner",
      name: [{ text: "Dr. Doe" }, { text: "Jane Roe" }],
      qualification: [{ code: { text: "MD" } }]
    },
    "Other names: Jane Roe\nQualification: MD"
  ],
  [
    {
      resourceType: "Organization",
      active: false,
      name: "Clinic",
      alias: ["The Clinic"],
      partOf: { display: "Trust" }
    },
    "Other names: The Clinic\nPart of: Trust"
  ],
  [
    {
      resourceType: "Location",
      name: "Ward",
      alias: ["W1"],
      address: { line: ["1 Road"], city: "Town" },
      managingOrganization: { display: "Clinic" }
    },
    "Other names: W1\nAddress: 1 Road, Town\nOrganization: Clinic"
  ]
])("the details of %j", (resource, details) => {
  assert.strictEqual(rowFor(resource).split("\n").slice(1).join("\n"), details)
})
