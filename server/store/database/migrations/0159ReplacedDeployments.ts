import type { NumberedMigration } from '../numberedMigration.ts'

/** Which transactions of a deployment were replaced at higher fees, because any of them may be mined; null if none was. */
export const replacedDeployments: NumberedMigration = {
  name: '0159_replaced_deployments',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.raw('ALTER TABLE deployment_transactions ADD COLUMN former_hashes TEXT')
  },
  async down(schema) {
    await schema.raw('ALTER TABLE deployment_transactions DROP COLUMN former_hashes')
  },
}
