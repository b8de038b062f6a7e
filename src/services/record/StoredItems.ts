import type { StoredRow } from "../../sql/record/HealthRecordRepository.ts"

export interface StoredItem {
  readonly fhirId: string
  readonly active: boolean
}

const macLength = 32

export class StoredItems {
  readonly items: Array<StoredItem> = []
  private readonly byMac = new Map<string, StoredItem>()

  add({ activities, fhirIds, macs }: StoredRow) {
    const hashes = Buffer.from(macs.buffer, macs.byteOffset, macs.byteLength).toString("latin1")
    for (const [index, fhirId] of fhirIds.split(" ").entries()) {
      const item = { fhirId, active: activities[index] === "+" }
      this.items.push(item)
      this.byMac.set(hashes.slice(index * macLength, (index + 1) * macLength), item)
    }
  }

  find(mac: Buffer): StoredItem | undefined {
    return this.byMac.get(mac.toString("latin1"))
  }
}
