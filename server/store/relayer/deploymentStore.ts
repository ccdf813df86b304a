import type { Knex } from 'knex'

type Hex = `0x${string}`

/** The contracts of a chain and what identifies the chain. */
export type Deployment = {
  chainId: number
  genesisHash: Hex
  identityRegistry: Hex
  auditLog: Hex
  reputationRegistry: Hex
  validationRegistry: Hex
  logId: Hex
  /** No block before this one can contain anything of ours. */
  deployedBlock: number
  /** First nonce of the relayer after the deployment. */
  nextNonce: number
}

/**
 * A deployment as stored: a database of the first release has only two contracts until the next start deploys the others.
 */
export type RememberedDeployment = Omit<Deployment, 'reputationRegistry' | 'validationRegistry'> & {
  reputationRegistry: Hex | null
  validationRegistry: Hex | null
}

const COLUMNS = [
  'chain_id',
  'genesis_hash',
  'identity_registry',
  'audit_log',
  'reputation_registry',
  'validation_registry',
  'log_id',
  'deployed_block',
  'next_nonce',
] as const

export type DeploymentStore = ReturnType<typeof createDeploymentStore>

/** Stores the chain of the service and the id of its first audit log. */
export function createDeploymentStore(query: Knex) {
  return {
    /**
     * The id of this installation's first audit log: generated once, and the same on every chain and after every replay,
     * unless it turns out to be one that the relayer may not open.
     */
    async logId(drawn: Hex, now: number): Promise<Hex> {
      await query('installation').insert({ id: 1, log_id: drawn, created_at: now }).onConflict('id').ignore()
      const row = await query('installation').select('log_id').where({ id: 1 }).first()
      return row.log_id
    },

    /** Replaces the id of a log that was never opened. */
    async renameLog(trx: Knex.Transaction, logId: Hex): Promise<void> {
      await trx('installation').where({ id: 1 }).update({ log_id: logId })
    },

    /** The public URL, with the format of files, to which all tokens and registration files were last moved; null before. */
    async servedUrl(): Promise<string | null> {
      const row = await query('installation').select({ url: 'public_url' }).where({ id: 1 }).first()
      return row?.url ?? null
    },

    async setServedUrl(trx: Knex.Transaction, url: string): Promise<void> {
      await trx('installation').where({ id: 1 }).update({ public_url: url })
    },

    /** The chain this database belongs to; null before the first deployment. */
    async remembered(): Promise<RememberedDeployment | null> {
      const row = await query('chain_deployments').select(COLUMNS).orderBy('created_at', 'desc').first()
      if (row === undefined) return null
      return {
        chainId: Number(row.chain_id),
        genesisHash: row.genesis_hash,
        identityRegistry: row.identity_registry,
        auditLog: row.audit_log,
        reputationRegistry: row.reputation_registry ?? null,
        validationRegistry: row.validation_registry ?? null,
        logId: row.log_id,
        deployedBlock: Number(row.deployed_block),
        nextNonce: Number(row.next_nonce),
      }
    },

    /** Whether any agent has an identity in the registry of a deployment. */
    async hasIdentity({ chainId, identityRegistry }: RememberedDeployment): Promise<boolean> {
      // By the index of token ids; the first one of the registry is usually the first of all.
      const row = await query('agents')
        .select('svc_id')
        .where('chain_agent_id', '>', -1)
        .where({ chain_registry: `eip155:${chainId}:${identityRegistry}` })
        .first()
      return row !== undefined
    },

    /** Stores the current contracts of a chain, whose deployment is complete. */
    async save(trx: Knex.Transaction, deployment: Deployment, now: number): Promise<void> {
      const row = {
        chain_id: deployment.chainId,
        genesis_hash: deployment.genesisHash,
        identity_registry: deployment.identityRegistry,
        audit_log: deployment.auditLog,
        reputation_registry: deployment.reputationRegistry,
        validation_registry: deployment.validationRegistry,
        log_id: deployment.logId,
        deployed_block: deployment.deployedBlock,
        next_nonce: deployment.nextNonce,
        created_at: now,
      }
      await trx('chain_deployments').insert(row).onConflict('chain_id').merge()
      await trx('deployment_transactions').delete()
    },
  }
}
