import type { Knex } from 'knex'

/** The authenticator secret of an account; times are epoch milliseconds. */
export type TotpFactor = {
  userId: string
  /** Encrypted, bound to the account. */
  sealedSecret: string
  /** Latest time step for which a code was accepted; its codes and earlier ones are no longer valid. */
  lastStep: number
  createdAt: number
  /** Null until a first code confirms the secret; until then no codes are required. */
  confirmedAt: number | null
}

export type TotpStore = ReturnType<typeof createTotpStore>

/** Stores authenticator secrets and the hashes of recovery codes. */
export function createTotpStore(query: Knex) {
  return {
    async of(userId: string, run: Knex = query): Promise<TotpFactor | null> {
      const row = await run('totp_factors')
        .select({
          userId: 'user_id',
          sealedSecret: 'sealed_secret',
          lastStep: 'last_step',
          createdAt: 'created_at',
          confirmedAt: 'confirmed_at',
        })
        .where({ user_id: userId })
        .first()
      return row ?? null
    },

    /** Stores an unconfirmed secret and its recovery codes, replacing earlier ones. */
    async enrol(trx: Knex.Transaction, factor: TotpFactor, codeHashes: readonly string[]): Promise<void> {
      await remove(trx, factor.userId)
      await trx('totp_factors').insert({
        user_id: factor.userId,
        sealed_secret: factor.sealedSecret,
        last_step: factor.lastStep,
        created_at: factor.createdAt,
        confirmed_at: factor.confirmedAt,
      })
      await trx('recovery_codes').insert(
        codeHashes.map((codeHash) => ({ code_hash: codeHash, user_id: factor.userId })),
      )
    },

    async confirm(trx: Knex.Transaction, userId: string, now: number): Promise<void> {
      await trx('totp_factors').update({ confirmed_at: now }).where({ user_id: userId })
    },

    /** Consumes a time step; false if a code of it or a later one was used before. */
    async useStep(trx: Knex.Transaction, userId: string, step: number): Promise<boolean> {
      const used = await trx('totp_factors')
        .update({ last_step: step })
        .where({ user_id: userId })
        .where('last_step', '<', step)
      return used > 0
    },

    /** Consumes a recovery code; false if the account has none with this hash. */
    async useRecoveryCode(trx: Knex.Transaction, userId: string, codeHash: string): Promise<boolean> {
      return (await trx('recovery_codes').delete().where({ user_id: userId, code_hash: codeHash })) > 0
    },

    async countRecoveryCodes(userId: string, run: Knex = query): Promise<number> {
      const row = await run('recovery_codes').where({ user_id: userId }).count({ left: '*' }).first()
      return Number(row?.left ?? 0)
    },

    remove,
  }
}

async function remove(trx: Knex.Transaction, userId: string): Promise<void> {
  await trx('recovery_codes').delete().where({ user_id: userId })
  await trx('totp_factors').delete().where({ user_id: userId })
}
