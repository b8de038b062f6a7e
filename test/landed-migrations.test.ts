import { hash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, test } from "vitest"
import { migrationFolder } from "../src/sql/MigrationFiles.ts"

/** The SHA-256 of each migration that has landed. The next migration adds the one before it. */
const landed = {
  "001_roles.sql": "49b02f51bf03e944010df825e088a81f5433f7157e1db2f3c658c0cdc9d5df19",
  "002_veterans.sql": "16b9a40a979400427a74400505f17ea8da8a2a95b7bdf86670d1c32924c7ee47",
  "003_providers.sql": "1c704fb0b23303895a1bce87344c7ac45b1c9aba0ee6c408ab0b573e2483ddfa",
  "004_consent_grants.sql": "aa5fd02f7620f98decc39f96d645dbb9f09199156c02731ae6567453a077149e",
  "005_health_record_items.sql": "944d67620cc9c908b51b99cbe49f13c699797808bc8c650858e293081f2bad3c",
  "006_stored_files.sql": "03b9298bfa2a6dfd20325796c6943d397f75fcd49c2d81323359ad55cd351a72",
  "007_documents.sql": "a9808ebbca6ee60ae66c760ea2a22e42a61a0d38672060c57c861184296a43ea",
  "008_releases.sql": "d827f4a4e0bb4e2b38e796678a9eeeddbb54cb73f5bac4885c812a561389a3dc",
  "009_provider_notes.sql": "2f2ea13ce86de9d38dfc52ff87d509d7fe725dddb8acb474b56b5edb2822d8a7",
  "010_self_reported_entries.sql": "dd2b5aad9e6feaf5475413210998911bbcbd201ad69e5ea627c528f29131c77f",
  "011_waitlist_signups.sql": "a6e538a8a1230f54231d774ff5c84376f0337788bb81466760677e4924f57f09",
  "012_rate_limits.sql": "8934242db33d915ed50650c9ea4908143c93733ad8402b35ff6dab941eac167e",
  "013_outbox.sql": "8b9f9e38b2e9c3da099e8b89c5a0cecd503648073b9d37a54fdff37f282f0a72",
  "014_secure_links.sql": "9d0a6b129a70a9f798f6728c90371a4768fab30e672d8789b0ff6d89634a2ddb",
  "015_secure_link_steps.sql": "0dce18638361c6647e1edbe116bc45eea6313b8d7b8b9b827e8ebdce7a64ce43",
  "016_known_networks.sql": "e1e4b8964cf814b40ef0e4685239a0264ccf09b397694beeadda72b5a1a85f56",
  "017_consent_limits.sql": "2b7d0c28354055cf2698ec33b0de2921c46e3f940183a8a76ff52d43bc6e5928",
  "018_codes_per_address.sql": "50eebeb0c7b8ec0c56357371097266231a0291763e28db20e4c42c4d00dc6fcf",
  "019_storage_used.sql": "f5d608ee462c15730a3bbd7fd1c77e4b8f94a37ace0bed5e7899cc5615b4f566",
  "020_proofs.sql": "32976239e408c97f37ba98c43645cf884321442df5ef17a6601512f1287197b0",
  "021_proof_tree.sql": "5ec943d38a9c7a75ca841088521c3d6afd5248f3bd1b4308bf4a601a2da0f508",
  "022_key_rotation.sql": "756bbaf5a827279b6ea68c67228e7b48476e2155bab7542d96fee3cd43b413bd",
  "023_oauth.sql": "a1c7aed86fca01c52242a431ea26256ddfe184091777b3ec4540ea23355cfbb8",
  "024_sweeps.sql": "51638042504c829e958ca40ff14e4a05131f6f0b3a4cd3f280071ea47fe15a50",
  "025_record_limits.sql": "f4768d5f943d50f648e1768ca6295fd9e9c53495396cc5faa185881cba4f5f72",
  "026_request_codes_by_network.sql": "4a9cdeba63efe4afd064c10878e3398f742f55934eee408fbc1a7d9501dac8f4",
  "027_app_access_minutes.sql": "dbbe4f6f418df46df82bdded3e1225949b6e715747c845109706022e8f1f6f4f",
  "028_record_looks.sql": "7f303c6f86c031f50c5349f77013dd55671d78cd935a095da44f730c3bf63a23",
  "029_provider_invitations.sql": "ae37ed6684f25cec795a5d9bc8bc4b400cb3494eac0cef8c49cac823153a96dd",
  "030_disclosure_subjects.sql": "64658986a9ebf1856ab8fa17dd5ddac4d60621e6ee873e02a42fe4022ee0e1f7",
  "031_sharing.sql": "fa0757a7a925a963e3d6df9eb1ff35fa5261dce874fdc392c090c1dc1b3a3604",
  "032_veteran_sessions.sql": "3e5210e079bca1dda29a9d0eb2a3a51512052bdaec144398d7904a136059c6ec",
  "033_veteran_identities.sql": "07e435faf1dbc2091561d35dbc7d8590b570e37f03fd0f5c33462c9ce0fea095",
  "034_admin_acts.sql": "7157a25c90cb3a57e4c8240a9651378aed864d121d63206d60cfdadf01364c71",
  "035_people_change.sql": "43583dd232b5c7d15c4364fca9af6f0d7a4f6a76b370bf850413fab378c7d1c3",
  "036_provider_passwords.sql": "35a2040062b4b86f50d369ab1c58d53fd2a3ff7c8caa85d14f1a5610d82d3da9",
  "037_deletion.sql": "eccf33541641d1f5d04c77b95ca6dd954bf3cad4900f9f799896bd68794d782d",
  "038_exports_and_notices.sql": "b87254561425b6d718dae2164f260403624c60513435644cfaa34c5e0e196e6a",
  "040_valid_keys.sql": "67f38b9e453773b26b4f79750c0ea3a68ce2bb0dd0b8ced92f0914006fe36e52",
  "041_passkeys.sql": "9b0de2f3ea5fe2fe507fba8d066ebb6a09359a8631b1cc8576db577fe3da8c86",
  "042_smart_health_links.sql": "a991ea179413eeec71480453b5fb70337025252e582a8941c64282b126988447",
  "043_shapes.sql": "876f60b59fb105325539ddb7bc18f75b2f941ffe6290dba6a37db1048c44adf6",
  "044_partitions.sql": "64eef09625f5067b659aaa08c2d383116d529b53a228e3bb0d7dfb471e7bb1a9",
  "045_slots.sql": "e9cfc66bec1c36a9d575380b9aad9d445c081e18d99dae766a334c64a69dac97",
  "046_vacuum.sql": "e54386a4fbf7b2db051733acf20c1f2b246d309e4a64f4a763fc3cddcae00835",
  "047_mail_lanes.sql": "71b2023af6b34f1c9156496a596c47dfd03f49d7c7ae8ffedce2f55139a52f8d",
  "048_bounds_of_acts.sql": "d567721b3a0e5db42718937fa7f610c341380b4fa2d764765460281e1bd551bf"
}

test("Each migration is listed, but for the newest, which has not landed yet", () => {
  assert.deepStrictEqual(readdirSync(migrationFolder).sort().slice(0, Object.keys(landed).length), Object.keys(landed))
  assert.isAtMost(readdirSync(migrationFolder).length - Object.keys(landed).length, 1)
})

test.each(Object.entries(landed))("%s has not changed since it landed", (name, sha256) => {
  assert.strictEqual(
    hash("sha256", readFileSync(join(migrationFolder, name))),
    sha256,
    `${name} has landed and never changes, because databases hold what it made. Put it back, and write a new migration.`
  )
})
