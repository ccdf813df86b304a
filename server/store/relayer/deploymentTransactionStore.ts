import type { Knex } from 'knex'

type Hex = `0x${string}`

/** A signed transaction of a deployment that is not complete. */
export type DeploymentTransaction = {
  hash: Hex
  nonce: number
  raw: Hex
  /** Number of the latest block when it was signed. */
  headBlock: number
  /** Hashes of those with the same nonce and lower fees that it replaces. */
  formerHashes: readonly Hex[]
}

/** Stores the transactions of a deployment until all of its contracts are stored, by the hash of what each of them does. */
export function createDeploymentTransactionStore(query: Knex) {
  return {
    async find(callHash: Hex): Promise<DeploymentTransaction | null> {
      const row = await query('deployment_transactions')
        .select('hash', 'nonce', 'raw', 'head_block', 'former_hashes')
        .where({ call_hash: callHash })
        .first()
      if (row === undefined) return null
      const { hash, raw } = row
      const formerHashes = (row.former_hashes?.split(' ') ?? []) as Hex[]
      return { hash, nonce: Number(row.nonce), raw, headBlock: Number(row.head_block), formerHashes }
    },

    /** The block before which nothing of this deployment was sent; null if nothing was. */
    async firstBlock(): Promise<number | null> {
      const row = await query('deployment_transactions').min({ block: 'head_block' }).first()
      return row?.block == null ? null : Number(row.block)
    },

    async insert(trx: Knex.Transaction, callHash: Hex, signed: DeploymentTransaction): Promise<void> {
      const { hash, nonce, raw, headBlock } = signed
      await trx('deployment_transactions').insert({
        ...{ call_hash: callHash, hash, nonce, raw },
        head_block: headBlock,
      })
    },

    /** Stores a transaction that replaces the stored one. */
    async replace(trx: Knex.Transaction, callHash: Hex, signed: DeploymentTransaction): Promise<void> {
      const { hash, raw, formerHashes } = signed
      await trx('deployment_transactions')
        .where({ call_hash: callHash })
        .update({ hash, raw, former_hashes: formerHashes.join(' ') })
    },

    /** Forgets a transaction that failed or can never be mined, so that the next attempt signs another one. */
    async remove(trx: Knex.Transaction, callHash: Hex): Promise<void> {
      await trx('deployment_transactions').where({ call_hash: callHash }).delete()
    },
  }
}
